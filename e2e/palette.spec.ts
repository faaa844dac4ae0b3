import { expect, type Page } from '@playwright/test'
import { countdown } from './focus-timer.ts'
import { habits, keepHabits } from './habit-list.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './looks.ts'
import { rowsOnDevice } from './on-device.ts'
import { newPerson, signInBehindTheScreens, signUpBehindTheScreens, test } from './person.ts'
import {
  activeResult,
  openPalette,
  palette,
  paletteIsThere,
  result,
  results,
  searchField,
  searchFor,
} from './search-results.ts'
import { details, kept, make, titleOf } from './task-details.ts'
import { completedTasks, field, openList, openTasks, row, toasts } from './todo-list.ts'

test.use({ timezoneId: 'UTC' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function openSome(page: Page) {
  await signUpBehindTheScreens(page)
  const { id: work } = await makeList(page, 'Work')
  await make(page, { title: 'Water the plants', tags: ['balcony'] })
  await make(page, { title: 'Watch the talk', list_id: work, due_day: '2099-05-05' })
  await make(page, { title: 'Call the dentist', note: 'About the water bill' })
  await keepHabits(page, [{ name: 'Drink water' }])
  await page.goto('/todos')
  await row(page, 'Water the plants').waitFor()
  await paletteIsThere(page)
}

async function makeList(page: Page, name: string): Promise<{ id: string }> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const answer = await page.request.post('/api/lists', { data: { name }, headers: { origin } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).list
}

test('tasks, habits, lists, tags and actions are found, and say where they stand', async ({ page }) => {
  await openSome(page)
  await searchFor(page, 'wat')
  await expect(results(page, 'Tasks')).toHaveText([
    /Watch the talk.*5 May 2099.*Work/,
    /Water the plants/,
    /Call the dentist.*In the note/,
  ])
  await expect(results(page, 'Habits')).toHaveText([/Drink water.*Habit/])
  await expect(results(page, 'Habits').locator('b')).toHaveText('wat')
  await expect(palette(page).getByRole('status')).toHaveText('4 results')
  await searchField(page).fill('work')
  await expect(results(page, 'Lists')).toHaveText([/Work.*List/])
  await searchField(page).fill('#balc')
  await expect(results(page, 'Tags')).toHaveText([/balcony.*Tag/])
  await expect(results(page, 'Tasks')).toHaveText([/Water the plants.*#balcony/])
  await searchField(page).fill('go to hab')
  await expect(results(page, 'Actions').first()).toContainText('Go to Habits')
})

test('a habit of an amount says how much of it is done today, and one that rests that it is paused', async ({
  page,
}) => {
  await openSome(page)
  const headers = { origin: new URL((await page.request.get('/api/health')).url()).origin }
  const start_date = new Date().toISOString().slice(0, 10)
  const target = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
  const data = { name: 'Tap water', description: '', target, start_date }
  const made = await page.request.post('/api/habits', { data, headers })
  expect(made.ok(), await made.text()).toBe(true)
  await searchFor(page, 'tap')
  await expect(results(page, 'Habits')).toHaveText([/^Tap water0 of 8 glasses today/])
  const pause = { habit_id: (await made.json()).habit.id, from_day: start_date, to_day: null }
  const paused = await page.request.post('/api/pauses', { data: pause, headers })
  expect(paused.ok(), await paused.text()).toBe(true)
  await expect(results(page, 'Habits')).toHaveText([/^Tap waterHabit, paused/])
})

test('arrows go through the results, and the field says which is active', async ({ page }) => {
  await openSome(page)
  await searchFor(page, 'wat')
  await expect(activeResult(page)).toContainText('Watch the talk')
  await page.keyboard.press('ArrowDown')
  await expect(activeResult(page)).toContainText('Water the plants')
  await expect(searchField(page)).toHaveAttribute(
    'aria-activedescendant',
    (await activeResult(page).getAttribute('id')) ?? '',
  )
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(activeResult(page)).toContainText('Add the task')
})

test('Enter opens a task in its list, a habit, a list and a tag', async ({ page }) => {
  await openSome(page)
  await searchFor(page, 'talk')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Work')
  await expect(titleOf(page)).toBeFocused()
  await expect(titleOf(page)).toHaveValue('Watch the talk')
  await searchFor(page, 'drink')
  await page.keyboard.press('Enter')
  await expect(habits(page).getByRole('button', { name: 'Drink water', exact: true })).toBeFocused()
  await expect(habits(page).getByRole('button', { name: 'Drink water', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await searchFor(page, 'balcony')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('#balcony')
  await searchFor(page, 'plants')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Todo List')
  await expect(titleOf(page)).toBeFocused()
})

test('Ctrl+Enter completes a task or a habit, and Undo takes that back', async ({ page }) => {
  await openSome(page)
  await searchFor(page, 'plants')
  await page.keyboard.press('Control+Enter')
  await expect(result(page, /^Water the plants/)).toContainText(/done/i)
  await page.keyboard.press('Escape')
  await expect(completedTasks(page).getByText('Water the plants')).toBeVisible()
  await searchFor(page, 'plants')
  await toasts(page).getByRole('button', { name: 'Undo', includeHidden: true }).click()
  await expect(result(page, /^Water the plants/)).not.toContainText(/done/i)
  await searchField(page).fill('drink')
  await page.keyboard.press('Control+Enter')
  await expect(result(page, /^Drink water/)).toContainText(/done/i)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await searchFor(page, 'drink')
  await expect(result(page, /^Drink water/)).not.toContainText(/done/i)
})

test('what is typed becomes a task, which Undo takes back', async ({ page }) => {
  await openList(page)
  await searchFor(page, 'Buy stamps')
  await page.keyboard.press('Enter')
  await expect(openTasks(page).getByText('Buy stamps')).toBeVisible()
  await expect(toasts(page)).toContainText('Task added')
  await page.keyboard.press('Control+z')
  await expect(openTasks(page)).toHaveCount(0)
})

test('what is typed is read as the field for new tasks reads it, and that is shown', async ({ page }) => {
  await openSome(page)
  await searchFor(page, 'Rent every month on the 1st @work #flat !high at 9:30')
  const add = result(page, /^Add the task “Rent”/)
  await expect(add).toContainText('Repeats: Every month on the 1st')
  await expect(add).toContainText('Reminder: 09:30')
  await expect(add).toContainText('List: Work')
  await expect(add).toContainText('Tag: flat')
  await expect(add).toContainText('Priority: High')
  await page.keyboard.press('Enter')
  await expect(toasts(page)).toContainText('Rent')
  await expect
    .poll(() => kept(page, 'Rent'))
    .toMatchObject({
      priority: 3,
      tags: ['flat'],
      repeat: { freq: 'month' },
      reminder: { days_before: 0, time: 570 },
    })
})

test('a list that is named and not there is made with the task', async ({ page }) => {
  await openList(page)
  await searchFor(page, 'Buy stamps tomorrow @errands')
  await expect(result(page, /^Add the task “Buy stamps”/)).toContainText('New list “errands”')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^errands/ }).click()
  await expect(row(page, 'Buy stamps')).toContainText('Tomorrow')
})

test('words that only look like a date stay in the title', async ({ page }) => {
  await openList(page)
  await searchFor(page, 'Buy milk tomorrow for the may party')
  const add = result(page, /^Add the task “Buy milk tomorrow for the may party”/)
  await expect(add).toBeVisible()
  await expect(add).not.toContainText('Due:')
})

test('Enter waits for what may be found first', async ({ page }) => {
  await openSome(page)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/habits', async (route) => {
    await promise
    await route.fallback()
  })
  await searchFor(page, 'drink')
  await expect(palette(page).getByRole('option')).toHaveText([/^Add the task/])
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeVisible()
  resolve()
  await expect(habits(page).getByRole('button', { name: 'Drink water', exact: true })).toBeFocused()
  await page.goto('/todos')
  await row(page, 'Water the plants').waitFor()
  await expect(row(page, 'drink')).toHaveCount(0)
})

test('in the empty field ? shows all keys, and later it is a sign like any other', async ({ page }) => {
  await openList(page)
  await openPalette(page)
  await page.keyboard.press('a')
  await page.keyboard.press('?')
  await expect(searchField(page)).toHaveValue('a?')
  await searchField(page).fill('')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(palette(page)).toHaveCount(0)
})

test('it opens from a text field, and Escape gives that the focus back', async ({ page }) => {
  await openList(page)
  await paletteIsThere(page)
  await field(page).fill('half a thought')
  await openPalette(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('half a thought')
})

test('the empty field shows what was opened last, and the actions used last first', async ({ page }) => {
  await openSome(page)
  await searchFor(page, 'talk')
  await page.keyboard.press('Enter')
  await expect(titleOf(page)).toBeFocused()
  await searchFor(page, 'go to habits')
  await results(page, 'Actions').filter({ hasText: 'Go to Habits' }).first().click()
  await expect(heading(page)).toHaveText('Habits')
  await page.reload()
  await habits(page).waitFor()
  await paletteIsThere(page)
  await openPalette(page)
  await expect(results(page, 'Recent')).toHaveText([/Watch the talk/])
  await expect(results(page, 'Actions').first()).toContainText('Go to Habits')
})

const actions: Record<string, (page: Page) => Promise<void>> = {
  'New task': (page) => expect(field(page)).toBeFocused(),
  'New habit': (page) => expect(page.getByRole('dialog', { name: 'New Habit' })).toBeVisible(),
  'New list': (page) => expect(page.getByRole('textbox', { name: /list/i })).toBeFocused(),
  'Go to Today': (page) => expect(heading(page)).toHaveText('Today'),
  'Go to Upcoming': (page) => expect(heading(page)).toHaveText('Upcoming'),
  'Go to Todos': (page) => expect(heading(page)).toHaveText('Todo List'),
  'Go to Focus Timer': (page) => expect(heading(page)).toHaveText('Focus Timer'),
  'Go to Habits': (page) => expect(heading(page)).toHaveText('Habits'),
  'Go to Analytics': (page) => expect(heading(page)).toHaveText('Analytics Dashboard'),
  'Go to Completed': (page) => expect(heading(page)).toHaveText('Completed'),
  'Start the timer': (page) => expect(page).toHaveTitle(/^2[45]:/),
  Undo: (page) => expect(toasts(page)).toContainText('Nothing to undo'),
  Redo: (page) => expect(toasts(page)).toContainText('Nothing to redo'),
  'Switch to dark theme': (page) =>
    expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible(),
  'Show or hide the sidebar': (page) => expect(page.locator('aside')).toBeHidden(),
  'Keyboard shortcuts': (page) =>
    expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible(),
  Settings: (page) => expect(heading(page)).toHaveText('Settings'),
  'Export your data': (page) => expect(toasts(page)).toContainText('Your data is exported'),
  'Sign out': (page) => expect(page).toHaveURL(/\/(sign-in)?$/),
}

test('every action is tried by these tests', async ({ page }) => {
  await openList(page)
  await paletteIsThere(page)
  await openPalette(page)
  const labels = await results(page, 'Actions').locator('[dir=auto]').allTextContents()
  expect(labels.toSorted()).toEqual(Object.keys(actions).toSorted())
})

for (const [label, shows] of Object.entries(actions)) {
  test(`the action '${label}' does it, also with single keys off`, async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/settings')
    await page.evaluate(() => localStorage.setItem('daymark-single-keys', 'off'))
    await page.goto(label === 'Settings' ? '/todos' : '/settings')
    await heading(page).waitFor()
    await paletteIsThere(page)
    await searchFor(page, label)
    await results(page, 'Actions').filter({ hasText: label }).first().click()
    await shows(page)
  })
}

test('the timer that runs can be paused, resumed and reset', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/focus')
  await countdown(page).waitFor()
  await paletteIsThere(page)
  for (const label of ['Start the timer', 'Pause the timer', 'Resume the timer', 'Reset the timer']) {
    await searchFor(page, label)
    await results(page, 'Actions').filter({ hasText: label }).first().click()
    await expect(palette(page)).toHaveCount(0)
  }
  await expect(toasts(page)).toContainText('Timer reset')
})

test('nothing of another account is found, nor left on the device after sign-out', async ({ page }) => {
  const other = newPerson('Another')
  await openSome(page)
  await searchFor(page, 'plants')
  await page.keyboard.press('Enter')
  await expect(details(page)).toBeVisible()
  await searchFor(page, 'sign out')
  await results(page, 'Actions').first().click()
  await expect(page).toHaveURL(/\/(sign-in)?$/)
  await expect.poll(() => rowsOnDevice(page)).toEqual([])
  await signUpBehindTheScreens(page, other)
  await signInBehindTheScreens(page, other)
  await page.goto('/todos')
  await heading(page).waitFor()
  await paletteIsThere(page)
  await openPalette(page)
  await expect(palette(page).getByRole('group', { name: 'Recent' })).toHaveCount(0)
  await expect(results(page, 'Actions').first()).toContainText('New task')
  await searchField(page).fill('wat')
  await expect(palette(page).getByRole('option')).toHaveText([/^Add the task/])
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)
    test('it is whole, clear and accessible in every look', async ({ page }) => {
      await openSome(page)
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await expect(searchField(page)).toBeFocused()
      await searchField(page).fill('wat')
      await expect(results(page, 'Habits')).toHaveCount(1)
      await inEveryLook(page, widths, async (look) => {
        await look.expectNoAxeViolations()
        await expectNothingSticksOut(page)
      })
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      await expectNothingSticksOut(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeFocused()
    })
  })
}

test('on a phone it is the whole screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await openSome(page)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect.poll(() => palette(page).boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 800 })
  await palette(page).getByRole('button', { name: 'Close' }).click()
  await expect(palette(page)).toHaveCount(0)
})
