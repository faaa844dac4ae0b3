import { expect, type Page } from '@playwright/test'
import { settled, showInTheSamePage } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { createTasks, openList, stopTime } from './testing/screens/todo-list.ts'

const topBar = (page: Page) => page.getByRole('banner')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the top bar and navigating between pages', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await openList(page)

  await test.step('the first Tab skips to the content', async () => {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await expectNoAxeViolations(page)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByPlaceholder('Add a new task...')).toBeFocused()
  })

  await test.step('the focus moves to the heading of the new page, and Tab continues from there', async () => {
    await page.getByRole('link', { name: 'Habits' }).press('Enter')
    await expect(heading(page)).toHaveText('Habits')
    await expect(heading(page)).toBeFocused()
    await page.getByRole('link', { name: 'Todos' }).press('Enter')
    await expect(heading(page)).toHaveText('Todo List')
    await expect(heading(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByPlaceholder('Add a new task...')).toBeFocused()
  })

  await test.step('is 56 px high and stays in view', async () => {
    await createTasks(page, { open: Array.from({ length: 40 }, (_, place) => `Task ${place}`) })
    await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(40)
    expect(await topBar(page).boundingBox()).toMatchObject({ y: 0, height: 56 })
    await page.mouse.move(700, 400)
    await page.mouse.wheel(0, 600)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
    expect(await topBar(page).boundingBox()).toMatchObject({ y: 0, height: 56 })
  })

  await test.step('going back restores the scroll position of the list', async () => {
    await page.evaluate(() => scrollTo(0, 0))
    await page.mouse.move(700, 400)
    await page.mouse.wheel(0, 500)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(500)
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(heading(page)).toHaveText('Habits')
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await expect(heading(page)).toHaveText('Todo List')
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(500)
  })

  await test.step('the theme button changes the theme, and says what it will do', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await background()
    await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeFocused()
    const dark = await background()
    expect(dark).not.toBe(light)
    await expectNoAxeViolations(page)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
    expect(await background()).toBe(dark)
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    await expect.poll(background).toBe(light)
  })
})

for (const [locale, words] of [
  ['en-US', 'Friday, November 20'],
  ['de-DE', 'Freitag, 20. November'],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test("shows today's date in the browser's language", async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.clock.setFixedTime(new Date(2026, 10, 20, 12))
      await page.goto('/habits')
      await expect(topBar(page).getByText(words)).toHaveAttribute('lang', locale)
    })
  })
}

test.describe('when time jumps', () => {
  // A read in progress then seems to have taken too long, and is aborted.
  test.use({ mayLog: /Could not read|session could not be read TimeoutError/ })

  test('the date changes at midnight', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.clock.install({ time: new Date(2026, 10, 20, 23, 59, 30) })
    await page.goto('/focus')
    await expect(topBar(page)).toContainText('November 20')
    await page.clock.fastForward(31_000)
    await expect(topBar(page)).toContainText('November 21')
    await page.clock.fastForward(24 * 3_600_000)
    await expect(topBar(page)).toContainText('November 22')
  })
})

test("the sidebar's tooltips appear at once, others after 700 ms", async ({ page }) => {
  await page.clock.install()
  await openList(page)
  await stopTime(page)
  const tooltip = page.getByRole('tooltip')
  await page.getByRole('button', { name: 'Switch to dark theme' }).hover()
  await page.clock.runFor(600)
  await expect(tooltip).toHaveCount(0)
  await page.clock.runFor(200)
  await expect(tooltip).toContainText('Switch to dark theme')
  await page.mouse.move(700, 600, { steps: 5 })
  await page.clock.runFor(5_000)
  await expect(tooltip).toHaveCount(0)
  await page.getByRole('button', { name: 'Toggle sidebar' }).hover()
  await page.clock.runFor(20)
  await expect(tooltip).toContainText('Toggle sidebar')
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    test('no page overflows or fails the accessibility check', async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.goto('/upcoming')
      for (const [path, title] of [
        ['/upcoming', 'Upcoming'],
        ['/lists/gone', 'List'],
        ['/tags/hall', '#hall'],
        ['/focus', 'Focus Timer'],
        ['/habits', 'Habits'],
        ['/analytics', 'Analytics Dashboard'],
        ['/settings', 'Settings'],
        ['/nowhere', 'Page not found'],
      ] as const) {
        await showInTheSamePage(page, path)
        await expect(heading(page)).toHaveText(title)
        await settled(page)
        await inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
          await expectNothingSticksOut(page)
          await expectNoAxeViolations()
        })
      }
    })
  })
}
