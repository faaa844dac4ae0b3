import { type BrowserContext, expect, type Page } from '@playwright/test'
import { days, name, openHabits, row, saidDays, saidHabits, streak, tick, year } from './habit-list.ts'
import { test as base } from './person.ts'
import { type ServerAt, startServerAt } from './server-at.ts'

/** The server of the current group, whose clock starts where the group says. */
const current: { address: string | undefined } = { address: undefined }
const test = base.extend({
  baseURL: async ({ baseURL }, use) => use(current.address ?? baseURL),
})

test.use({
  timezoneId: 'Europe/Copenhagen',
  // When hours pass in a moment, a request in progress takes too long; and some tests cut the connection.
  mayLog:
    /Could not read|ERR_INTERNET_DISCONNECTED|session could not be read (TimeoutError|TypeError: Failed to fetch)/,
})

/** Every test in the group talks to a server whose clock starts at `instant`. */
function withServerAt(instant: string) {
  let server: ServerAt | undefined
  test.beforeAll(async () => {
    server = await startServerAt(instant)
    current.address = server.address
  })
  test.afterAll(async () => {
    current.address = undefined
    await server?.stop()
  })
}

/** The page's clock starts at an instant and runs until it is moved. */
async function openAt(page: Page, instant: string, kept: Parameters<typeof openHabits>[1]) {
  await page.clock.install({ time: instant })
  await openHabits(page, kept)
}

/** Lets the time pass up to an instant, as if nobody had touched anything, and run from there. */
async function waitUntil(page: Page, instant: string) {
  await page.clock.pauseAt(instant)
  await page.clock.resume()
}

const dates = (page: Page, habit: string) =>
  days(row(page, habit)).evaluateAll((them) => them.map((it) => it.getAttribute('data-day')))
const withoutConnection = (context: BrowserContext) => context.setOffline(true)

test.describe('on the evening of 28 March 2026', () => {
  withServerAt('2026-03-28T22:30:00.000Z')
  const kept = [
    { name: 'Read', start: '2026-03-20', done: ['2026-03-26', '2026-03-27', '2026-03-28'] },
    { name: 'Draw', start: '2026-03-20', done: ['2026-03-26', '2026-03-27'] },
    { name: 'Run', frequency: 'weekly' as const, start: '2026-03-01', done: ['2026-03-18', '2026-03-24'] },
  ]

  for (const connection of ['with', 'without'] as const) {
    test(`at midnight an open list switches to the new day by itself, ${connection} a connection`, async ({
      page,
      context,
    }) => {
      await openAt(page, '2026-03-28T22:50:00.000Z', kept)
      await expect(tick(row(page, 'Read'))).toBeChecked()
      await expect(streak(row(page, 'Read'))).toHaveText('Current streak: 3 days')
      await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 2 days')
      expect((await dates(page, 'Read')).at(-1)).toBe('2026-03-28')
      if (connection === 'without') await withoutConnection(context)

      const readAgain = page.waitForRequest((request) => request.url().endsWith('/api/habits'))
      await waitUntil(page, '2026-03-28T23:00:01.000Z')
      await expect(tick(row(page, 'Read'))).not.toBeChecked()
      await expect(streak(row(page, 'Read'))).toHaveText('Current streak: 3 days')
      // Yesterday was missed, and now it is over.
      await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 0 days')
      await expect(tick(row(page, 'Run'))).toBeChecked()
      expect(await dates(page, 'Read')).toEqual([
        '2026-03-23',
        '2026-03-24',
        '2026-03-25',
        '2026-03-26',
        '2026-03-27',
        '2026-03-28',
        '2026-03-29',
      ])
      const today = days(row(page, 'Read')).last()
      await expect(today).toHaveAccessibleName('Read, Sunday 29 March, not done')
      await expect(today).toHaveAttribute('aria-current', 'date')
      await readAgain
    })
  }

  test('at midnight an amount that is half done stays with its day, and the new day begins at nothing', async ({
    page,
  }) => {
    await openAt(page, '2026-03-28T22:50:00.000Z', [])
    const { origin } = new URL((await page.request.get('/api/health')).url())
    const habit = {
      name: 'Drink water',
      description: '',
      target: { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' },
      start_date: '2026-03-27',
    }
    await page.request.post('/api/habits', { data: habit, headers: { origin } })
    await page.goto('/habits')
    const water = row(page, 'Drink water')
    const more = water.getByRole('button', { name: 'More: Drink water' })
    await more.click()
    await more.click()
    await expect(water.getByText('2 of 8 glasses today')).toBeVisible()
    await waitUntil(page, '2026-03-28T23:00:01.000Z')
    await expect(water.getByText('0 of 8 glasses today')).toBeVisible()
    const yesterday = days(water).nth(5)
    await expect(yesterday).toHaveAccessibleName('Drink water, Saturday 28 March, 2 of 8 glasses')
    await more.click()
    await expect(water.getByText('1 of 8 glasses today')).toBeVisible()
    await expect(yesterday).toHaveAccessibleName('Drink water, Saturday 28 March, 2 of 8 glasses')
  })

  test('at midnight an open year switches to the new day, too', async ({ page }) => {
    await openAt(page, '2026-03-28T22:50:00.000Z', kept)
    const reading = row(page, 'Read')
    await name(reading).click()
    const cells = year(reading).locator('[data-day]')
    await expect(cells.and(page.locator('[aria-current=date]'))).toHaveAttribute('data-day', '2026-03-28')
    await expect(reading.getByRole('definition').last()).toHaveText('33% 3 of 9')
    await waitUntil(page, '2026-03-28T23:00:01.000Z')
    await expect(cells.and(page.locator('[aria-current=date]'))).toHaveAttribute('data-day', '2026-03-29')
    await expect(reading.getByRole('definition').last()).toHaveText('33% 3 of 9')
  })

  test('a click without a connection at 23:59 counts for that day', async ({ page, context }) => {
    await openAt(page, '2026-03-28T22:58:00.000Z', kept)
    await waitUntil(page, '2026-03-28T22:59:00.000Z')
    await withoutConnection(context)
    await tick(row(page, 'Draw')).check()
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 3 days')
    await waitUntil(page, '2026-03-28T23:01:00.000Z')
    await expect(tick(row(page, 'Draw'))).not.toBeChecked()
    await expect(days(row(page, 'Draw')).nth(5)).toHaveAccessibleName('Draw, Saturday 28 March, done')
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 3 days')

    await context.setOffline(false)
    await expect.poll(() => saidDays(page, 'Draw')).toEqual(['2026-03-26', '2026-03-27', '2026-03-28'])
    await expect(tick(row(page, 'Draw'))).not.toBeChecked()
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 3 days')
  })

  test('a click after midnight counts for the new day, and the previous one stays', async ({ page }) => {
    await openAt(page, '2026-03-28T22:58:00.000Z', kept)
    await tick(row(page, 'Draw')).check()
    await waitUntil(page, '2026-03-28T23:00:01.000Z')
    await expect(tick(row(page, 'Draw'))).not.toBeChecked()
    await tick(row(page, 'Draw')).check()
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 4 days')
    await expect
      .poll(() => saidDays(page, 'Draw'))
      .toEqual(['2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29'])
  })

  test('a machine that slept through midnight shows the new day when it wakes up', async ({ page }) => {
    await openAt(page, '2026-03-28T22:50:00.000Z', kept)
    await expect(tick(row(page, 'Read'))).toBeChecked()
    await page.clock.setSystemTime('2026-03-29T06:00:00.000Z')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(tick(row(page, 'Read'))).not.toBeChecked()
    expect((await dates(page, 'Read')).at(-1)).toBe('2026-03-29')
  })

  test('a changed week start counts the weeks again', async ({ page }) => {
    await page.clock.install({ time: '2026-03-28T22:40:00.000Z' })
    // A Saturday and a Sunday: the end of one week from Monday, but of two from Sunday, the second being the current one.
    const done = ['2026-03-21', '2026-03-22']
    await openHabits(page, [{ name: 'Run', frequency: 'weekly', start: '2026-03-01', done }])
    await expect(tick(row(page, 'Run'))).not.toBeChecked()
    await expect(streak(row(page, 'Run'))).toHaveText('Current streak: 1 week')
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByLabel('Week starts on').selectOption('Sunday')
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(tick(row(page, 'Run'))).toBeChecked()
    await expect(streak(row(page, 'Run'))).toHaveText('Current streak: 2 weeks')
    const [said] = await saidHabits(page)
    expect(said).toMatchObject({ completed: true, current_streak: 2 })
  })

  test('with a day start at 03:00, the night that is one hour short ends the day when clocks show 03:00', async ({
    page,
  }) => {
    await page.clock.install({ time: '2026-03-28T22:50:00.000Z' })
    await openHabits(page, kept)
    await setPreferences(page, { day_start: 180 })
    await page.reload()
    await expect(tick(row(page, 'Read'))).toBeChecked()
    // 01:59 on the local clock; a second later it is 03:00.
    await waitUntil(page, '2026-03-29T00:58:00.000Z')
    await expect(tick(row(page, 'Read'))).toBeChecked()
    await tick(row(page, 'Draw')).check()
    await waitUntil(page, '2026-03-29T01:00:01.000Z')
    await expect(tick(row(page, 'Draw'))).not.toBeChecked()
    await expect(tick(row(page, 'Read'))).not.toBeChecked()
    await expect.poll(() => saidDays(page, 'Draw')).toEqual(['2026-03-26', '2026-03-27', '2026-03-28'])
  })
})

for (const { season, server, opened, midnights, dayDates } of [
  {
    season: 'the day of 23 hours in spring',
    server: '2026-03-29T21:50:00.000Z',
    opened: '2026-03-28T22:50:00.000Z',
    midnights: ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    dayDates: ['2026-03-28', '2026-03-29', '2026-03-30'],
  },
  {
    season: 'the day of 25 hours in autumn',
    server: '2026-10-25T22:50:00.000Z',
    opened: '2026-10-24T21:50:00.000Z',
    midnights: ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    dayDates: ['2026-10-24', '2026-10-25', '2026-10-26'],
  },
] as const) {
  test.describe(`through ${season}, with the page open`, () => {
    withServerAt(server)

    test('each day counts once, and the list switches at its own midnight', async ({ page }) => {
      const start = dayDates[0]
      await openAt(page, opened, [
        { name: 'Read', start },
        { name: 'Run', frequency: 'weekly', start },
      ])
      const reading = row(page, 'Read')
      await tick(reading).check()
      await tick(row(page, 'Run')).check()
      for (const [index, midnight] of midnights.entries()) {
        const before = new Date(Date.parse(midnight) - 60_000).toISOString()
        const after = new Date(Date.parse(midnight) + 1_000).toISOString()
        await waitUntil(page, before)
        await expect(tick(reading)).toBeChecked()
        expect((await dates(page, 'Read')).at(-1)).toBe(dayDates[index])
        await waitUntil(page, after)
        await expect(tick(reading)).not.toBeChecked()
        expect((await dates(page, 'Read')).at(-1)).toBe(dayDates[index + 1])
        await tick(reading).check()
        await expect(streak(reading)).toHaveText(`Current streak: ${index + 2} days`)
      }
      // The second midnight started a Monday, and so another week.
      await expect(tick(row(page, 'Run'))).not.toBeChecked()
      await expect(streak(row(page, 'Run'))).toHaveText('Current streak: 1 week')
      await expect.poll(() => saidDays(page, 'Read')).toEqual([...dayDates])
      await expect
        .poll(async () => (await saidHabits(page)).map(({ longest_streak }) => longest_streak))
        .toEqual([3, 1])
    })
  })
}

async function setPreferences(page: Page, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  expect((await page.request.patch('/api/preferences', { data, headers: { origin } })).status()).toBe(200)
}
