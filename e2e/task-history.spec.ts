import { expect, type Page } from '@playwright/test'
import { fetchedLater, keptByTheBrowser } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import {
  expectNothingSticksOut,
  hands,
  inEveryLook,
  leastShownOfAWeek,
  resize,
} from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { details, kept, make, openDetails, property } from './testing/screens/task-details.ts'
import { row, toasts } from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const daily = (from: number) => ({ freq: 'day', every: 1, mode: 'due', from: dayIn(from) })
const field = (page: Page) => details(page).getByRole('grid', { name: /^History of/ })
const cell = (page: Page, days: number) => field(page).locator(`[data-day="${dayIn(days)}"]`)
const choice = (page: Page, name: string) => details(page).getByRole('radio', { name, exact: true })
/** 'done', 'missed': what a screen reader says of a day. */
const saidOf = (page: Page, days: number) =>
  cell(page, days).evaluate((it) => it.ariaLabel?.replace(/^[^,]*, /, ''))

interface Past {
  day: number
  state: 'done' | 'skipped'
  done?: number
}

interface Kept {
  title: string
  repeat: Record<string, unknown>
  past?: readonly Past[]
}

/** Opens the list of a person whose tasks have a past. */
async function openWith(page: Page, tasks: readonly Kept[]) {
  await signUpBehindTheScreens(page)
  for (const { title, repeat, past = [] } of tasks) {
    const { id } = await make(page, { title, repeat })
    for (const each of past) await settle(page, id, each)
  }
  await page.goto('/todos')
  for (const { title } of tasks) await row(page, title).waitFor()
  await settled(page)
}

/** Opens the history of a task, and returns its id. */
async function openHistory(page: Page, title: string): Promise<string> {
  await openDetails(page, title)
  await property(page, 'History').click()
  await expect(field(page)).toHaveAttribute('aria-busy', 'false')
  return String((await kept(page, title))?.id)
}

async function closeDetails(page: Page) {
  await details(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(details(page)).toHaveCount(0)
  await closeToasts(page)
}

async function settle(page: Page, id: string, { day, state, done = day }: Past) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const data = { state, done_on: dayIn(done) }
  const response = await page.request.put(`/api/todos/${id}/days/${dayIn(day)}`, {
    data,
    headers: { origin },
  })
  expect(response.ok(), await response.text()).toBe(true)
}

/** What the server has of a day. */
async function keptOf(page: Page, id: string, days: number) {
  const range = `from=${dayIn(days)}&to=${dayIn(days)}`
  const { days: found } = await (await page.request.get(`/api/todos/${id}/days?${range}`)).json()
  return found[0] && `${found[0].state} ${found[0].done_on}`
}

test('histories, on one page', async ({ page }) => {
  await openWith(page, [
    {
      title: 'Water the plants',
      repeat: daily(-5),
      past: [
        { day: -4, state: 'done', done: -3 },
        { day: -3, state: 'skipped' },
        { day: -2, state: 'done' },
      ],
    },
    { title: 'Air the beds', repeat: daily(-30) },
    {
      title: 'Sweep the stairs',
      repeat: daily(-160),
      past: [-150, -149, -100, -1].map((day) => ({ day, state: 'done' })),
    },
    {
      title: 'Cut the hedge',
      repeat: { freq: 'week', every: 1, mode: 'done', from: dayIn(-20) },
      past: [
        { day: -20, state: 'done', done: -18 },
        { day: -11, state: 'done' },
      ],
    },
  ])

  await test.step('the history of a task says of each day what became of it, and a press completes or reopens it', async () => {
    const id = await openHistory(page, 'Water the plants')
    await expect(property(page, 'History')).toContainText('Last done')
    await expect.poll(() => saidOf(page, -6)).toBe('not due')
    const name = await cell(page, -4).evaluate((it) => it.ariaLabel)
    expect(name).toMatch(/^\w{3} \d+ \w{3} \d{4}, done on \w{3} \d+ \w{3}/)
    for (const [day, words] of [
      [-5, 'missed'],
      [-3, 'skipped'],
      [-2, 'done'],
      [-1, 'missed'],
      [0, 'due'],
      [1, 'to come'],
    ] as const) {
      expect(await saidOf(page, day)).toBe(words)
    }
    await expect(cell(page, 0)).toHaveAttribute('aria-current', 'date')

    await cell(page, -5).click()
    await expect(cell(page, -5)).toHaveAttribute('aria-pressed', 'true')
    await expect(toasts(page)).toContainText('Completed')
    await expect.poll(() => keptOf(page, id, -5)).toBe(`done ${dayIn(0)}`)
    await cell(page, -2).click()
    await expect.poll(() => saidOf(page, -2)).toBe('missed')
    await expect.poll(() => keptOf(page, id, -2)).toBe('open null')
    await undo(page).click()
    await expect.poll(() => saidOf(page, -2)).toBe('done')
    await expect.poll(() => keptOf(page, id, -2)).toBe(`done ${dayIn(-2)}`)
    // Nothing was due then, and what is to come cannot be done yet.
    for (const day of [-6, 1]) await cell(page, day).click({ force: true })
    await expect.poll(() => saidOf(page, 1)).toBe('to come')
    await expect(choice(page, 'Done')).toBeDisabled()
    await choice(page, 'Skipped').check()
    await expect.poll(() => saidOf(page, 1)).toBe('skipped')
    await expect(choice(page, 'Done')).toBeDisabled()
    await cell(page, 0).click()
    await expect(row(page, 'Water the plants')).toContainText(/\d+ \w{3}|In 2 days/)
    await expect.poll(async () => (await kept(page, 'Water the plants'))?.due_day).toBe(dayIn(2))
    // Now it is the one before the open one, so it can be done after all.
    await cell(page, 1).click()
    await expect.poll(() => keptOf(page, id, 1)).toBe(`done ${dayIn(0)}`)
    await closeDetails(page)
  })

  await test.step('its days are reached and changed with the keyboard, also skipped', async () => {
    const id = await openHistory(page, 'Air the beds')
    await property(page, 'History').focus()
    await page.keyboard.press('Tab')
    await expect(cell(page, 0)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await expect(cell(page, -8)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(cell(page, -8)).toHaveAttribute('aria-pressed', 'true')
    await expect(cell(page, -8)).toBeFocused()
    await page.keyboard.press('s')
    await expect.poll(() => saidOf(page, -8)).toBe('skipped')
    await expect.poll(() => keptOf(page, id, -8)).toBe(`skipped ${dayIn(0)}`)
    await page.keyboard.press('s')
    await expect.poll(() => saidOf(page, -8)).toBe('missed')
    await details(page).getByRole('button', { name: 'Previous due day' }).click()
    await expect(cell(page, -9)).toHaveAttribute('data-stop', 'true')
    await choice(page, 'Done').check()
    await expect.poll(() => keptOf(page, id, -9)).toBe(`done ${dayIn(0)}`)
    await closeDetails(page)
  })

  await test.step('days of long ago come from the server, are changed, and follow other devices', async () => {
    const id = await openHistory(page, 'Sweep the stairs')
    await expect.poll(() => saidOf(page, -150)).toBe('done')
    expect(await saidOf(page, -148)).toBe('missed')
    await cell(page, -150).click()
    await expect.poll(() => saidOf(page, -150)).toBe('missed')
    await expect.poll(() => keptOf(page, id, -150)).toBe('open null')
    expect(await saidOf(page, -150)).toBe('missed')
    for (const [day, state] of [
      [-120, 'skipped'],
      [-3, 'done'],
    ] as const) {
      await settle(page, id, { day, state })
      await expect(cell(page, day)).toHaveAccessibleName(new RegExp(`, ${state}$`))
    }
    await closeDetails(page)
  })

  await test.step('of a task that counts from the day it was done, what was done is kept when it is called skipped', async () => {
    const id = await openHistory(page, 'Cut the hedge')
    expect(await saidOf(page, -4)).toBe('due')
    expect(await saidOf(page, -10)).toBe('not due')
    await cell(page, -4).focus()
    await details(page).getByRole('button', { name: 'Previous due day' }).click()
    await details(page).getByRole('button', { name: 'Previous due day' }).click()
    await choice(page, 'Skipped').check()
    await expect.poll(() => keptOf(page, id, -20)).toBe(`skipped ${dayIn(-18)}`)
    expect(await saidOf(page, -4)).toBe('due')
    await expect.poll(async () => (await kept(page, 'Cut the hedge'))?.due_day).toBe(dayIn(-4))
    await closeDetails(page)
  })
})

test.describe('without a connection', () => {
  test.use({
    serviceWorkers: 'allow',
    mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
  })

  test('the history has what the device knows, and can be changed there', async ({ page, context }) => {
    await signUpBehindTheScreens(page)
    const { id } = await make(page, { title: 'Water the plants', repeat: daily(-160) })
    for (const day of [-155, -150, -20]) await settle(page, id, { day, state: 'done' })
    await page.goto('/todos')
    await row(page, 'Water the plants').waitFor()
    await fetchedLater(page, 'toaster-')
    await fetchedLater(page, 'task-history-')
    await keptByTheBrowser(page)
    await context.setOffline(true)
    await openDetails(page, 'Water the plants')
    await property(page, 'History').click()
    await expect(details(page).getByRole('status')).toContainText("You're offline")
    expect(await saidOf(page, -155)).toBe('not loaded')
    expect(await saidOf(page, -20)).toBe('done')
    await cell(page, -155).click({ force: true })
    expect(await saidOf(page, -155)).toBe('not loaded')
    await cell(page, -21).click()
    await expect.poll(() => saidOf(page, -21)).toMatch(/^done/)
    await undo(page).click()
    await expect.poll(() => saidOf(page, -21)).toBe('missed')
    await cell(page, -22).click()
    await expect.poll(() => saidOf(page, -22)).toMatch(/^done/)
    await page.reload()
    await details(page).waitFor()
    await property(page, 'History').click()
    await expect.poll(() => saidOf(page, -22)).toMatch(/^done/)
    await context.setOffline(false)
    await expect.poll(() => keptOf(page, id, -22)).toBe(`done ${dayIn(0)}`)
    await expect.poll(() => saidOf(page, -155)).toBe('done')
    await expect(details(page).getByRole('status')).toHaveCount(0)
  })
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a tap on a day only selects it, and the line below changes it', async ({ page }) => {
    await openWith(page, [{ title: 'Water the plants', repeat: daily(-30) }])
    const id = await openHistory(page, 'Water the plants')
    await cell(page, -8).tap()
    await expect(cell(page, -8)).toHaveAttribute('data-stop', 'true')
    expect(await saidOf(page, -8)).toBe('missed')
    await choice(page, 'Done').check()
    await expect.poll(() => saidOf(page, -8)).toBe(`done on ${await shortToday(page)}`)
    await expect.poll(() => keptOf(page, id, -8)).toBe(`done ${dayIn(0)}`)
    await choice(page, 'Not done').check()
    await expect.poll(() => keptOf(page, id, -8)).toBe('open null')
  })
})

/** 'Mon 16 Nov' */
async function shortToday(page: Page) {
  const name = await cell(page, 0).evaluate((it) => it.ariaLabel)
  return name?.replace(/ \d{4},.*$/, '')
}

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)
    test('the history of a task fits and passes WCAG 2.2 AA', async ({ page }) => {
      const past = [
        { day: -1, state: 'done' },
        { day: -3, state: 'skipped' },
      ] as const
      await openWith(page, [{ title: 'Water the plants', repeat: daily(-100), past }])
      await openHistory(page, 'Water the plants')
      await inEveryLook(page, widths, async (look) => {
        await look.expectNoAxeViolations()
        await expectNothingSticksOut(page)
        expect(await leastShownOfAWeek(field(page))).toBeGreaterThan(5)
      })
      await resize(page, 320)
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      await expectNothingSticksOut(page)
      const box = details(page).locator('.overflow-y-auto')
      expect(await box.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0)
    })
  })
}
