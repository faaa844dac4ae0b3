import { type BrowserContext, expect, type Page } from '@playwright/test'
import { row as habitRow, openHabits, tick as tickHabit } from './habit-list.ts'
import { test } from './person.ts'
import { edit, field, openList, remove, row, tick, titleField } from './todo-list.ts'
import { listening, otherDevice, soon } from './two-devices.ts'

// What is changed on one device is on the other one at once, by what the server says and not by asking it now and then.

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
  await soon(() => row(other, 'Buy milk').isVisible())
  await edit(row(page, 'Buy milk')).click()
  await titleField(page).fill('Buy oat milk')
  await titleField(page).press('Enter')
  await soon(() => row(other, 'Buy oat milk').isVisible())
  await tick(row(page, 'Buy oat milk')).click()
  await soon(() => tick(row(other, 'Buy oat milk')).isChecked())
  // And the other way round.
  await tick(row(other, 'Water the plants')).click()
  await soon(() => tick(row(page, 'Water the plants')).isChecked())
  await remove(row(other, 'Water the plants')).click()
  await soon(async () => (await row(page, 'Water the plants').count()) === 0)
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
  await soon(() => tickHabit(habitRow(other, 'Read')).isChecked())
  await soon(async () => (await counting.getByRole('main').innerText()).includes('1 of 1'))
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
      await soon(() => row(other, `While away, the ${round} time`).isVisible())
      await soon(() => row(page, `Made offline, the ${round} time`).isVisible())
      await add(page, `Back again, the ${round} time`)
      await soon(() => row(other, `Back again, the ${round} time`).isVisible())
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
  for (const tab of [first, second, third]) await soon(() => row(tab, 'In every tab').isVisible())
  expect(streams).toEqual([])

  await listening(second, () => first.close())
  await add(page, 'By the next one')
  for (const tab of [second, third]) await soon(() => row(tab, 'By the next one').isVisible())
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
  for (const each of [page, tab]) await soon(() => row(each, 'Buy milk').isVisible())
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
  await soon(() => page.getByRole('button', { name: /Another-Name.*account menu$/ }).isVisible())
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
