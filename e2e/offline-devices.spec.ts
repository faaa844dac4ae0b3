import { type BrowserContext, expect, type Route } from '@playwright/test'
import { button, countdown, sessions } from './focus-timer.ts'
import { row as habitRow, keepHabits, tick as tickHabit } from './habit-list.ts'
import { keptByTheBrowser } from './on-device.ts'
import { test } from './person.ts'
import { addButton, edit, field, openList, remove, row, tick, titleField } from './todo-list.ts'
import { hasNoTask, hasTask, hasTicked, listening, otherDevice, withinASecond } from './two-devices.ts'

/** While a page reloads, Chromium may let through a request that was made without a connection. */
const keepBack = (route: Route) => route.abort('internetdisconnected')

async function takeConnection(context: BrowserContext) {
  await context.route('**/api/**', keepBack)
  await context.setOffline(true)
}

async function giveConnectionBack(context: BrowserContext) {
  await context.unroute('**/api/**', keepBack)
  await context.setOffline(false)
}

test.use({
  serviceWorkers: 'allow',
  mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
})

test("everything done offline on one device is on another's open pages within a second of its return", async ({
  page,
  context,
}) => {
  await listening(page, () => openList(page, { open: ['Water the plants', 'Pay the rent', 'Call Ada'] }))
  await keepHabits(page, [{ name: 'Read' }])
  const todos = await otherDevice(page, '/todos')
  const habits = await todos.context().newPage()
  const focus = await todos.context().newPage()
  await habits.goto('/habits')
  await focus.goto('/focus')
  await expect(row(todos, 'Call Ada')).toBeVisible()
  await expect(tickHabit(habitRow(habits, 'Read'))).not.toBeChecked()
  await expect(focus.getByText(/^No sessions yet today\./)).toBeVisible()

  const menu = page.getByRole('complementary')
  // So that the device has stored what it shows later.
  await menu.getByRole('link', { name: 'Habits' }).click()
  await expect(habitRow(page, 'Read')).toBeVisible()
  await menu.getByRole('link', { name: /^Focus Timer/ }).click()
  await expect(page.getByText(/^No sessions yet today\./)).toBeVisible()
  await menu.getByRole('link', { name: 'Todos' }).click()
  await keptByTheBrowser(page)
  await takeConnection(context)

  await field(page).fill('Buy milk')
  await field(page).press('Enter')
  await edit(row(page, 'Water the plants')).click()
  await titleField(page).fill('Water the ferns')
  await titleField(page).press('Enter')
  await tick(row(page, 'Pay the rent')).click()
  await remove(row(page, 'Call Ada')).click()
  await expect(addButton(page), 'kept by the device').toBeEnabled()
  await page.reload()
  await expect(row(page, 'Water the ferns')).toBeVisible()
  await menu.getByRole('link', { name: 'Habits' }).click()
  await tickHabit(habitRow(page, 'Read')).click()
  await menu.getByRole('link', { name: /^Focus Timer/ }).click()
  await button(page, 'Start').click()
  // There is a second to save.
  await expect(countdown(page)).not.toHaveText(/25:00|24:59/)
  await button(page, 'Save session').click()
  await expect(sessions(page)).toHaveCount(1)
  await page.reload()
  await expect(sessions(page)).toHaveCount(1)
  await page.goto('/todos')
  await expect(row(page, 'Buy milk')).toBeVisible()
  await expect(row(page, 'Call Ada')).toHaveCount(0)
  await expect(row(todos, 'Call Ada'), 'nobody else has heard of it').toBeVisible()

  await withinASecond(page, () => giveConnectionBack(context), [
    [todos, hasTask('Buy milk')],
    [todos, hasTask('Water the ferns')],
    [todos, hasTicked('Pay the rent')],
    [todos, hasNoTask('Call Ada')],
    [habits, hasTicked('Read')],
    [focus, '[aria-label="Today\'s sessions"] li'],
  ])
  await todos.context().close()
})
