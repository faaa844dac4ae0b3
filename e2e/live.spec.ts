import { type BrowserContext, expect, type Page } from '@playwright/test'
import { row as habitRow, openHabits, tick as tickHabit } from './habit-list.ts'
import { test } from './person.ts'
import { edit, field, openList, remove, row, tick, titleField } from './todo-list.ts'

// What is changed on one device is on the other one at once, by what the server says and not by asking it now and then.

const within = { timeout: 1_000 }

/** The stream is open, and what it said first has been heeded. */
async function listening(page: Page, goes: () => Promise<unknown>) {
  const opened = page.context().waitForEvent('response', (answer) => answer.url().endsWith('/api/events'))
  await goes()
  expect((await opened).status()).toBe(200)
}

/** Another browser in which the same person is signed in. */
async function otherDevice(page: Page, path: string): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('No browser')
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  await context.addCookies(await page.context().cookies())
  const other = await context.newPage()
  await listening(other, () => other.goto(path))
  return other
}

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
}

test('what is added, edited, completed and deleted on one device is on the other within a second', async ({
  page,
}) => {
  await listening(page, () => openList(page, { open: ['Water the plants'] }))
  const other = await otherDevice(page, '/todos')
  await expect(row(other, 'Water the plants')).toBeVisible()

  await add(page, 'Buy milk')
  await expect(row(other, 'Buy milk')).toBeVisible(within)
  await edit(row(page, 'Buy milk')).click()
  await titleField(page).fill('Buy oat milk')
  await titleField(page).press('Enter')
  await expect(row(other, 'Buy oat milk')).toBeVisible(within)
  await tick(row(page, 'Buy oat milk')).click()
  await expect(tick(row(other, 'Buy oat milk'))).toBeChecked(within)
  // And the other way round.
  await tick(row(other, 'Water the plants')).click()
  await expect(tick(row(page, 'Water the plants'))).toBeChecked(within)
  await remove(row(other, 'Water the plants')).click()
  await expect(row(page, 'Water the plants')).toHaveCount(0, within)
  await other.context().close()
})

test('a habit that is completed on one device is completed on the other, and counted there', async ({
  page,
}) => {
  await listening(page, () => openHabits(page, [{ name: 'Read' }]))
  const other = await otherDevice(page, '/habits')
  const counting = await otherDevice(page, '/analytics')
  await expect(tickHabit(habitRow(other, 'Read'))).not.toBeChecked()
  await tickHabit(habitRow(page, 'Read')).click()
  await expect(tickHabit(habitRow(other, 'Read'))).toBeChecked(within)
  await expect(counting.getByRole('main')).toContainText('1 of 1', within)
  await other.context().close()
  await counting.context().close()
})

test.describe('a device whose connection comes and goes', () => {
  test.use({ mayLog: /Failed to load resource|Could not read|could not be read/ })

  test('has what was changed meanwhile within a second, and what is changed from then on', async ({
    page,
  }) => {
    await listening(page, () => openList(page, { open: ['Water the plants'] }))
    const other = await otherDevice(page, '/todos')
    await expect(row(other, 'Water the plants')).toBeVisible()

    for (const round of ['first', 'second']) {
      await other.context().setOffline(true)
      await add(page, `While away, the ${round} time`)
      await add(other, `Made offline, the ${round} time`)
      await expect(row(other, `Made offline, the ${round} time`)).toBeVisible()
      await listening(other, () => other.context().setOffline(false))
      await expect(row(other, `While away, the ${round} time`)).toBeVisible(within)
      await expect(row(page, `Made offline, the ${round} time`)).toBeVisible(within)
      await add(page, `Back again, the ${round} time`)
      await expect(row(other, `Back again, the ${round} time`)).toBeVisible(within)
    }
    await other.context().close()
  })
})

test('one tab holds the stream for all tabs of a browser, and another one takes over when it is closed', async ({
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
  await add(page, 'In every tab')
  for (const tab of [first, second, third]) await expect(row(tab, 'In every tab')).toBeVisible(within)
  expect(streams).toEqual([])

  await listening(second, () => first.close())
  await add(page, 'By the next one')
  for (const tab of [second, third]) await expect(row(tab, 'By the next one')).toBeVisible(within)
  expect(streams).toHaveLength(1)
  await device.close()
})

test('without locks, as over plain http, one tab holds the stream as well', async ({ page }) => {
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
  await add(other, 'Buy milk')
  for (const each of [page, tab]) await expect(row(each, 'Buy milk')).toBeVisible(within)
  expect(streams).toBe(0)
  await other.context().close()
})

test('a name that is changed on one device is shown on the other', async ({ page }) => {
  await listening(page, () => openList(page))
  const origin = new URL(page.url()).origin
  const changed = await page.request.post('/api/auth/update-user', {
    data: { name: 'Another-Name' },
    headers: { origin },
  })
  expect(changed.status()).toBe(200)
  await expect(page.getByRole('button', { name: /Another-Name.*account menu$/ })).toBeVisible(within)
})

test('a device that is signed out from elsewhere shows nothing more, without being touched', async ({
  page,
}) => {
  await listening(page, () => openList(page, { open: ['Water the plants'] }))
  const origin = new URL(page.url()).origin
  await page.request.post('/api/auth/revoke-sessions', { data: {}, headers: { origin } })
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(page.getByText('Water the plants')).toHaveCount(0)
})
