import { expect, type Page } from '@playwright/test'
import { importCompleted } from './completed.ts'
import { give, inDays } from './given-tasks.ts'
import { row as habitRow, habits, keepHabits } from './habit-list.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './looks.ts'
import { fetchedLater } from './on-device.ts'
import { signUpBehindTheScreens, test } from './person.ts'
import {
  palette,
  paletteIsThere,
  results,
  screenSearchIsThere,
  searchField,
  searchFor,
} from './search-results.ts'
import { details, make, titleOf } from './task-details.ts'
import { openList, openTasks, row, tick, titlesIn } from './todo-list.ts'

test.use({ timezoneId: 'UTC' })

const screenField = (page: Page, name = 'Search these tasks') => page.getByRole('textbox', { name })
const shownCount = (page: Page) => page.getByRole('search').getByRole('status')

async function openScreenSearch(page: Page, name?: string) {
  await screenSearchIsThere(page, name === 'Search habits' ? 'habit' : 'todo')
  await page.keyboard.press('/')
  await expect(screenField(page, name)).toBeFocused()
}

test('a task is found whatever case and accents, and from right to left', async ({ page }) => {
  await openList(page, { open: ['Call Ömer', 'Straße fegen', 'לקנות חלב', 'قراءة كِتَاب', '家族に電話'] })
  await paletteIsThere(page)
  for (const [typed, title] of [
    ['OMER', 'Call Ömer'],
    ['strasse', 'Straße fegen'],
    ['חלב', 'לקנות חלב'],
    ['كتاب', 'قراءة كِتَاب'],
    ['電話', '家族に電話'],
  ] as const) {
    await searchFor(page, typed)
    await expect(results(page, 'Tasks')).toHaveText([new RegExp(title)])
    await page.keyboard.press('Escape')
  }
})

test('tasks completed long ago are found on the server, once each, and said to be older', async ({
  page,
}) => {
  await signUpBehindTheScreens(page)
  await importCompleted(page, [
    { title: 'Wäter the lemon tree', daysAgo: 3 },
    { title: 'Wäter the fig tree', daysAgo: 400 },
  ])
  await page.goto('/todos')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await paletteIsThere(page)
  await searchFor(page, 'water the')
  await expect(results(page, 'Older completed tasks')).toHaveText([/Wäter the fig tree.*Done/])
  await expect(results(page, 'Tasks')).toHaveText([/Wäter the lemon tree.*Done/])
  await results(page, 'Older completed tasks').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Completed')
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: 'Wäter the fig tree' })).toBeVisible()
})

test.describe('without a connection', () => {
  test.use({ mayLog: /Failed to load resource|net::ERR/ })
  test('the same is found, and it is said that there may be more', async ({ page, context }) => {
    await openList(page, { open: ['Water the plants', 'Watch the talk', 'Buy milk'] })
    await paletteIsThere(page)
    await fetchedLater(page, 'todo-details-')
    await searchFor(page, 'wat')
    const online = await results(page, 'Tasks').allTextContents()
    expect(online).toHaveLength(2)
    await expect(palette(page)).not.toContainText('Only what this device keeps')
    await context.setOffline(true)
    await searchField(page).fill('')
    await searchField(page).fill('wat')
    await expect(palette(page)).toContainText('Only what this device keeps')
    expect(await results(page, 'Tasks').allTextContents()).toEqual(online)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: /^Details of/ })).toBeVisible()
  })
})

for (const address of ['/todos', '/today']) {
  test(`on ${address}, / searches the rows in their place, and Escape gives the focus back`, async ({
    page,
  }) => {
    await openList(page, { open: ['Water the plants', 'Buy milk'] })
    if (address === '/today') {
      await page.goto('/today')
      await page.getByRole('textbox', { name: 'Add a task for today...' }).fill('Water the herbs')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Add a task for today...' }).fill('Call home')
      await page.keyboard.press('Enter')
    }
    const label = address === '/today' ? 'Search this page' : 'Search these tasks'
    const [kept, gone] =
      address === '/today' ? ['Water the herbs', 'Call home'] : ['Water the plants', 'Buy milk']
    await tick(row(page, kept ?? '')).focus()
    await openScreenSearch(page, label)
    await page.keyboard.type('wat')
    await expect(row(page, gone ?? '')).toHaveCount(0)
    await expect(row(page, kept ?? '')).toBeVisible()
    await expect(shownCount(page)).toHaveText(address === '/today' ? '1 result' : '1 task')
    await page.keyboard.press('Escape')
    await expect(row(page, gone ?? '')).toBeVisible()
    await expect(tick(row(page, kept ?? ''))).toBeFocused()
    await expect(page.getByRole('search')).toHaveCount(0)
  })
}

test('on /today, / searches the habits of the day too', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Drink water' }, { name: 'Read' }])
  await page.goto('/today')
  await page.getByRole('checkbox', { name: 'Read' }).waitFor()
  await openScreenSearch(page, 'Search this page')
  await page.keyboard.type('wat')
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

test('on /upcoming, / searches what is due and what comes again, and shows only those days', async ({
  page,
}) => {
  await signUpBehindTheScreens(page)
  await give(page, [
    { title: 'Water the plants', due: inDays(2) },
    { title: 'Buy milk', due: inDays(3) },
  ])
  await make(page, {
    title: 'Watch the moon',
    due_day: inDays(1),
    repeat: { freq: 'day', every: 7, mode: 'due', from: inDays(1) },
  })
  await page.goto('/upcoming')
  await row(page, 'Buy milk').waitFor()
  await openScreenSearch(page)
  await page.keyboard.type('wat')
  await expect(page.locator('main').getByRole('heading', { level: 2 })).toHaveCount(3)
  await expect(row(page, 'Buy milk')).toHaveCount(0)
  await expect(page.locator('[data-coming]')).toHaveCount(1)
  await expect(shownCount(page)).toHaveText('2 tasks')
})

test('in the field of a screen, Enter opens what was found first, Ctrl+Enter ticks it, and arrows lead there', async ({
  page,
}) => {
  await openList(page, { open: ['Water the plants', 'Buy milk'] })
  await tick(row(page, 'Buy milk')).waitFor()
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
})

test('where nothing is found, that is said', async ({ page }) => {
  await openList(page, { open: ['Water the plants'], completed: ['Buy milk'] })
  await tick(row(page, 'Water the plants')).waitFor()
  await openScreenSearch(page)
  await page.keyboard.type('xyz')
  await expect(shownCount(page)).toHaveText('0 tasks')
  await expect(page.getByText('Nothing here matches.')).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('buy')
  await expect(row(page, 'Buy milk')).toBeVisible()
  await expect(openTasks(page)).toHaveCount(0)
})

test('on /habits, / searches the habits', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Drink water' }, { name: 'Read' }])
  await page.goto('/habits')
  await habitRow(page, 'Read').waitFor()
  await openScreenSearch(page, 'Search habits')
  await page.keyboard.type('wat')
  await expect(habits(page).getByRole('checkbox')).toHaveCount(1)
  await expect(shownCount(page)).toHaveText('1 habit')
  await page.keyboard.press('Escape')
  await expect(habits(page).getByRole('checkbox')).toHaveCount(2)
})

test('on /todos/completed, / goes to its field; elsewhere it opens the palette', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/todos/completed')
  await page.getByRole('searchbox', { name: 'Search completed tasks' }).waitFor()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search completed tasks' })).toBeFocused()
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await paletteIsThere(page)
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await expect(searchField(page)).toHaveValue('')
})

test('with single keys off, / does nothing', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await page.evaluate(() => localStorage.setItem('daymark-single-keys', 'off'))
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await paletteIsThere(page)
  await page.keyboard.press('/')
  await page.keyboard.press('Control+k')
  await expect(searchField(page)).toBeFocused()
  await expect(page.getByRole('search', { includeHidden: true })).toHaveCount(0)
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)
    test('the field of a screen is whole and accessible in every look', async ({ page }) => {
      await openList(page, { open: ['Water the plants', 'Buy milk'] })
      await tick(row(page, 'Buy milk')).waitFor()
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
