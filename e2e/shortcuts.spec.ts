import { expect, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { card, chart, live } from './testing/person/analytics-account.ts'
import { call, give, inDays } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { button, countdown, openTimer } from './testing/screens/focus-timer.ts'
import {
  days,
  daysAgo,
  dialog as habitDialog,
  row as habitRow,
  keepHabits,
  name,
  year,
} from './testing/screens/habit-list.ts'
import { entries, link, nameField, newList } from './testing/screens/list-groups.ts'
import {
  activeResult,
  openPalette,
  palette,
  screenSearchIsThere,
  searchFor,
} from './testing/screens/search-results.ts'
import {
  details,
  make,
  newSubtask,
  openDetails,
  property,
  subtasks,
  titleOf,
} from './testing/screens/task-details.ts'
import {
  edit,
  field,
  keptTasks,
  openList,
  openTasks,
  remove,
  row,
  sortBy,
  tick,
  titleField,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const singleKeys = (page: Page) => shortcuts(page).getByRole('switch', { name: 'Single-key shortcuts' })
const accountMenu = (page: Page) => page.getByRole('button', { name: /account menu$/ })
const pressed = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** What handles the keys of several tasks comes after the screen. */
async function keysAreThere(page: Page): Promise<void> {
  if (/\/(todos|lists|tags)/.test(page.url())) await fetchedLater(page, 'several-tasks-')
  await settled(page)
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const selection = (page: Page) => page.getByRole('region', { name: 'Selected tasks' })

async function goTo(page: Page, screen: string, title = screen) {
  await page
    .getByRole('complementary')
    .getByRole('link', { name: new RegExp(`^${screen}`) })
    .click()
  await expect(heading(page)).toHaveText(title)
  await keysAreThere(page)
}

/** Several shortcuts that one opened page shows. */
interface Walk {
  title: string
  open(page: Page): Promise<unknown>
  /** Every shortcut as the dialog lists it, and what shows that it works. */
  works: Record<string, (page: Page) => Promise<void>>
}

/** In the order in which the dialog lists them. */
const walks: Walk[] = [
  {
    title: 'the keys that work everywhere',
    open: (page) => openList(page, { open: ['Buy milk', 'Undone', 'Redone', 'Noted'] }),
    works: {
      async 'Everywhere, Search, or do anything: Ctrl K'(page) {
        await openPalette(page)
        await pressed(page, 'Escape')
        await expect(palette(page)).toHaveCount(0)
      },
      async 'Everywhere, Search this screen: /'(page) {
        await screenSearchIsThere(page)
        await pressed(page, '/')
        await expect(page.getByRole('textbox', { name: 'Search these tasks' })).toBeFocused()
        await pressed(page, 'Escape')
      },
      async 'Everywhere, Undo: Ctrl Z'(page) {
        await remove(row(page, 'Undone')).click()
        await expect(row(page, 'Undone')).toHaveCount(0)
        await settled(page)
        await pressed(page, 'Control+z')
        await expect(row(page, 'Undone')).toBeVisible()
      },
      async 'Everywhere, Redo: Ctrl Shift Z'(page) {
        await remove(row(page, 'Redone')).click()
        await expect(row(page, 'Redone')).toHaveCount(0)
        await pressed(page, 'Control+z')
        await expect(row(page, 'Redone')).toBeVisible()
        await pressed(page, 'Control+Shift+z')
        await expect(row(page, 'Redone')).toHaveCount(0)
      },
      async 'Everywhere, Show or hide the sidebar: Ctrl B'(page) {
        await pressed(page, 'Control+b')
        await expect(page.locator('aside')).toBeHidden()
        await pressed(page, 'Control+b')
        await expect(page.locator('aside')).toBeVisible()
      },
      async 'Everywhere, Go to notifications: Alt T'(page) {
        await closeToasts(page)
        await remove(row(page, 'Noted')).click()
        await expect(toasts(page)).toContainText('Task deleted')
        await pressed(page, 'Alt+t')
        await expect(page.locator('[data-sonner-toaster]')).toBeFocused()
        await heading(page).focus()
      },
      async 'Everywhere, Show these shortcuts: ?'(page) {
        await pressed(page, '?')
        await expect(shortcuts(page)).toBeVisible()
        await pressed(page, 'Escape')
        await expect(shortcuts(page)).toHaveCount(0)
      },
      ...Object.fromEntries(
        [
          ['Today', 'T', 'Today'],
          ['Upcoming', 'U', 'Upcoming'],
          ['Todos', 'D', 'Todo List'],
          ['Habits', 'H', 'Habits'],
          ['the timer', 'F', 'Focus Timer'],
          ['Analytics', 'A', 'Analytics Dashboard'],
        ].map(([name = '', key = '', title = '']) => [
          `Screens, Go to ${name}: G ${key}`,
          async (page: Page) => {
            await expect(heading(page)).not.toHaveText(title)
            await pressed(page, 'g', key.toLowerCase())
            await expect(heading(page)).toHaveText(title)
          },
        ]),
      ),
    },
  },
  {
    title: 'the key that searches a long list',
    open: (page) => openList(page, { open: Array.from({ length: 201 }, (_, place) => `Task ${place}`) }),
    works: {
      async 'In a search, Search a long list, then with the browser: Ctrl F'(page) {
        await screenSearchIsThere(page)
        await pressed(page, 'Control+f')
        await expect(page.getByRole('textbox', { name: 'Search these tasks' })).toBeFocused()
      },
    },
  },
  {
    title: 'the keys of a search and of tasks',
    open: (page) => openList(page, { open: ['Buy milk', 'Bake bread', 'Plan the journey', 'Call Ada'] }),
    works: {
      async 'In a search, Result above or below: ↑ ↓'(page) {
        await openPalette(page)
        await pressed(page, 'ArrowDown')
        await expect(activeResult(page)).toContainText('New habit')
        await pressed(page, 'ArrowUp')
        await expect(activeResult(page)).toContainText('New task')
        await pressed(page, 'Escape')
      },
      async 'In a search, Open: Enter'(page) {
        await searchFor(page, 'milk')
        await pressed(page, 'Enter')
        await expect(titleOf(page)).toHaveValue('Buy milk')
        await closeDetails(page)
      },
      async 'In a search, Complete or reopen: Ctrl Enter'(page) {
        await searchFor(page, 'ada')
        await pressed(page, 'Control+Enter')
        await expect.poll(() => keptTasks(page)).toContainEqual({ title: 'Call Ada', completed: 1 })
        await pressed(page, 'Escape')
        await expect(palette(page)).toHaveCount(0)
      },
      async 'In a search, Clear the search: Esc'(page) {
        await screenSearchIsThere(page)
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, '/')
        await page.getByRole('textbox', { name: 'Search these tasks' }).fill('x')
        await pressed(page, 'Escape')
        await expect(tick(row(page, 'Buy milk'))).toBeFocused()
      },
      async 'Tasks, New task: N'(page) {
        await heading(page).focus()
        await pressed(page, 'n')
        await expect(field(page)).toBeFocused()
      },
      async 'Tasks, Save task: Enter'(page) {
        await field(page).fill('Post a letter')
        await pressed(page, 'Enter')
        await edit(row(page, 'Post a letter')).click()
        await titleField(page).fill('Post a parcel')
        await pressed(page, 'Enter')
        await expect.poll(() => keptTasks(page)).toContainEqual({ title: 'Post a parcel', completed: 0 })
      },
      async 'Tasks, Cancel editing: Esc'(page) {
        await edit(row(page, 'Buy milk')).click()
        await titleField(page).fill('Buy oat milk')
        await pressed(page, 'Escape')
        await expect(row(page, 'Buy milk')).toBeVisible()
      },
      async 'Tasks, Move task up or down: Alt ↑ ↓'(page) {
        await sortBy(page, 'Manual')
        await row(page, 'Bake bread').hover()
        await expect(page.locator('main [draggable=true]')).toBeAttached()
        expect(await titlesIn(openTasks(page))).toEqual([
          'Post a parcel',
          'Buy milk',
          'Bake bread',
          'Plan the journey',
        ])
        await tick(row(page, 'Bake bread')).focus()
        await pressed(page, 'Alt+ArrowUp')
        await expect
          .poll(() => titlesIn(openTasks(page)))
          .toEqual(['Post a parcel', 'Bake bread', 'Buy milk', 'Plan the journey'])
        await pressed(page, 'Alt+ArrowDown')
        await expect
          .poll(() => titlesIn(openTasks(page)))
          .toEqual(['Post a parcel', 'Buy milk', 'Bake bread', 'Plan the journey'])
      },
    },
  },
  {
    title: 'the keys of a task',
    async open(page) {
      await signUpBehindTheScreens(page)
      await call(page, 'post', '/api/lists', { name: 'Work', color: 1 })
      await give(page, [
        { title: 'Post a parcel', due: null },
        { title: 'Buy milk', due: null },
        { title: 'Bake bread', due: null },
        { title: 'Plan the journey', due: inDays(2) },
      ])
      await page.goto('/upcoming')
      await row(page, 'Plan the journey').waitFor()
      await settled(page)
    },
    works: {
      async 'In Upcoming, Move task to the day before or after: Alt ↑ ↓'(page) {
        await expect(page.locator('main [draggable=true]')).toBeAttached()
        const dayOf = (days: number) =>
          row(page, 'Plan the journey').and(page.locator(`section:has([data-day="${inDays(days)}"]) li`))
        await tick(row(page, 'Plan the journey')).focus()
        await pressed(page, 'Alt+ArrowDown')
        await expect(tick(dayOf(3))).toBeFocused()
        await pressed(page, 'Alt+ArrowUp')
        await expect(tick(dayOf(2))).toBeFocused()
        await goTo(page, 'Todos', 'Todo List')
      },
      async 'On the checkbox of a task, Open details: Enter'(page) {
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'Enter')
        await expect(titleOf(page)).toBeFocused()
        await closeDetails(page)
      },
      async 'On the checkbox of a task, Task above or below: ↑ ↓'(page) {
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'ArrowDown')
        await expect(tick(row(page, 'Bake bread'))).toBeFocused()
        await pressed(page, 'ArrowUp')
        await expect(tick(row(page, 'Buy milk'))).toBeFocused()
      },
      async 'On the checkbox of a task, Next or previous task: J K'(page) {
        await heading(page).focus()
        await pressed(page, 'j')
        await expect(tick(row(page, 'Post a parcel'))).toBeFocused()
        await pressed(page, 'j')
        await expect(tick(row(page, 'Buy milk'))).toBeFocused()
        await pressed(page, 'k')
        await expect(tick(row(page, 'Post a parcel'))).toBeFocused()
      },
      async 'On the checkbox of a task, Edit title: E'(page) {
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'e')
        await expect(titleField(page)).toBeFocused()
        await expect(titleField(page)).toHaveValue('Buy milk')
        await pressed(page, 'Escape')
      },
      async 'On the checkbox of a task, Due date: D'(page) {
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'd')
        const dates = page.getByRole('dialog', { name: /^Due date/ })
        await expect(dates).toBeVisible()
        await pressed(page, 'Escape')
        await expect(dates).toHaveCount(0)
      },
      async 'On the checkbox of a task, Move to a list: L'(page) {
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'l')
        await expect(page.getByRole('menuitemradio', { name: 'Work' })).toBeFocused()
        await pressed(page, 'Escape')
        await expect(page.getByRole('menu')).toHaveCount(0)
      },
      async 'On the checkbox of a task, Next priority: P'(page) {
        await tick(row(page, 'Buy milk')).focus()
        for (const priority of ['Low', 'Medium', 'High']) {
          await pressed(page, 'p')
          await expect(row(page, 'Buy milk')).toContainText(`Priority: ${priority}`)
        }
        await pressed(page, 'p')
        await expect(row(page, 'Buy milk')).not.toContainText('Priority')
        await expect(tick(row(page, 'Buy milk'))).toBeFocused()
      },
      async 'On the checkbox of a task, Add a subtask: S'(page) {
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 's')
        await expect(newSubtask(page)).toBeFocused()
        await closeDetails(page)
      },
      async 'On the checkbox of a task, Start the timer: F'(page) {
        await closeToasts(page)
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'f')
        await expect(toasts(page)).toContainText('Timer started')
        await goTo(page, 'Focus Timer')
        await expect(page.getByRole('button', { name: 'Working on: Buy milk' })).toBeVisible()
        await expect(button(page, 'Pause')).toBeVisible()
      },
      async 'On the checkbox of a task, More actions: Shift F10'(page) {
        await goTo(page, 'Todos', 'Todo List')
        await tick(row(page, 'Buy milk')).focus()
        await pressed(page, 'Shift+F10')
        await expect(page.getByRole('menuitem', { name: 'Edit task' })).toBeFocused()
        await pressed(page, 'Escape')
        await expect(page.getByRole('menu')).toHaveCount(0)
        await expect(tick(row(page, 'Buy milk'))).toBeFocused()
      },
      async 'On the checkbox of a task, Delete task: Delete Backspace'(page) {
        await tick(row(page, 'Post a parcel')).focus()
        await pressed(page, 'Delete')
        await expect(row(page, 'Post a parcel')).toHaveCount(0)
        await tick(row(page, 'Bake bread')).focus()
        await pressed(page, 'Backspace')
        await expect(row(page, 'Bake bread')).toHaveCount(0)
        await expect(row(page, 'Buy milk')).toBeVisible()
      },
    },
  },
  {
    title: 'the keys of several tasks',
    open: (page) => openList(page, { open: ['One', 'Two', 'Three'] }),
    works: {
      async 'Several tasks, Select the next or previous task, too: Shift ↑ ↓'(page) {
        await tick(row(page, 'One')).focus()
        await pressed(page, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp')
        await expect(selection(page)).toContainText('2 selected')
        await unselect(page)
      },
      async 'Several tasks, Select all tasks: Ctrl A'(page) {
        await tick(row(page, 'One')).focus()
        await pressed(page, 'Control+a')
        await expect(selection(page)).toContainText('3 selected')
        await unselect(page)
      },
      async 'Several tasks, Tag selected tasks: T'(page) {
        await tick(row(page, 'One')).focus()
        await pressed(page, 'Shift+ArrowDown', 't')
        await expect(page.getByRole('combobox', { name: 'Add a tag' })).toBeFocused()
        await pressed(page, 'Escape')
        await expect(page.getByRole('combobox', { name: 'Add a tag' })).toHaveCount(0)
        await tick(row(page, 'One')).focus()
        await unselect(page)
      },
      async 'Several tasks, Delete selected tasks: Delete Backspace'(page) {
        await tick(row(page, 'One')).focus()
        await pressed(page, 'Shift+ArrowDown', 'Delete')
        await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Three'])
        await pressed(page, 'Control+a', 'Backspace')
        await expect(openTasks(page)).toHaveCount(0)
        await pressed(page, 'Control+z')
        await expect(row(page, 'Three')).toBeVisible()
        await pressed(page, 'Control+z')
        await expect(row(page, 'One')).toBeVisible()
      },
      async 'Several tasks, Clear the selection: Esc'(page) {
        await tick(row(page, 'One')).focus()
        await pressed(page, 'Shift+ArrowDown')
        await expect(selection(page)).toContainText('2 selected')
        await pressed(page, 'Escape')
        await expect(selection(page)).toHaveCount(0)
      },
    },
  },
  {
    title: 'the keys of the details of a task, of calendars and times',
    async open(page) {
      await signUpBehindTheScreens(page)
      for (const title of ['Bake a cake', 'Build a shed', 'Clean the car']) {
        const { id } = await make(page, { title })
        for (const part of ['Two', 'One']) await make(page, { title: part, parent_id: id })
      }
      const repeat = { freq: 'day', every: 1, mode: 'due', from: daysAgo(3) }
      await make(page, { title: 'Water the plants', repeat })
      await make(page, { title: 'Buy milk' })
      await page.goto('/todos')
      await row(page, 'Buy milk').waitFor()
      await settled(page)
    },
    works: {
      async 'In the details of a task, Close: Esc'(page) {
        await openDetails(page, 'Buy milk')
        await titleOf(page).press('Escape')
        await expect(details(page)).toHaveCount(0)
      },
      async 'In the details of a task, Next subtask: Enter'(page) {
        await openWithSubtasks(page, 'Bake a cake')
        await subtasks(page).first().press('Enter')
        await expect(newSubtask(page)).toBeFocused()
        await page.keyboard.type('Between')
        await pressed(page, 'Enter')
        await expect(subtasks(page).nth(1)).toHaveValue('Between')
        await closeDetails(page)
      },
      async 'In the details of a task, Remove an empty subtask: Backspace'(page) {
        await openWithSubtasks(page, 'Build a shed')
        await subtasks(page).first().fill('')
        await pressed(page, 'Backspace')
        await expect(subtasks(page)).toHaveCount(1)
        await closeDetails(page)
      },
      async 'In the details of a task, Move subtask up or down: Alt ↑ ↓'(page) {
        await openWithSubtasks(page, 'Clean the car')
        await subtasks(page).first().focus()
        await pressed(page, 'Alt+ArrowDown')
        await expect(subtasks(page).nth(1)).toHaveValue('One')
        await pressed(page, 'Alt+ArrowUp')
        await expect(subtasks(page).first()).toHaveValue('One')
        await closeDetails(page)
      },
      async "In a task's history, Skip: S"(page) {
        await openDetails(page, 'Water the plants')
        await property(page, 'History').click()
        const day = details(page).locator(`[data-day="${daysAgo(2)}"]`)
        await day.focus()
        await pressed(page, 's')
        await expect(day).toHaveAccessibleName(/, skipped$/)
        await closeDetails(page)
      },
      async 'In a calendar, Previous or next day: ← →'(page) {
        const day = await openCalendar(page)
        await pressed(page, 'ArrowLeft')
        await expect(day(1)).toBeFocused()
        await pressed(page, 'ArrowRight')
        await expect(day(0)).toBeFocused()
        await closeCalendar(page)
      },
      async 'In a calendar, Previous or next week: ↑ ↓'(page) {
        const day = await openCalendar(page)
        await pressed(page, 'ArrowUp')
        await expect(day(7)).toBeFocused()
        await pressed(page, 'ArrowDown')
        await expect(day(0)).toBeFocused()
        await closeCalendar(page)
      },
      async 'In a calendar, Previous or next month: Page Up Page Down'(page) {
        await openCalendar(page)
        const days = page.getByRole('grid').getByRole('button')
        const focused = () =>
          days.evaluateAll((all) => all.findIndex((day) => day === document.activeElement))
        const name = page.getByRole('dialog').getByRole('heading')
        const month = (await name.textContent()) ?? ''
        await pressed(page, 'PageUp')
        await expect(name).not.toHaveText(month)
        await expect.poll(focused).toBeGreaterThanOrEqual(0)
        await pressed(page, 'PageDown')
        await expect(name).toHaveText(month)
        await closeCalendar(page)
      },
      async 'In a calendar, First or last day of the week: Home End'(page) {
        await openCalendar(page)
        const row = page
          .getByRole('grid')
          .getByRole('row')
          .filter({ has: page.locator(':focus') })
        await pressed(page, 'Home')
        await expect(row.getByRole('button').first()).toBeFocused()
        await pressed(page, 'End')
        await expect(row.getByRole('button').last()).toBeFocused()
        await closeCalendar(page)
      },
      async 'In a time, A quarter of an hour later or earlier: ↑ ↓'(page) {
        await openCalendar(page)
        const time = page.getByRole('spinbutton', { name: 'Time' })
        await time.fill('18:05')
        await pressed(page, 'ArrowUp')
        await expect(time).toHaveValue('18:15')
        await pressed(page, 'ArrowDown')
        await expect(time).toHaveValue('18:00')
      },
    },
  },
  {
    title: 'the keys of lists, habits and the timer',
    async open(page) {
      await signUpBehindTheScreens(page)
      for (const [place, name] of ['Home', 'Work'].entries())
        await call(page, 'post', '/api/lists', { name, color: place + 1 })
      await keepHabits(page, [{ name: 'Read' }, { name: 'Run' }])
      await page.goto('/habits')
      await habitRow(page, 'Run').waitFor()
      await settled(page)
    },
    works: {
      async 'Lists in the sidebar, Move a list up or down: Alt ↑ ↓'(page) {
        await expect.poll(() => entries(page)).toEqual(['Home', 'Work'])
        await link(page, 'Work').focus()
        await pressed(page, 'Alt+ArrowUp')
        await expect.poll(() => entries(page)).toEqual(['Work', 'Home'])
      },
      async 'Lists in the sidebar, Cancel editing a name: Esc'(page) {
        await newList(page).click()
        await nameField(page).fill('Home')
        await pressed(page, 'Escape')
        await expect(newList(page)).toBeFocused()
      },
      async 'Habits, New habit: N'(page) {
        await pressed(page, 'n')
        await expect(habitDialog(page)).toContainText('Add New Habit')
        await pressed(page, 'Escape')
        await expect(habitDialog(page)).toHaveCount(0)
      },
      async 'Habits, Habit above or below: ↑ ↓'(page) {
        await tickOf(page, 'Read').focus()
        await pressed(page, 'ArrowDown')
        await expect(tickOf(page, 'Run')).toBeFocused()
        await pressed(page, 'ArrowUp')
        await expect(tickOf(page, 'Read')).toBeFocused()
      },
      async 'Habits, Next or previous habit: J K'(page) {
        await heading(page).focus()
        await pressed(page, 'j', 'j')
        await expect(tickOf(page, 'Run')).toBeFocused()
        await pressed(page, 'k')
        await expect(tickOf(page, 'Read')).toBeFocused()
      },
      async 'Habits, Move habit up or down: Alt ↑ ↓'(page) {
        const boxes = page.getByRole('list', { name: 'Habits' }).getByRole('checkbox')
        await tickOf(page, 'Run').focus()
        await pressed(page, 'Alt+ArrowUp')
        await expect(boxes.first()).toHaveAccessibleName('Run')
        await pressed(page, 'Alt+ArrowDown')
        await expect(boxes.first()).toHaveAccessibleName('Read')
      },
      async 'Focus Timer, Start or pause: Space'(page) {
        await goTo(page, 'Focus Timer')
        await heading(page).focus()
        await expect(button(page, 'Start')).toBeEnabled()
        await pressed(page, 'Space')
        await expect(button(page, 'Pause')).toBeVisible()
        await pressed(page, 'Space')
        await expect(page.getByText('Paused', { exact: true })).toBeVisible()
        await button(page, 'Reset').click()
      },
      async 'In the plan of the focus timer, More or less: ↑ ↓'(page) {
        await button(page, 'Plan').click()
        const minutes = page.getByRole('spinbutton', { name: 'Focus' })
        await minutes.focus()
        await pressed(page, 'ArrowUp', 'ArrowUp', 'ArrowDown')
        await expect(minutes).toHaveValue('30')
      },
    },
  },
  {
    title: 'the keys of days and charts',
    async open(page) {
      await live(page, { focus: { 0: [1_500] } })
      await keepHabits(page, [{ name: 'Read' }])
      await page.goto('/habits')
      await habitRow(page, 'Read').waitFor()
      await settled(page)
    },
    works: {
      async "In a habit's last seven days, Previous or next day: ← →"(page) {
        const strip = days(habitRow(page, 'Read'))
        await strip.nth(6).focus()
        await pressed(page, 'ArrowLeft', 'ArrowLeft')
        await expect(strip.nth(4)).toBeFocused()
        await pressed(page, 'ArrowRight')
        await expect(strip.nth(5)).toBeFocused()
      },
      async "In a habit's last seven days, First or last day: Home End"(page) {
        const strip = days(habitRow(page, 'Read'))
        await strip.nth(6).focus()
        await pressed(page, 'Home')
        await expect(strip.nth(0)).toBeFocused()
        await pressed(page, 'End')
        await expect(strip.nth(6)).toBeFocused()
      },
      async "In a habit's last seven days, Skip the day, or take that back: S"(page) {
        const today = days(habitRow(page, 'Read')).nth(6)
        await today.focus()
        await pressed(page, 's')
        await expect(today).toHaveAccessibleName(/, skipped$/)
        await pressed(page, 's')
        await expect(today).toHaveAccessibleName(/, not done$/)
      },
      async "In a habit's last seven days, Amount and note of the day: E"(page) {
        await days(habitRow(page, 'Read')).nth(6).focus()
        await pressed(page, 'e')
        await expect(page.getByRole('dialog').getByLabel('Note')).toBeVisible()
        await pressed(page, 'Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      },
      async 'In a chart, Previous or next bar: ← →'(page) {
        await page.getByRole('link', { name: 'Analytics' }).click()
        await page.getByRole('heading', { name: 'Streak records' }).waitFor()
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
        const bars = barsOf(page)
        await bars.nth(29).focus()
        await pressed(page, 'ArrowLeft', 'ArrowLeft')
        await expect(bars.nth(27)).toBeFocused()
        await pressed(page, 'ArrowRight')
        await expect(bars.nth(28)).toBeFocused()
      },
      async 'In a chart, First or last bar: Home End'(page) {
        const bars = barsOf(page)
        await bars.nth(29).focus()
        await pressed(page, 'Home')
        await expect(bars.nth(0)).toBeFocused()
        await pressed(page, 'End')
        await expect(bars.nth(29)).toBeFocused()
      },
      async 'In a year view, Previous or next day: ↑ ↓'(page) {
        await goTo(page, 'Habits')
        await name(habitRow(page, 'Read')).click()
        await expect(year(habitRow(page, 'Read'))).toHaveAttribute('aria-busy', 'false')
        const day = await todayInYear(page)
        await pressed(page, 'ArrowUp', 'ArrowUp')
        await expect(day(2)).toBeFocused()
        await pressed(page, 'ArrowDown')
        await expect(day(1)).toBeFocused()
      },
      async 'In a year view, Previous or next week: ← →'(page) {
        const day = await todayInYear(page)
        await pressed(page, 'ArrowLeft', 'ArrowLeft')
        await expect(day(14)).toBeFocused()
        await pressed(page, 'ArrowRight')
        await expect(day(7)).toBeFocused()
      },
      async 'In a year view, Previous or next month: Page Up Page Down'(page) {
        const day = await todayInYear(page)
        await pressed(page, 'PageUp', 'PageUp', 'PageUp')
        await expect(day(0)).not.toBeFocused()
        await pressed(page, 'PageDown', 'PageDown', 'PageDown', 'PageDown')
        await expect(day(0)).toBeFocused()
      },
      async 'In a year view, First or last week: Home End'(page) {
        const day = await todayInYear(page)
        await pressed(page, 'ArrowLeft', 'Home')
        await expect(day(53 * 7)).toBeFocused()
        await pressed(page, 'End')
        await expect(day(0)).toBeFocused()
      },
      async 'In a year view, First or last day: Ctrl Home End'(page) {
        const day = await todayInYear(page)
        await pressed(page, 'Control+Home')
        await expect(year(habitRow(page, 'Read')).locator('[data-day]').first()).toBeFocused()
        await pressed(page, 'Control+End')
        await expect(day(0)).toBeFocused()
      },
    },
  },
]

async function closeDetails(page: Page) {
  await titleOf(page).press('Escape')
  await expect(details(page)).toHaveCount(0)
}

async function unselect(page: Page) {
  await pressed(page, 'Escape')
  await expect(selection(page)).toHaveCount(0)
}

async function openWithSubtasks(page: Page, title: string) {
  await openDetails(page, title)
  await expect(subtasks(page)).toHaveCount(2)
  await expect(subtasks(page).last()).toHaveValue('Two')
}

const tickOf = (page: Page, habit: string) => habitRow(page, habit).getByRole('checkbox').first()
const barsOf = (page: Page) => chart(card(page, 'Completed focus')).getByRole('rowheader').getByRole('link')

/** The calendar of a task's due date, with the focus on today. */
async function openCalendar(page: Page) {
  await row(page, 'Buy milk').getByRole('button', { name: 'Due date and reminder' }).click()
  const day = (ago: number) => page.getByRole('grid').locator(`[data-day="${daysAgo(ago)}"]`)
  await day(0).focus()
  return day
}

async function closeCalendar(page: Page) {
  await pressed(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** The days of a habit's opened year, with the focus on today. */
async function todayInYear(page: Page) {
  const day = (ago: number) => year(habitRow(page, 'Read')).locator(`[data-day="${daysAgo(ago)}"]`)
  await day(0).focus()
  return day
}

async function listed(page: Page): Promise<string[]> {
  return shortcuts(page)
    .locator('section')
    .evaluateAll((groups) =>
      groups.flatMap((group) =>
        [...group.querySelectorAll('dl > div')].map((row) => {
          const keys = [...row.querySelectorAll('kbd')].map(
            (key) => (key.firstElementChild ?? key).textContent,
          )
          return `${group.querySelector('h3')?.textContent}, ${row.querySelector('dt')?.textContent}: ${keys.join(' ')}`
        }),
      ),
    )
}

test.describe('each listed shortcut works', () => {
  for (const { title, open, works } of walks) {
    test(title, async ({ page }) => {
      await open(page)
      await keysAreThere(page)
      for (const [shortcut, work] of Object.entries(works)) await test.step(shortcut, () => work(page))
    })
  }
})

test('the shortcuts dialog', async ({ page }) => {
  await openList(page, { open: ['Buy milk'] })
  await test.step('each of them is tested here', async () => {
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
    expect(await listed(page)).toEqual(walks.flatMap(({ works }) => Object.keys(works)))
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)
  })

  await test.step('turns single-key shortcuts off and on, in step with the account menu', async () => {
    await pressed(page, '?')
    await expect(singleKeys(page)).toBeChecked()
    await singleKeys(page).click()
    await expect(singleKeys(page)).not.toBeChecked()
    // Exactly those that are off say so.
    await expect(shortcuts(page).getByText('Off', { exact: true })).toHaveCount(20)
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)

    await pressed(page, '?', 'n')
    await expect(shortcuts(page)).toHaveCount(0)
    await expect(field(page)).not.toBeFocused()
    await pressed(page, 'Control+b')
    await expect(page.locator('aside'), 'those with Ctrl stay').toBeHidden()
    await pressed(page, 'Control+b')

    await accountMenu(page).click()
    const item = page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' })
    await expect(item).not.toBeChecked()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await expect(shortcuts(page)).toBeFocused()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await shortcuts(page).getByText('Single-key shortcuts').click()
    await expect(singleKeys(page)).toBeChecked()
    await pressed(page, 'Escape')
    await expect(accountMenu(page)).toBeFocused()
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
    await pressed(page, 'Escape')
    await accountMenu(page).click()
    await expect(item).toBeChecked()
    await pressed(page, 'Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step('opens on any screen, and returns the focus to where it was', async () => {
    await edit(row(page, 'Buy milk')).focus()
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeFocused()
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)
    await expect(edit(row(page, 'Buy milk'))).toBeFocused()
    for (const screen of ['Habits', 'Analytics']) {
      await page.getByRole('link', { name: screen }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await pressed(page, '?')
      await expect(shortcuts(page)).toBeVisible()
      await shortcuts(page).getByRole('button', { name: 'Close' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    }
    await goTo(page, 'Todos', 'Todo List')
  })

  await test.step('does not open where a question mark is typed, nor over another dialog', async () => {
    await field(page).click()
    await page.keyboard.type('Where is the key?')
    await expect(field(page)).toHaveValue('Where is the key?')
    await goTo(page, 'Habits')
    await page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first().click()
    await page.keyboard.type('Stretch?')
    await expect(habitDialog(page).getByLabel('Habit Title')).toHaveValue('Stretch?')
    await habitDialog(page).getByRole('button', { name: 'Cancel' }).focus()
    await pressed(page, '?')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(page.getByRole('dialog', { name: 'Add New Habit' })).toBeVisible()
    await habitDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('opens from the account menu with the keyboard', async () => {
    await accountMenu(page).press('Enter')
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter')
    await expect(shortcuts(page)).toBeFocused()
    await pressed(page, 'Tab')
    await expect(singleKeys(page)).toBeFocused()
    await pressed(page, 'Space')
    await expect(singleKeys(page)).not.toBeChecked()
    await pressed(page, 'Escape')
    await expect(accountMenu(page)).toBeFocused()
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    test('the shortcuts dialog fits and passes the accessibility check, on and off', async ({ page }) => {
      await openList(page)
      await page.getByRole('heading', { level: 1 }).focus()
      await pressed(page, '?')
      await expect(shortcuts(page)).toBeVisible()
      for (const state of ['on', 'off']) {
        await inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
          await expectNothingSticksOut(page)
          await expectNoAxeViolations()
        })
        if (state === 'on') await singleKeys(page).click()
      }
    })
  })
}

test.describe('the shortcuts dialog', () => {
  test('keeps the keys from the screen behind it', async ({ page }) => {
    await openTimer(page)
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
    await pressed(page, 'Space')
    await page.clock.runFor(1_000)
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)
    await expect(button(page, 'Start')).toBeVisible()
    await expect(countdown(page)).toHaveText('25:00')
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

    test('can be opened from the account menu, and lists its keys for a connected keyboard', async ({
      page,
    }) => {
      await openList(page)
      await page.getByRole('button', { name: 'Toggle sidebar' }).tap()
      await accountMenu(page).tap()
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).tap()
      await expect(shortcuts(page)).toBeVisible()
      await expect(shortcuts(page).getByText('These work with a connected keyboard.')).toBeVisible()
      await expect(shortcuts(page).locator('kbd').first()).toBeVisible()
      await singleKeys(page).scrollIntoViewIfNeeded()
      await singleKeys(page).tap()
      await expect(singleKeys(page)).not.toBeChecked()
      await shortcuts(page).getByRole('button', { name: 'Close' }).tap()
      await expect(shortcuts(page)).toHaveCount(0)
      await expect(accountMenu(page)).toBeFocused()
    })
  })
})
