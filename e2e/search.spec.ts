import { expect, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { give, inDays } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { importCompleted } from './testing/screens/completed.ts'
import { row as habitRow, habits, keepHabits } from './testing/screens/habit-list.ts'
import {
  palette,
  results,
  screenSearchIsThere,
  searchField,
  searchFor,
} from './testing/screens/search-results.ts'
import { details, make, titleOf } from './testing/screens/task-details.ts'
import { openList, openTasks, row, tick, titlesIn } from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const screenField = (page: Page, name = 'Search these tasks') => page.getByRole('textbox', { name })
const shownCount = (page: Page) => page.getByRole('search').getByRole('status')

async function closeScreenSearch(page: Page, name?: string) {
  await screenField(page, name).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('search')).toHaveCount(0)
}

async function openScreenSearch(page: Page, name?: string) {
  await screenSearchIsThere(page, name === 'Search habits' ? 'habit' : 'todo')
  await page.keyboard.press('/')
  await expect(screenField(page, name)).toBeFocused()
}

const words = [
  ['OMER', 'Call Ömer'],
  ['strasse', 'Straße fegen'],
  ['חלב', 'לקנות חלב'],
  ['كتاب', 'قراءة كِتَاب'],
  ['電話', '家族に電話'],
] as const

test('what the palette finds', async ({ page }) => {
  await signUpBehindTheScreens(page)
  for (const [, title] of words) await make(page, { title })
  await importCompleted(page, [
    { title: 'Wäter the lemon tree', daysAgo: 3 },
    { title: 'Wäter the fig tree', daysAgo: 400 },
  ])
  await page.goto('/todos')
  await heading(page).waitFor()
  await settled(page)

  await test.step('a task is found whatever case and accents, and from right to left', async () => {
    for (const [typed, title] of words) {
      await searchFor(page, typed)
      await expect(results(page, 'Tasks')).toHaveText([new RegExp(title)])
      await page.keyboard.press('Escape')
      await expect(palette(page)).toHaveCount(0)
    }
  })

  await test.step('tasks completed long ago are found on the server, once each, and said to be older', async () => {
    await searchFor(page, 'water the')
    await expect(results(page, 'Older completed tasks')).toHaveText([/Wäter the fig tree.*Done/])
    await expect(results(page, 'Tasks')).toHaveText([/Wäter the lemon tree.*Done/])
    await results(page, 'Older completed tasks').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Completed')
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await expect(page.getByRole('checkbox', { name: 'Wäter the fig tree' })).toBeVisible()
  })

  await test.step('on /todos/completed, / goes to its field; elsewhere it opens the palette', async () => {
    await heading(page).focus()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search completed tasks' })).toBeFocused()
    await page.getByRole('button', { name: /account menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(heading(page)).toHaveText('Settings')
    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused()
    await expect(searchField(page)).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(palette(page)).toHaveCount(0)
  })

  await test.step('with single keys off, / does nothing', async () => {
    await page.evaluate(() => localStorage.setItem('daymark-single-keys', 'off'))
    await page.goto('/todos')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    await expect(searchField(page)).toBeFocused()
    await expect(page.getByRole('search', { includeHidden: true })).toHaveCount(0)
  })
})

test.describe('without a connection', () => {
  test.use({ mayLog: /Failed to load resource|net::ERR/ })
  test('the same is found, and it is said that there may be more', async ({ page, context }) => {
    await openList(page, { open: ['Water the plants', 'Watch the talk', 'Buy milk'] })
    await searchFor(page, 'wat')
    const online = await results(page, 'Tasks').allTextContents()
    expect(online).toHaveLength(2)
    await expect(palette(page)).not.toContainText('Only what this device keeps')
    await fetchedLater(page, 'todo-details-')
    await context.setOffline(true)
    await searchField(page).fill('')
    await searchField(page).fill('wat')
    await expect(palette(page)).toContainText('Only what this device keeps')
    expect(await results(page, 'Tasks').allTextContents()).toEqual(online)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: /^Details of/ })).toBeVisible()
  })
})

test('/ searches the tasks of a screen', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await give(page, [
    { title: 'Water the plants', due: null },
    { title: 'Buy milk', due: null },
    { title: 'Mow the lawn', due: null },
    { title: 'Post the letter', due: null, done: true },
    { title: 'Wash the car', due: inDays(2) },
    { title: 'Order seeds', due: inDays(3) },
  ])
  await make(page, {
    title: 'Wash the dog',
    due_day: inDays(1),
    repeat: { freq: 'day', every: 7, mode: 'due', from: inDays(1) },
  })
  await page.goto('/todos')
  await row(page, 'Buy milk').waitFor()
  await settled(page)

  await test.step('on /todos, / searches the rows in their place, and Escape gives the focus back', async () => {
    await expectRowsSearched(page, 'Search these tasks', 'Water the plants', 'Buy milk', '1 task')
  })

  await test.step('where nothing is found, that is said', async () => {
    await openScreenSearch(page)
    await page.keyboard.type('xyz')
    await expect(shownCount(page)).toHaveText('0 tasks')
    await expect(page.getByText('Nothing here matches.')).toBeVisible()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('post')
    await expect(row(page, 'Post the letter')).toBeVisible()
    await expect(openTasks(page)).toHaveCount(0)
    await closeScreenSearch(page)
  })

  await test.step('in the field of a screen, Enter opens what was found first, Ctrl+Enter ticks it, and arrows lead there', async () => {
    await heading(page).focus()
    await openScreenSearch(page)
    await page.keyboard.press('Enter')
    await expect(details(page)).toHaveCount(0)
    await page.keyboard.type('wat')
    await page.keyboard.press('Enter')
    await expect(titleOf(page)).toHaveValue('Water the plants')
    await expect(titleOf(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await screenField(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(tick(row(page, 'Water the plants'))).toBeFocused()
    await page.keyboard.press('/')
    await expect(screenField(page)).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(tick(row(page, 'Water the plants'))).toBeChecked()
    await expect(screenField(page)).toBeFocused()
    await closeScreenSearch(page)
  })

  await test.step('on /upcoming, / searches what is due and what comes again, and shows only those days', async () => {
    await heading(page).focus()
    for (const key of ['g', 'u']) await page.keyboard.press(key)
    await expect(heading(page)).toHaveText('Upcoming')
    await settled(page)
    await row(page, 'Order seeds').waitFor()
    await openScreenSearch(page)
    await page.keyboard.type('wash')
    await expect(page.locator('main').getByRole('heading', { level: 2 })).toHaveCount(3)
    await expect(row(page, 'Order seeds')).toHaveCount(0)
    await expect(page.locator('[data-coming]')).toHaveCount(1)
    await expect(shownCount(page)).toHaveText('2 tasks')
  })
})

async function expectRowsSearched(page: Page, label: string, kept: string, gone: string, count: string) {
  await tick(row(page, kept)).focus()
  await openScreenSearch(page, label)
  await page.keyboard.type('wat')
  await expect(row(page, gone)).toHaveCount(0)
  await expect(row(page, kept)).toBeVisible()
  await expect(shownCount(page)).toHaveText(count)
  await page.keyboard.press('Escape')
  await expect(row(page, gone)).toBeVisible()
  await expect(tick(row(page, kept))).toBeFocused()
  await expect(page.getByRole('search')).toHaveCount(0)
}

test('/ searches what the day has, and habits', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await give(page, [{ title: 'Water the herbs' }, { title: 'Call home' }])
  await keepHabits(page, [{ name: 'Drink water' }, { name: 'Read' }])
  await page.goto('/habits')
  await habitRow(page, 'Read').waitFor()
  await settled(page)

  await test.step('on /habits, / searches the habits', async () => {
    await openScreenSearch(page, 'Search habits')
    await page.keyboard.type('wat')
    await expect(habits(page).getByRole('checkbox')).toHaveCount(1)
    await expect(shownCount(page)).toHaveText('1 habit')
    await page.keyboard.press('Escape')
    await expect(habits(page).getByRole('checkbox')).toHaveCount(2)
  })

  await test.step('on /today, / searches the rows in their place, and Escape gives the focus back', async () => {
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /^Today/ })
      .click()
    await expect(heading(page)).toHaveText('Today')
    await settled(page)
    await row(page, 'Call home').waitFor()
    await expectRowsSearched(page, 'Search this page', 'Water the herbs', 'Call home', '2 results')
  })

  await test.step('on /today, / searches the habits of the day too', async () => {
    await heading(page).focus()
    await openScreenSearch(page, 'Search this page')
    await page.keyboard.type('drink')
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await expect(shownCount(page)).toHaveText('1 result')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('checkbox', { name: 'Drink water' })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(habits(page).getByRole('button', { name: 'Drink water', exact: true })).toHaveAttribute(
      'aria-expanded',
      'true',
    )
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)
    test('the field of a screen is whole and accessible in every look', async ({ page }) => {
      await openList(page, { open: ['Water the plants', 'Buy milk'] })
      await openScreenSearch(page)
      await page.keyboard.type('wat')
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Water the plants'])
      await inEveryLook(page, widths, async (look) => {
        await look.expectNoAxeViolations()
        await expectNothingSticksOut(page)
      })
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      await expectNothingSticksOut(page)
    })
  })
}
