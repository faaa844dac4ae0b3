import { expect, type Locator, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { finger } from './testing/person/finger.ts'
import { call, type Given, give, inDays, replaceAll } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { changeBehindTheScreens } from './testing/screens/preferences.ts'
import { details } from './testing/screens/task-details.ts'
import { more, row, tick, titlesIn, toasts } from './testing/screens/todo-list.ts'

// The next 14 days, day by day.

const field = (page: Page) => page.getByPlaceholder('Add a task for tomorrow...')
const section = (page: Page, day: string) => page.locator(`main section:has([data-day="${day}"])`)
const titles = (page: Page, days: number) => titlesIn(section(page, inDays(days)))
const again = (page: Page, days: number) =>
  section(page, inDays(days)).getByRole('button', { name: /Comes again$/ })
const said = (page: Page) => page.locator('p[aria-live=polite]')
const entry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Today/ })
const dueDays = async (page: Page) => {
  const { todos } = await (await page.request.get('/api/todos')).json()
  return Object.fromEntries(
    todos.map((todo: { title: string; due_day: string }) => [todo.title, todo.due_day]),
  )
}

async function openUpcoming(page: Page, tasks: readonly Given[] = []): Promise<void> {
  await signUpBehindTheScreens(page)
  await give(page, tasks)
  await goThere(page)
}

async function goThere(page: Page): Promise<void> {
  await page.goto('/upcoming')
  await expect(page.getByRole('heading', { level: 1, name: 'Upcoming' })).toBeVisible()
  await expect(field(page)).toBeVisible()
}

/** Moving is loaded after the screen. */
async function canMove(page: Page): Promise<void> {
  await expect(page.locator('main [draggable=true]')).toBeAttached()
}

const repeats = (page: Page, title: string, due: string, every: number, more: object = {}) =>
  call(page, 'post', '/api/todos', {
    title,
    completed: 0,
    due_day: due,
    at: new Date(Date.now() - 86_400_000).toISOString(),
    repeat: { freq: 'day', every, mode: 'due', from: due, ...more },
  })

async function middleOf(locator: Locator) {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

const three: Given[] = [
  { title: 'Call home', due: inDays(1) },
  { title: 'Write the report', due: inDays(1) },
  { title: 'Plan the trip', due: inDays(3) },
]

async function drag(page: Page, title: string, to: string) {
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
  await row(page, title).hover()
  const grip = page.locator('main [draggable=true]')
  await expect(grip).toBeVisible()
  const from = await middleOf(grip)
  const target = await middleOf(section(page, to))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 4, from.y + 4)
  await page.mouse.move(from.x + 30, target.y, { steps: 8 })
  await expect(section(page, to)).toHaveAttribute('data-over')
  await page.mouse.up()
}

test('the days to come, on one page', async ({ page }) => {
  await test.step('Today and Upcoming lead to each other, and the sidebar counts both as Today', async () => {
    await openUpcoming(page)
    await expect(page).toHaveTitle(/^Upcoming/)
    const pages = page.getByRole('navigation', { name: 'Days' })
    await expect(pages.locator('[aria-current=page]')).toHaveText('Upcoming')
    await expect(entry(page)).toHaveAttribute('aria-current', 'page')
    await pages.getByRole('link', { name: 'Today' }).click()
    await expect(page).toHaveURL('/today')
    await expect(pages.locator('[aria-current=page]')).toHaveText('Today')
    await pages.getByRole('link', { name: 'Upcoming' }).click()
    await expect(page).toHaveURL('/upcoming')
  })

  await test.step('shows the next 14 days, each with what is due then, and a line where nothing is', async () => {
    const { list } = await call(page, 'post', '/api/lists', { name: 'Old', color: 1 })
    await replaceAll(page, [
      ...three,
      { title: 'Now', due: inDays(0) },
      { title: 'Late', due: inDays(-2) },
      { title: 'The last day', due: inDays(14) },
      { title: 'After that', due: inDays(15) },
      { title: 'Undated', due: null },
      { title: 'Forgotten', due: inDays(2), list: list.id },
    ])
    await call(page, 'put', `/api/lists/${list.id}`, { archived_at: new Date().toISOString() })
    await expect(page.locator('main section:has([data-day])')).toHaveCount(14)
    await expect.poll(() => titles(page, 1)).toEqual(['Call home', 'Write the report'])
    await expect.poll(() => titles(page, 3)).toEqual(['Plan the trip'])
    await expect.poll(() => titles(page, 14)).toEqual(['The last day'])
    await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(4)
    await expect(section(page, inDays(1)).getByRole('heading')).toHaveText(/^Tomorrow, \w{3} \d+ \w{3}.* 2$/)
    await expect(section(page, inDays(2))).toContainText('Nothing due')
    await expect(section(page, inDays(3))).not.toContainText('Nothing due')
  })

  await test.step('what is added here is due tomorrow, where nothing was due', async () => {
    await replaceAll(page)
    await expect(page.getByText('Nothing is due in the next two weeks')).toBeVisible()
    await field(page).fill('Water the plants')
    await field(page).press('Enter')
    await expect.poll(() => titles(page, 1)).toEqual(['Water the plants'])
    await expect(page.getByText('Nothing is due in the next two weeks')).toHaveCount(0)
    await expect.poll(() => dueDays(page)).toEqual({ 'Water the plants': inDays(1) })
  })

  await test.step('a task that repeats comes again on its later days, without a checkbox, and leads to its details', async () => {
    await replaceAll(page)
    await repeats(page, 'Water the plants', inDays(2), 5)
    await repeats(page, 'Stretch', inDays(0), 6, { until: inDays(8) })
    await expect.poll(() => titles(page, 2)).toEqual(['Water the plants'])
    await expect(again(page, 7)).toHaveAccessibleName('Water the plants Comes again')
    await expect(again(page, 12)).toHaveCount(1)
    await expect(again(page, 6)).toHaveAccessibleName('Stretch Comes again')
    await expect(page.getByRole('main').getByRole('button', { name: /Comes again$/ })).toHaveCount(3)
    await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(1)
    await again(page, 6).focus()
    await page.keyboard.press('Enter')
    await expect(details(page)).toBeVisible()
    await expect(details(page).getByLabel('Title')).toHaveValue('Stretch')
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await expect(again(page, 6)).toBeFocused()
  })

  await test.step('a task that repeats is not moved past its next time, and can be skipped instead', async () => {
    await replaceAll(page)
    await repeats(page, 'Water the plants', inDays(1), 2)
    await canMove(page)
    await tick(row(page, 'Water the plants')).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => titles(page, 2)).toEqual(['Water the plants'])
    await expect(tick(row(page, 'Water the plants'))).toBeFocused()
    await page.keyboard.press('Alt+ArrowDown')
    const comesBack = toasts(page).filter({ hasText: 'This task comes back' })
    await expect(comesBack).toBeVisible()
    await expect.poll(() => titles(page, 2)).toEqual(['Water the plants'])
    await comesBack.getByRole('button', { name: 'Skip this time' }).click()
    await expect.poll(() => titles(page, 3)).toEqual(['Water the plants'])
    await expect.poll(() => titles(page, 2)).toEqual([])
    await closeToasts(page)
  })

  await test.step('a task dragged onto a day is due then, also an empty one, and Undo takes it back', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await replaceAll(page, three)
    await canMove(page)
    await drag(page, 'Call home', inDays(2))
    await expect.poll(() => titles(page, 2)).toEqual(['Call home'])
    await expect.poll(() => dueDays(page)).toMatchObject({ 'Call home': inDays(2) })
    await expect(toasts(page)).toContainText('Task moved to')
    await expect(page.locator('[data-over]')).toHaveCount(0)
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => titles(page, 1)).toEqual(['Call home', 'Write the report'])
    await expect.poll(() => dueDays(page)).toMatchObject({ 'Call home': inDays(1) })
    await page.setViewportSize({ width: 1280, height: 800 })
    await closeToasts(page)
  })

  await test.step('Alt and an arrow move the task with the focus by days, and say the day', async () => {
    await replaceAll(page, three)
    await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(three.length)
    await canMove(page)
    await settled(page)
    await tick(row(page, 'Write the report')).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(said(page)).toHaveText(/^Write the report, \w{3} \d+ \w{3}/)
    await expect.poll(() => titles(page, 2)).toEqual(['Write the report'])
    await expect(tick(row(page, 'Write the report'))).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(said(page)).toHaveText('Write the report, Tomorrow')
    await expect.poll(() => titles(page, 1)).toEqual(['Call home', 'Write the report'])
    await expect(tick(row(page, 'Write the report'))).toBeFocused()

    // To today: it leaves the page.
    await settled(page)
    await page.keyboard.press('Alt+ArrowUp')
    await expect(said(page)).toHaveText('Write the report, Today')
    await expect.poll(() => titles(page, 1)).toEqual(['Call home'])
    await expect(tick(row(page, 'Plan the trip'))).toBeFocused()
    await expect.poll(() => dueDays(page)).toMatchObject({ 'Write the report': inDays(0) })
    await page.keyboard.press('Control+z')
    await expect.poll(() => titles(page, 1)).toEqual(['Call home', 'Write the report'])
  })
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the days to come under a finger', async ({ page }) => {
    await test.step('a task that is held for a moment is dragged to another day', async () => {
      await openUpcoming(page, three)
      await canMove(page)
      const touch = await finger(page)
      const from = await middleOf(row(page, 'Call home'))
      const to = await middleOf(section(page, inDays(3)))
      await touch('touchStart', 150, from.y)
      await expect(page.locator('main li[data-dragged]')).toHaveCount(1)
      for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', 150, from.y + (to.y - from.y) * part)
      await expect(section(page, inDays(3))).toHaveAttribute('data-over')
      await touch('touchEnd')
      await expect.poll(() => titles(page, 3)).toEqual(['Call home', 'Plan the trip'])
      expect(await page.evaluate(() => scrollY)).toBe(0)
      await expect(details(page), 'it was no tap').toHaveCount(0)
      await expect.poll(() => dueDays(page)).toMatchObject({ 'Call home': inDays(3) })
    })

    await test.step('the menu of a row moves it to the day before and after', async () => {
      await closeToasts(page)
      await replaceAll(page, three)
      await more(row(page, 'Plan the trip')).tap()
      await page.getByRole('menuitem', { name: 'Move to previous day' }).tap()
      await expect.poll(() => titles(page, 2)).toEqual(['Plan the trip'])
      await more(row(page, 'Plan the trip')).tap()
      await page.getByRole('menuitem', { name: 'Move to next day' }).tap()
      await expect.poll(() => titles(page, 3)).toEqual(['Plan the trip'])
    })
  })
})

test.describe('without a connection', () => {
  test.use({ mayLog: /ERR_INTERNET_DISCONNECTED|Could not read|session could not be read/ })

  test('tasks are added and moved all the same', async ({ page, context }) => {
    await openUpcoming(page, three)
    await canMove(page)
    await fetchedLater(page, 'toaster-')
    await fetchedLater(page, 'quick-add-chips-')
    await context.setOffline(true)
    await field(page).fill('Water the plants')
    await field(page).press('Enter')
    await expect.poll(() => titles(page, 1)).toEqual(['Water the plants', 'Call home', 'Write the report'])
    await tick(row(page, 'Plan the trip')).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => titles(page, 2)).toEqual(['Plan the trip'])
    await context.setOffline(false)
    await expect
      .poll(() => dueDays(page))
      .toMatchObject({ 'Water the plants': inDays(1), 'Plan the trip': inDays(2) })
  })
})

test.describe('by the clock', () => {
  test.use({ timezoneId: 'Europe/Copenhagen', mayLog: /Could not read|session could not be read/ })

  test('the days to come, by the clock', async ({ page }) => {
    await test.step("the day begins at the person's own time, in their own zone", async () => {
      await signUpBehindTheScreens(page)
      await changeBehindTheScreens(page, { time_zone: 'America/New_York', day_start: 240 })
      await give(page, [
        { title: 'Call home', due: '2026-05-20' },
        { title: 'Plan the trip', due: '2026-05-23' },
      ])
      // In New York it is 03:59 on the 20th.
      await page.clock.install({ time: '2026-05-20T07:59:00.000Z' })
      await goThere(page)
      await expect.poll(() => titlesIn(section(page, '2026-05-20'))).toEqual(['Call home'])
      await page.clock.pauseAt('2026-05-20T08:00:10.000Z')
      await expect(section(page, '2026-05-20')).toHaveCount(0)
      await expect(section(page, '2026-05-21')).toContainText('Tomorrow')
      await page.clock.resume()
    })

    await test.step('at midnight tomorrow becomes today, and a new day comes at the end', async () => {
      await call(page, 'patch', '/api/preferences', { time_zone: 'Europe/Copenhagen', day_start: 0 })
      await settled(page)
      await page.clock.pauseAt('2026-05-20T16:00:00.000Z')
      await page.clock.resume()
      // The one that is shown comes last: then the page has read the other as well.
      await replaceAll(page, [
        { title: 'Plan the trip', due: '2026-06-04' },
        { title: 'Call home', due: '2026-05-21' },
      ])
      await expect.poll(() => titlesIn(section(page, '2026-05-21'))).toEqual(['Call home'])
      await expect(section(page, '2026-06-04')).toHaveCount(0)
      await page.clock.pauseAt('2026-05-20T22:00:10.000Z')
      await expect(section(page, '2026-05-21')).toHaveCount(0)
      await expect.poll(() => titlesIn(section(page, '2026-06-04'))).toEqual(['Plan the trip'])
    })
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)

    test('fits, has names and enough contrast: empty and full, with large text, too', async ({ page }) => {
      await openUpcoming(page)
      await expect(page.getByText('Nothing is due in the next two weeks')).toBeVisible()
      const judge = () =>
        inEveryLook(page, widths, async (look) => {
          await expectNothingSticksOut(page)
          await look.expectNoAxeViolations()
        })
      await judge()
      await give(page, [
        { title: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen', due: inDays(2) },
        ...three,
      ])
      await repeats(page, 'Rindfleischetikettierungsüberwachungsaufgabenübertragung', inDays(1), 4)
      await expect(again(page, 5)).toBeVisible()
      await settled(page)
      await judge()
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      await expectNothingSticksOut(page)
      await expect(field(page)).toBeInViewport({ ratio: 1 })
    })
  })
}
