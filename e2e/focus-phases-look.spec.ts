import { expect, type Page } from '@playwright/test'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { test, withoutEvents } from './testing/person/person.ts'
import {
  button,
  countdown,
  hour,
  minute,
  openTimer,
  pass,
  second,
  sessionButtons,
  sessions,
} from './testing/screens/focus-timer.ts'

// When minutes pass in a moment, a request in progress takes too long.
test.use({
  fakeClock: true,
  timezoneId: 'UTC',
  mayLog: /Could not read [\w-]+: none|session could not be read TimeoutError/,
})
test.beforeEach(({ page }) => withoutEvents(page))

const long = 'Draft the outline of the talk on tides for the harbour association'

/** A person with a task of a long name and a habit, both for today. */
async function openWithTask(page: Page) {
  await openTimer(page)
  await page.clock.resume()
  const today = new Date(await page.evaluate(() => Date.now())).toISOString().slice(0, 10)
  await call(page, 'post', '/api/todos', { title: long, completed: 0, due_day: today })
  await call(page, 'post', '/api/habits', {
    name: 'Spanish',
    description: '',
    frequency: 'daily',
    start_date: today,
  })
  await page.reload()
  await expect(button(page, 'Start')).toBeEnabled()
}

const field = (page: Page) => page.getByRole('button', { name: 'What are you working on?' })

async function chooseTask(page: Page) {
  await field(page).click()
  await page.getByRole('option', { name: new RegExp(long) }).click()
}

async function countUp(page: Page) {
  await button(page, 'Plan').click()
  const countsUp = page.getByRole('radio', { name: /Count up/ })
  await countsUp.press('Space')
  await expect(countsUp).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(countsUp).toHaveCount(0)
}

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)
    const judge = (page: Page) =>
      inEveryLook(page, widths, async ({ width, expectNoAxeViolations }) => {
        await expectNothingSticksOut(page)
        if (width !== 768) await expectNoAxeViolations()
      })

    test('the plan and the choice of a subject fit and pass the accessibility check', async ({ page }) => {
      await openWithTask(page)
      await button(page, 'Plan').click()
      await expect(page.getByRole('dialog', { name: 'Plan' })).toBeVisible()
      await judge(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Plan' })).toHaveCount(0)
      await field(page).click()
      await expect(page.getByRole('option', { name: /Spanish/ })).toBeVisible()
      await judge(page)
      await page.getByRole('combobox').fill('Harbour walk')
      await expect(page.getByRole('option', { name: /Add the task/ })).toBeVisible()
      await judge(page)
    })

    test('a break, its end and the sessions of a subject fit and pass the accessibility check', async ({
      page,
    }) => {
      await openWithTask(page)
      await chooseTask(page)
      await button(page, 'Start').click()
      await expect(button(page, 'Pause')).toBeVisible()
      await page.clock.fastForward(25 * minute)
      await button(page, 'Start break').click()
      await expect(button(page, '5 min more')).toBeVisible()
      await judge(page)
      await page.clock.fastForward(5 * minute)
      await expect(page.getByText('Your break is over')).toBeVisible()
      await sessions(page).first().getByRole('button').click()
      await judge(page)
      await sessionButtons(page).click()
      await expect(page.getByRole('dialog', { name: 'Edit session' })).toBeVisible()
      await judge(page)
    })

    test('counting up for hours, and being asked, fits and passes the accessibility check', async ({
      page,
    }) => {
      await openWithTask(page)
      await countUp(page)
      await button(page, 'Start').click()
      await expect(button(page, 'Pause')).toBeVisible()
      await page.clock.fastForward(97 * minute)
      await expect(countdown(page)).toHaveText(/^1:3/)
      await judge(page)
      await page.clock.fastForward(145 * minute)
      await expect(button(page, 'Still going')).toBeVisible()
      await judge(page)
    })
  })
}

test('with larger text on a narrow phone nothing is cut off, in a break and while it counts up', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await openWithTask(page)
  await countUp(page)
  await button(page, 'Start').click()
  await expect(button(page, 'Pause')).toBeVisible()
  await page.clock.fastForward(70 * minute)
  await page.addStyleTag({ content: ':root { font-size: 200% }' })
  await expectNothingSticksOut(page)
  const [digits, ring] = await Promise.all([
    countdown(page).boundingBox(),
    page.getByRole('main').locator('svg[viewBox="0 0 332 332"]').boundingBox(),
  ])
  expect(digits?.width).toBeLessThanOrEqual(ring?.width ?? 0)
  await button(page, 'Save session').click()
  await button(page, 'Start break').click()
  await expect(button(page, '5 min more')).toBeVisible()
  await expectNothingSticksOut(page)
})

test.describe('with the keyboard alone', () => {
  test('a whole cycle: a subject, focus, its break, the next focus, and a session corrected', async ({
    page,
  }) => {
    await openWithTask(page)
    await field(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('option', { name: /Spanish/ })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Working on: Spanish' })).toBeFocused()
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('Space')
    await expect(button(page, 'Pause')).toBeVisible()
    await page.clock.fastForward(25 * minute)
    await button(page, 'Start break').press('Enter')
    await expect(button(page, 'Start focus')).toBeVisible()
    await page.keyboard.press('Space')
    await sessions(page).first().getByRole('button').press('Enter')
    await sessionButtons(page).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Edit session' })).toBeVisible()
    await page.getByRole('spinbutton', { name: 'End' }).press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Edit session' })).toHaveCount(0)
    await expect(sessions(page)).not.toContainText(['25 min'])
    await expect(sessionButtons(page)).toBeFocused()
  })
})

test('a screen reader announces the end of a break and the question, and not every second', async ({
  page,
}) => {
  await openTimer(page)
  await countUp(page)
  await button(page, 'Start').click()
  await expect(button(page, 'Pause')).toBeVisible()
  await expect(countdown(page)).toHaveAttribute('aria-live', 'off')
  await pass(page, 4 * hour + second)
  await expect(page.getByRole('status').filter({ hasText: 'Still focusing?' })).toBeVisible()
  await button(page, 'Save session').click()
  await button(page, 'Start break').click()
  await expect(button(page, 'Start focus')).toBeVisible()
  await pass(page, 48 * minute)
  await expect(page.getByRole('status').filter({ hasText: 'Your break is over' })).toBeVisible()
})

test.describe('with less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('a break begins without any', async ({ page }) => {
    await openTimer(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await button(page, 'Start break').click()
    await expect(button(page, 'Start focus')).toBeVisible()
    await pass(page, minute)
    const lasting = await page.evaluate(() =>
      Math.max(
        0,
        ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration)),
      ),
    )
    expect(lasting).toBeLessThanOrEqual(1)
  })
})
