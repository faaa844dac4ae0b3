import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import {
  button,
  countdown,
  expectRecorded,
  minute,
  morning,
  openTimer,
  pass,
  second,
  sessionButtons,
  sessions,
  sidebarTime,
  toasts,
  totalToday,
} from './testing/screens/focus-timer.ts'
import { searchField } from './testing/screens/search-results.ts'
import { edit, more, row, tick } from './testing/screens/todo-list.ts'

// When minutes pass in a moment, a request in progress takes too long.
test.use({
  fakeClock: true,
  timezoneId: 'UTC',
  mayLog: /Could not read [\w-]+: none|session could not be read TimeoutError/,
})
test.beforeEach(({ page }) => withoutEvents(page))

const today = new Date(morning).toISOString().slice(0, 10)
const empty = (page: Page) => page.getByRole('button', { name: 'What are you working on?' })
const chosen = (page: Page, title: string) => page.getByRole('button', { name: `Working on: ${title}` })
const field = (page: Page) => page.getByRole('combobox', { name: 'What are you working on?' })
const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name })

/** The timer of a person who has two tasks and a habit for today. */
async function openWithTasks(page: Page) {
  await openTimer(page)
  for (const title of ['Weekly report', 'Water the plants'])
    await call(page, 'post', '/api/todos', { title, completed: 0, due_day: today })
  await call(page, 'post', '/api/todos', { title: 'Paint the hall', completed: 0 })
  await call(page, 'post', '/api/habits', {
    name: 'Spanish',
    description: '',
    frequency: 'daily',
    start_date: today,
  })
  await page.clock.resume()
  await page.reload()
  await expect(button(page, 'Start')).toBeEnabled()
  await empty(page).click()
  await expect(option(page, /Spanish/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.clock.pauseAt(morning + minute)
}

async function subjectsOnServer(page: Page): Promise<string[]> {
  const titles = new Map<string, string>()
  const { todos } = await (await page.request.get('/api/todos')).json()
  for (const { id, title } of todos) titles.set(id, title)
  const { habits } = await (await page.request.get('/api/habits')).json()
  for (const { id, name } of habits) titles.set(id, name)
  const { sessions } = await (await page.request.get('/api/focus')).json()
  return sessions.map(
    ({ todo_id, habit_id }: { todo_id: string | null; habit_id: string | null }) =>
      titles.get(todo_id ?? habit_id ?? '') ?? 'nothing',
  )
}

const expectSubjects = (page: Page, titles: string[]) =>
  expect(async () => {
    await page.clock.runFor(second / 2)
    expect(await subjectsOnServer(page)).toEqual(titles)
  }).toPass()

/** Starts, lets so many minutes pass, and saves. */
async function focusFor(page: Page, minutes: number) {
  await button(page, 'Start').click()
  await expect(button(page, 'Pause')).toBeVisible()
  await pass(page, minutes * minute)
  await button(page, 'Save session').click()
  await expect(button(page, 'Start')).toBeVisible()
}

test.describe('what the focus is about', () => {
  test('is one of the tasks of today or the habits that are due, found by typing, or nothing in particular', async ({
    page,
  }) => {
    await openWithTasks(page)
    await empty(page).click()
    await expect(page.getByRole('group', { name: 'Tasks of today' }).getByRole('option')).toHaveText([
      /Water the plants/,
      /Weekly report/,
    ])
    await expect(page.getByRole('group', { name: 'Habits' }).getByRole('option')).toHaveText([
      /Spanish.*Daily/,
    ])
    await field(page).fill('hall')
    await expect(option(page, /Paint the hall/)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(chosen(page, 'Paint the hall')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await expect(option(page, 'Nothing in particular')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(empty(page)).toBeFocused()
  })

  test('a new name adds a task, due today', async ({ page }) => {
    await openWithTasks(page)
    await empty(page).click()
    await field(page).fill('Call the mill')
    await option(page, /Add the task/).click()
    await expect(chosen(page, 'Call the mill')).toBeVisible()
    await focusFor(page, 3)
    await expectSubjects(page, ['Call the mill'])
    const { todos } = await (await page.request.get('/api/todos')).json()
    expect(todos).toContainEqual(expect.objectContaining({ title: 'Call the mill', due_day: today }))
  })

  test('is chosen before, while it runs, or after, and counts for the whole session', async ({ page }) => {
    await openWithTasks(page)
    await empty(page).click()
    await option(page, /Weekly report/).click()
    await focusFor(page, 5)
    await expectSubjects(page, ['Weekly report'])

    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 5 * minute)
    await chosen(page, 'Weekly report').click()
    await option(page, /Spanish/).click()
    await expect(countdown(page)).toHaveText(/^(20:00|19:5\d)$/)
    await pass(page, 21 * minute)
    await expectSubjects(page, ['Spanish', 'Weekly report'])

    await chosen(page, 'Spanish').click()
    await option(page, /Water the plants/).click()
    await expectSubjects(page, ['Water the plants', 'Weekly report'])
  })

  test('is the same after a reload, and what comes next stands above a break', async ({ page }) => {
    await openWithTasks(page)
    await empty(page).click()
    await option(page, /Weekly report/).click()
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await button(page, 'Start break').click()
    await expect(page.getByRole('button', { name: 'Next: Weekly report' })).toBeVisible()
    await page.clock.resume()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Next: Weekly report' })).toBeVisible()
  })
})

test.describe('started from where the task is', () => {
  for (const [where, start] of [
    [
      "from a row's menu",
      async (page: Page) => {
        // A row has a menu once there is somewhere to move its task to.
        await call(page, 'post', '/api/lists', { name: 'Home' })
        await page.goto('/todos')
        await row(page, 'Paint the hall').hover()
        await more(row(page, 'Paint the hall')).click()
        await page.getByRole('menuitem', { name: 'Start the timer' }).click()
      },
    ],
    [
      'from its details',
      async (page: Page) => {
        await page.goto('/todos')
        await row(page, 'Paint the hall').getByRole('button', { name: 'Paint the hall', exact: true }).click()
        const details = page.getByRole('dialog', { name: 'Details of Paint the hall' })
        await details.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Start the timer' }).click()
      },
    ],
    [
      'from the palette',
      async (page: Page) => {
        await page.goto('/habits')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
        await searchField(page).fill('hall')
        await page.getByRole('option', { name: 'Start the timer for “Paint the hall”' }).click()
      },
    ],
  ] as const) {
    test(where, async ({ page }) => {
      await openWithTasks(page)
      await page.clock.resume()
      await start(page)
      await expect(toasts(page)).toContainText('Timer started')
      await page.goto('/focus')
      await expect(chosen(page, 'Paint the hall')).toBeVisible()
      await expect(button(page, 'Pause')).toBeVisible()
    })
  }

  test('before the timer has come, it counts from when it was pressed', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await call(page, 'post', '/api/todos', { title: 'Paint the hall', completed: 0 })
    const come = await holdRequest(page, '**/shell-parts-*')
    const asked = page.waitForRequest('**/shell-parts-*')
    await page.clock.install({ time: morning })
    await page.goto('/todos')
    await tick(row(page, 'Paint the hall')).focus()
    await asked
    // The keys of a row come with its buttons.
    await edit(row(page, 'Paint the hall')).waitFor({ state: 'attached' })
    await page.keyboard.press('f')
    await page.clock.fastForward(10 * minute)
    come()
    await expect(toasts(page)).toContainText('Timer started')
    await expect(sidebarTime(page)).toContainText(/1[45]:\d\d/)
  })

  test('a habit from Today; the strip of a phone says what it is about', async ({ page }) => {
    await openWithTasks(page)
    await page.clock.resume()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/today')
    await row(page, 'Spanish').hover()
    await row(page, 'Spanish').getByRole('button', { name: 'Start the timer: Spanish' }).click()
    const strip = page.getByRole('region', { name: 'Focus timer' })
    await expect(strip).toContainText('Spanish')
    await strip.getByRole('button', { name: 'Pause' }).click()
    await expect(strip).toContainText('Paused, Spanish')
  })
})

test.describe("the day's sessions", () => {
  test('are shown by what they were about, with their times and totals', async ({ page }) => {
    await openWithTasks(page)
    await empty(page).click()
    await option(page, /Weekly report/).click()
    await focusFor(page, 5)
    await focusFor(page, 10)
    await chosen(page, 'Weekly report').click()
    await option(page, /Spanish/).click()
    await focusFor(page, 2)
    await expect(totalToday(page)).toContainText('Today3 sessions17 min')
    await expect(sessions(page)).toHaveText([/^Spanish.*2 min/, /^Weekly report.*15 min/])
    await page.getByRole('button', { name: /^Weekly report/ }).click()
    await expect(sessionButtons(page)).toHaveCount(2)
  })

  test('one can be corrected and given another subject, and that be undone', async ({ page }) => {
    await openWithTasks(page)
    await focusFor(page, 10)
    await expectRecorded(page, [600])
    await sessionButtons(page).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Edit session' })
    await expect(dialog.getByRole('spinbutton', { name: 'Start' })).toHaveValue('09:01')
    await dialog.getByRole('spinbutton', { name: 'End' }).fill('9:05')
    await expect(dialog.getByRole('textbox', { name: 'Focused' })).toHaveValue('4 min')
    await dialog.getByRole('textbox', { name: 'Focused' }).fill('7')
    await expect(dialog.getByRole('alert')).toHaveText('That is longer than from start to end')
    await dialog.getByRole('textbox', { name: 'Focused' }).fill('3')
    await dialog.getByRole('button', { name: 'What are you working on?' }).click()
    await option(page, /Water the plants/).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectRecorded(page, [180])
    await expectSubjects(page, ['Water the plants'])
    await expect(sessions(page)).toHaveText([/^Water the plants.*3 min/])
    await page.clock.resume()
    await toasts(page).filter({ hasText: 'Session changed' }).getByRole('button', { name: 'Undo' }).click()
    await expect(sessions(page)).toHaveText([/9:01 AM – 9:11 AM10 min/])
    await expect.poll(() => subjectsOnServer(page)).toEqual(['nothing'])
  })

  test('one can be added by hand, but not in the future', async ({ page }) => {
    await openWithTasks(page)
    await button(page, 'Add a session').click()
    const dialog = page.getByRole('dialog', { name: 'Add a session' })
    await dialog.getByRole('spinbutton', { name: 'Start' }).fill('8:00')
    await dialog.getByRole('spinbutton', { name: 'End' }).fill('10:00')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByRole('alert')).toHaveText('It ends in the future')
    await dialog.getByRole('spinbutton', { name: 'End' }).fill('8:45')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(sessions(page)).toHaveText([/8:00 AM – 8:45 AM45 min/])
    await expectRecorded(page, [2_700])
    const { sessions: stored } = await (await page.request.get('/api/focus')).json()
    expect(stored).toMatchObject([{ kind: 'hand', days: [{ day: today, seconds: 2_700 }] }])
    await page.clock.resume()
    await toasts(page).filter({ hasText: 'Session added' }).getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(/^No sessions yet today\./)).toBeVisible()
  })
})
