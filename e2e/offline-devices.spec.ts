import { expect } from '@playwright/test'
import { type Cable, connect } from './testing/connection/cable.ts'
import { keptByTheBrowser } from './testing/connection/on-device.ts'
import { test as base } from './testing/person/person.ts'
import {
  hasNoTask,
  hasTask,
  hasTicked,
  listening,
  otherDevice,
  shownLive,
} from './testing/person/two-devices.ts'
import { button, countdown, sessions } from './testing/screens/focus-timer.ts'
import { row as habitRow, keepHabits, tick as tickHabit } from './testing/screens/habit-list.ts'
import {
  addButton,
  edit,
  field,
  openList,
  remove,
  row,
  tick,
  titleField,
} from './testing/screens/todo-list.ts'

const test = base.extend<{ cable: Cable }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  cable: async ({}, use) => {
    const cable = await connect()
    await use(cable)
    await cable.close()
  },
  proxy: ({ cable }, use) => use({ server: cable.address }),
})

test.use({
  serviceWorkers: 'allow',
  mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
})

test("everything done offline on one device is on another's open pages once it is back", async ({
  page,
  context,
  cable,
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
  cable.pull()
  await context.setOffline(true)

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

  const giveConnectionBack = () => {
    cable.plugIn()
    return context.setOffline(false)
  }
  await shownLive(giveConnectionBack, [
    [todos, hasTask('Buy milk')],
    [todos, hasTask('Water the ferns')],
    [todos, hasTicked('Pay the rent')],
    [todos, hasNoTask('Call Ada')],
    [habits, hasTicked('Read')],
    [focus, '[aria-label="Today\'s sessions"] li'],
  ])
  await todos.context().close()
})
