import { type BrowserContext, expect, type Page } from '@playwright/test'
import { showInTheSamePage } from './testing/connection/settled.ts'
import { test } from './testing/person/person.ts'
import {
  hasNoTask,
  hasTask,
  hasTicked,
  listening,
  otherDevice,
  shownLive,
} from './testing/person/two-devices.ts'
import { row as habitRow, keepHabits, tick as tickHabit } from './testing/screens/habit-list.ts'
import { fullName } from './testing/screens/settings.ts'
import { edit, field, openList, remove, row, tick, titleField } from './testing/screens/todo-list.ts'

// A change on one device is on the other at once, because the server sends it and not because the device polls.

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
}

test('what is done on one device', async ({ page }) => {
  await listening(page, () => openList(page, { open: ['Water the plants'] }))
  const other = await otherDevice(page, '/todos')

  await test.step('what is added, edited, completed and deleted on one device is on the other at once', async () => {
    await expect(row(other, 'Water the plants')).toBeVisible()

    await shownLive(() => add(page, 'Buy milk'), [[other, hasTask('Buy milk')]])
    await edit(row(page, 'Buy milk')).click()
    await titleField(page).fill('Buy oat milk')
    await shownLive(() => titleField(page).press('Enter'), [[other, hasTask('Buy oat milk')]])
    const completed = row(page, 'Buy oat milk')
    await shownLive(() => tick(completed).click(), [[other, hasTicked('Buy oat milk')]])
    // And the other way round.
    const watered = row(other, 'Water the plants')
    await shownLive(() => tick(watered).click(), [[page, hasTicked('Water the plants')]])
    await shownLive(() => remove(watered).click(), [[page, hasNoTask('Water the plants')]])
  })

  await test.step('a habit completed on one device is completed on the other, and counted there', async () => {
    await keepHabits(page, [{ name: 'Read' }])
    for (const device of [page, other]) await device.getByRole('link', { name: 'Habits' }).click()
    await expect(tickHabit(habitRow(page, 'Read'))).not.toBeChecked()
    const counting = await otherDevice(page, '/analytics')
    await expect(tickHabit(habitRow(other, 'Read'))).not.toBeChecked()
    await shownLive(
      () => tickHabit(habitRow(page, 'Read')).click(),
      [
        [other, hasTicked('Read')],
        [counting, 'main', '1 of 1'],
      ],
    )
    await counting.context().close()
  })

  await test.step('a name changed on one device is shown on the other', async () => {
    await showInTheSamePage(other, '/settings')
    await fullName(other).fill('Another-Name')
    const save = other.getByRole('button', { name: 'Save Changes' })
    await shownLive(() => save.click(), [[page, 'button', 'Another-Name']])
    await other.context().close()
  })
})

// By itself: a device that has just changed something may be reading when it is signed out, which the console tells.
test('a device signed out from elsewhere shows nothing more, without being touched', async ({ page }) => {
  await listening(page, () => openList(page, { open: ['Water the plants'] }))
  const origin = new URL(page.url()).origin
  await page.request.post('/api/auth/revoke-sessions', { data: {}, headers: { origin } })
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(page.getByText('Water the plants')).toHaveCount(0)
})

test.describe('a device whose connection comes and goes', () => {
  test.use({ mayLog: /Failed to load resource|Could not read|could not be read/ })

  test('receives what was changed meanwhile at once, and what is changed from then on', async ({ page }) => {
    await listening(page, () => openList(page, { open: ['Water the plants'] }))
    const other = await otherDevice(page, '/todos')
    await expect(row(other, 'Water the plants')).toBeVisible()

    for (const round of ['first', 'second']) {
      await other.context().setOffline(true)
      // Too long for an event to carry it: a stream that is open stays open here.
      const away = `While away, the ${round} time, ${'far '.repeat(110)}away`
      await add(page, away)
      await add(other, `Made offline, the ${round} time`)
      await expect(row(other, `Made offline, the ${round} time`)).toBeVisible()
      await shownLive(
        () => listening(other, () => other.context().setOffline(false)),
        [
          [other, hasTask(away)],
          [page, hasTask(`Made offline, the ${round} time`)],
        ],
      )
      const again = `Back again, the ${round} time`
      await shownLive(() => add(page, again), [[other, hasTask(again)]])
    }
    await other.context().close()
  })
})

test('one tab holds the stream for all tabs of a browser, and another takes over when it is closed', async ({
  page,
}) => {
  await listening(page, () => openList(page))
  const first = await otherDevice(page, '/todos')
  const device: BrowserContext = first.context()
  const streams: string[] = []
  device.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.url())
  })
  const second = await device.newPage()
  const third = await device.newPage()
  for (const tab of [second, third]) {
    await tab.goto('/todos')
    await expect(field(tab)).toBeVisible()
  }
  const inEveryTab = [first, second, third].map((tab) => [tab, hasTask('In every tab')] as const)
  await shownLive(() => add(page, 'In every tab'), inEveryTab)
  expect(streams).toEqual([])

  await listening(second, () => first.close())
  const byTheNext = [second, third].map((tab) => [tab, hasTask('By the next one')] as const)
  await shownLive(() => add(page, 'By the next one'), byTheNext)
  expect(streams).toHaveLength(1)
  await device.close()
})

test('without locks, as over plain http, one tab holds the stream, too', async ({ page }) => {
  await page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined })
  })
  await listening(page, () => openList(page))
  let streams = 0
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams += 1
  })
  const tab = await page.context().newPage()
  await tab.goto('/todos')
  await expect(field(tab)).toBeVisible()
  const other = await otherDevice(page, '/todos')
  const inBoth = [page, tab].map((each) => [each, hasTask('Buy milk')] as const)
  await shownLive(() => add(other, 'Buy milk'), inBoth)
  expect(streams).toBe(0)
  await other.context().close()
})
