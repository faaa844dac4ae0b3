import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { rowsOnDevice } from './testing/connection/on-device.ts'
import { readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { newPerson, signInBehindTheScreens, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { countdown } from './testing/screens/focus-timer.ts'
import { habits, keepHabits } from './testing/screens/habit-list.ts'
import {
  activeResult,
  openPalette,
  palette,
  paletteIsThere,
  result,
  results,
  searchField,
  searchFor,
} from './testing/screens/search-results.ts'
import { details, kept, make, titleOf } from './testing/screens/task-details.ts'
import { completedTasks, field, openList, openTasks, row, toasts } from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function giveSome(page: Page) {
  await signUpBehindTheScreens(page)
  const { list } = await call(page, 'post', '/api/lists', { name: 'Work' })
  await make(page, { title: 'Water the plants', tags: ['balcony'] })
  await make(page, { title: 'Watch the talk', list_id: list.id, due_day: '2099-05-05' })
  await make(page, { title: 'Call the dentist', note: 'About the water bill' })
  await keepHabits(page, [{ name: 'Drink water' }])
}

async function openSome(page: Page) {
  await giveSome(page)
  await page.goto('/todos')
  await row(page, 'Water the plants').waitFor()
  await paletteIsThere(page)
}

async function closePalette(page: Page) {
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
}

async function goToTodos(page: Page) {
  await page.getByRole('link', { name: 'Todos', exact: true }).click()
  await expect(heading(page)).toHaveText('Todo List')
}

test('tasks, habits, lists and tags in the palette', async ({ page }) => {
  await test.step('Enter waits for what may be found first', async () => {
    await giveSome(page)
    const letGo = await holdRequest(page, readsOf('habits'))
    await page.goto('/todos')
    await row(page, 'Water the plants').waitFor()
    await paletteIsThere(page)
    await searchFor(page, 'drink')
    await expect(palette(page).getByRole('option')).toHaveText([/^Add the task/])
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeVisible()
    letGo()
    await expect(habits(page).getByRole('button', { name: 'Drink water', exact: true })).toBeFocused()
    await goToTodos(page)
    await row(page, 'Water the plants').waitFor()
    await expect(row(page, 'drink')).toHaveCount(0)
  })

  await test.step('tasks, habits, lists, tags and actions are found, and say where they stand', async () => {
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
    await closePalette(page)
  })

  await test.step('arrows go through the results, and the field says which is active', async () => {
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
    await closePalette(page)
  })

  await test.step('Enter opens a task in its list, a habit, a list and a tag', async () => {
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
    await titleOf(page).press('Escape')
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('Ctrl+Enter completes a task or a habit, and Undo takes that back', async () => {
    await closeToasts(page)
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
    await closePalette(page)
  })

  await test.step('a habit of an amount says how much of it is done today, and one that rests that it is paused', async () => {
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
    await closePalette(page)
  })

  await test.step('on a phone it is the whole screen', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect.poll(() => palette(page).boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 800 })
    await palette(page).getByRole('button', { name: 'Close' }).click()
    await expect(palette(page)).toHaveCount(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('what is typed is read as the field for new tasks reads it, and that is shown', async () => {
    await closeToasts(page)
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
})

test('what is typed and what is looked for in the palette', async ({ page }) => {
  await openList(page)
  await test.step('what is typed becomes a task, which Undo takes back', async () => {
    await searchFor(page, 'Buy stamps')
    await page.keyboard.press('Enter')
    await expect(openTasks(page).getByText('Buy stamps')).toBeVisible()
    await expect(toasts(page)).toContainText('Task added')
    await page.keyboard.press('Control+z')
    await expect(openTasks(page)).toHaveCount(0)
  })

  await test.step('a list that is named and not there is made with the task', async () => {
    await searchFor(page, 'Buy stamps tomorrow @errands')
    await expect(result(page, /^Add the task “Buy stamps”/)).toContainText('New list “errands”')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^errands/ }).click()
    await expect(row(page, 'Buy stamps')).toContainText('Tomorrow')
  })

  await test.step('words that only look like a date stay in the title', async () => {
    await searchFor(page, 'Buy milk tomorrow for the may party')
    const add = result(page, /^Add the task “Buy milk tomorrow for the may party”/)
    await expect(add).toBeVisible()
    await expect(add).not.toContainText('Due:')
    await closePalette(page)
  })

  await test.step('in the empty field ? shows all keys, and later it is a sign like any other', async () => {
    await openPalette(page)
    await page.keyboard.press('a')
    await page.keyboard.press('?')
    await expect(searchField(page)).toHaveValue('a?')
    await searchField(page).fill('')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(palette(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await goToTodos(page)
  })

  await test.step('it opens from a text field, and Escape gives that the focus back', async () => {
    await paletteIsThere(page)
    await field(page).fill('half a thought')
    await openPalette(page)
    await page.keyboard.press('Escape')
    await expect(palette(page)).toHaveCount(0)
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue('half a thought')
  })

  await test.step('the timer that runs can be paused, resumed and reset', async () => {
    await page.getByRole('link', { name: 'Focus Timer' }).click()
    await countdown(page).waitFor()
    await closeToasts(page)
    for (const label of ['Start the timer', 'Pause the timer', 'Resume the timer', 'Reset the timer']) {
      await searchFor(page, label)
      // Not what adds a task of this name, which stands there until the timer is as the last press left it.
      await results(page, 'Actions')
        .filter({ hasText: new RegExp(`^${label}`) })
        .first()
        .click()
      await expect(palette(page)).toHaveCount(0)
    }
    await expect(toasts(page)).toContainText('Timer reset')
  })
})

test('what the palette remembers, and of whom', async ({ page }) => {
  await openSome(page)
  await test.step('the empty field shows what was opened last, and the actions used last first', async () => {
    await searchFor(page, 'talk')
    await page.keyboard.press('Enter')
    await expect(titleOf(page)).toBeFocused()
    await searchFor(page, 'go to habits')
    await results(page, 'Actions').filter({ hasText: 'Go to Habits' }).first().click()
    await expect(heading(page)).toHaveText('Habits')
    await settled(page)
    await page.reload()
    await habits(page).waitFor()
    await paletteIsThere(page)
    await openPalette(page)
    await expect(results(page, 'Recent')).toHaveText([/Watch the talk/])
    await expect(results(page, 'Actions').first()).toContainText('Go to Habits')
    await closePalette(page)
  })

  await test.step('nothing of another account is found, nor left on the device after sign-out', async () => {
    const other = newPerson('Another')
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
})

/** In an order in which none is where another has led already. */
const actions: Record<string, (page: Page) => Promise<void>> = {
  Undo: (page) => expect(toasts(page)).toContainText('Nothing to undo'),
  Redo: (page) => expect(toasts(page)).toContainText('Nothing to redo'),
  'New task': (page) => expect(field(page)).toBeFocused(),
  'New habit': (page) => opensDialog(page, 'New Habit'),
  'New list': (page) => expect(page.getByRole('textbox', { name: /list/i })).toBeFocused(),
  'Go to Today': (page) => expect(heading(page)).toHaveText('Today'),
  'Go to Upcoming': (page) => expect(heading(page)).toHaveText('Upcoming'),
  'Go to Todos': (page) => expect(heading(page)).toHaveText('Todo List'),
  'Go to Focus Timer': (page) => expect(heading(page)).toHaveText('Focus Timer'),
  'Go to Habits': (page) => expect(heading(page)).toHaveText('Habits'),
  'Go to Analytics': (page) => expect(heading(page)).toHaveText('Analytics Dashboard'),
  'Go to Completed': (page) => expect(heading(page)).toHaveText('Completed'),
  'Start the timer': (page) => expect(page).toHaveTitle(/^2[45]:/),
  'Switch to dark theme': (page) =>
    expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible(),
  'Show or hide the sidebar': (page) => expect(page.locator('aside')).toBeHidden(),
  'Keyboard shortcuts': (page) => opensDialog(page, 'Keyboard shortcuts'),
  Settings: (page) => expect(heading(page)).toHaveText('Settings'),
  'Export your data': (page) => expect(toasts(page)).toContainText('Your data is exported'),
  'Sign out': (page) => expect(page).toHaveURL(/\/(sign-in)?$/),
}

async function opensDialog(page: Page, name: string) {
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('the actions of the palette', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/settings')
  await heading(page).waitFor()
  await test.step('every action is tried by these tests', async () => {
    await openPalette(page)
    const labels = await results(page, 'Actions').locator('[dir=auto]').allTextContents()
    expect(labels.toSorted()).toEqual(Object.keys(actions).toSorted())
    await closePalette(page)
  })

  await page.getByRole('button', { name: /account menu$/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('daymark-single-keys'))).toBe('off')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)

  for (const [label, shows] of Object.entries(actions)) {
    await test.step(`the action '${label}' does it, also with single keys off`, async () => {
      await closeToasts(page)
      await searchFor(page, label)
      await results(page, 'Actions').filter({ hasText: label }).first().click()
      await shows(page)
    })
  }
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
