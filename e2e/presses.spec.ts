import { expect, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { countdown } from './testing/screens/focus-timer.ts'
import { habits, keepHabits } from './testing/screens/habit-list.ts'
import { paletteIsThere, searchField } from './testing/screens/search-results.ts'
import { titleOf } from './testing/screens/task-details.ts'
import { completedTasks, openList, openTasks, row, tick } from './testing/screens/todo-list.ts'

// How many keys it takes from a fresh load.

/** Counts each key that is pressed. */
function counted(page: Page) {
  let presses = 0
  return {
    async press(...keys: string[]) {
      for (const key of keys) {
        presses += 1
        await page.keyboard.press(key)
      }
    },
    get presses() {
      return presses
    },
  }
}

const five = ['One', 'Two', 'Three', 'Four', 'Five']

/** What handles keys on any screen has come. */
async function keysAreThere(page: Page): Promise<void> {
  await fetchedLater(page, 'shell-parts-')
  // Some of its file comes with the settings; the keys come once nothing is under way.
  await settled(page)
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

test('completing the fifth task takes 6 presses', async ({ page }) => {
  await openList(page, { open: five })
  await tick(row(page, 'Five')).waitFor()
  const keys = counted(page)
  await keys.press('j', 'j', 'j', 'j', 'j', 'Space')
  await expect(completedTasks(page).getByText('Five')).toBeVisible()
  expect(keys.presses).toBe(6)
})

test('going to the habits and completing the third takes 6 presses', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await keepHabits(
    page,
    five.map((name) => ({ name })),
  )
  await page.goto('/todos')
  await keysAreThere(page)
  const keys = counted(page)
  await keys.press('g', 'h')
  await expect(habits(page).getByRole('checkbox').nth(2)).toBeVisible()
  await keys.press('j', 'j', 'j', 'Space')
  await expect(habits(page).getByRole('checkbox', { name: 'Three' })).toBeChecked()
  expect(keys.presses).toBe(6)
})

test('adding a task for tomorrow takes 2 presses beyond its text', async ({ page }) => {
  await openList(page, { open: five })
  await fetchedLater(page, 'quick-add-chips-')
  await keysAreThere(page)
  const keys = counted(page)
  await keys.press('n')
  await page.keyboard.type('Buy milk tomorrow')
  await keys.press('Enter')
  await expect(row(page, 'Buy milk')).toContainText('Tomorrow')
  expect(keys.presses).toBe(2)
})

test('searching for a task and opening it takes 2 presses beyond its text', async ({ page }) => {
  await openList(page, { open: [...five, 'Water the plants'] })
  await paletteIsThere(page)
  const keys = counted(page)
  const text = [...'wat']
  await keys.press('Control+k')
  await expect(searchField(page)).toBeFocused()
  await keys.press(...text, 'Enter')
  await expect(titleOf(page)).toHaveValue('Water the plants')
  expect(keys.presses).toBe(text.length + 2)
})

test('undoing takes 1 press', async ({ page }) => {
  await openList(page, { open: five })
  await keysAreThere(page)
  await tick(row(page, 'Five')).click()
  await expect(completedTasks(page).getByText('Five')).toBeVisible()
  const keys = counted(page)
  await keys.press('Control+z')
  await expect(openTasks(page).getByText('Five')).toBeVisible()
  expect(keys.presses).toBe(1)
})

test('starting the timer from anywhere takes 3 presses', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/settings')
  await keysAreThere(page)
  const keys = counted(page)
  await keys.press('g', 'f')
  await expect(countdown(page)).toBeVisible()
  await keys.press('Space')
  await expect(page.getByRole('main').getByRole('button', { name: 'Pause' })).toBeVisible()
  expect(keys.presses).toBe(3)
})

test('dating a task tomorrow takes 5 presses: to its row, D, a word of two letters and Enter', async ({
  page,
}) => {
  await openList(page, { open: five })
  await fetchedLater(page, 'task-parts-')
  const keys = counted(page)
  await keys.press('j', 'd')
  await page.getByRole('dialog').waitFor()
  await keys.press('t', 'm', 'Enter')
  await expect(row(page, 'One')).toContainText('Tomorrow')
  expect(keys.presses).toBe(5)
})

test('G does nothing where letters are typed, nor alone, nor with single keys off', async ({ page }) => {
  await openList(page, { open: ['One'] })
  await keysAreThere(page)
  await page.getByPlaceholder('Add a new task...').focus()
  await page.keyboard.type('gh')
  await expect(page.getByPlaceholder('Add a new task...')).toHaveValue('gh')
  await tick(row(page, 'One')).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.keyboard.press('h')
  await page.evaluate(() => localStorage.setItem('daymark-single-keys', 'off'))
  await page.reload()
  await tick(row(page, 'One')).focus()
  await keysAreThere(page)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL('/todos')
})
