import { expect, type Page } from '@playwright/test'
import { isReadOf } from './testing/connection/reads.ts'
import { type ServerAt, startServerAt } from './testing/connection/server-at.ts'
import { settled } from './testing/connection/settled.ts'
import { test as base, signUpBehindTheScreens } from './testing/person/person.ts'
import {
  days,
  keepHabits,
  name,
  openHabits,
  row,
  saidDays,
  saidHabits,
  streak,
  tick,
  year,
} from './testing/screens/habit-list.ts'
import { changeBehindTheScreens } from './testing/screens/preferences.ts'

/** The server of the current group, whose clock starts where the group says. */
const current: { address: string | undefined } = { address: undefined }
const test = base.extend({
  baseURL: async ({ baseURL }, use) => use(current.address ?? baseURL),
})

// When hours pass in a moment, a request in progress takes too long.
const hurried = /Could not read|session could not be read TimeoutError/
test.use({ fakeClock: true, timezoneId: 'Europe/Copenhagen', mayLog: hurried })

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

/** An open list of `Read`, `Draw` and `Run`, seen at 23:50. */
async function expectTheOldDay(page: Page) {
  await expect(tick(row(page, 'Read'))).toBeChecked()
  await expect(streak(row(page, 'Read'))).toHaveText('Current streak: 3 days')
  await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 2 days')
  expect((await dates(page, 'Read')).at(-1)).toBe('2026-03-28')
}

/** The same list after midnight. */
async function expectTheNewDay(page: Page) {
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
}

const readsTheList = (page: Page) => page.waitForRequest((request) => isReadOf('habits', request))

/** Lets the time pass up to an instant, as if nobody had touched anything, and run from there. */
async function waitUntil(page: Page, instant: string) {
  await page.clock.pauseAt(instant)
  await page.clock.resume()
}

const dates = (page: Page, habit: string) =>
  days(row(page, habit)).evaluateAll((them) => them.map((it) => it.getAttribute('data-day')))

test.describe('on the evening of 28 March 2026', () => {
  withServerAt('2026-03-28T22:30:00.000Z')
  const kept = [
    { name: 'Read', start: '2026-03-20', done: ['2026-03-26', '2026-03-27', '2026-03-28'] },
    { name: 'Draw', start: '2026-03-20', done: ['2026-03-26', '2026-03-27'] },
    { name: 'Run', frequency: 'weekly' as const, start: '2026-03-01', done: ['2026-03-18', '2026-03-24'] },
  ]

  const read = { start: '2026-03-20', done: ['2026-03-26', '2026-03-27', '2026-03-28'] }
  const drawn = { start: '2026-03-20', done: ['2026-03-26', '2026-03-27'] }

  test('with a connection', async ({ page }) => {
    await page.clock.install({ time: '2026-03-28T22:50:00.000Z' })
    await signUpBehindTheScreens(page)
    await keepHabits(page, [...kept, { name: 'Write', ...read }, { name: 'Sing', ...drawn }])
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
    await more.waitFor()
    await settled(page)

    await expectTheOldDay(page)
    await more.click()
    await more.click()
    await expect(water.getByText('2 of 8 glasses today')).toBeVisible()
    const writing = row(page, 'Write')
    await name(writing).click()
    const cells = year(writing).locator('[data-day]')
    await expect(cells.and(page.locator('[aria-current=date]'))).toHaveAttribute('data-day', '2026-03-28')
    await expect(writing.getByRole('definition').last()).toHaveText('33% 3 of 9')
    await tick(row(page, 'Sing')).check()
    await settled(page)
    const readAgain = readsTheList(page)
    await waitUntil(page, '2026-03-28T23:00:01.000Z')

    await test.step('at midnight an open list switches to the new day by itself, with a connection', async () => {
      await expectTheNewDay(page)
      await readAgain
    })

    await test.step('at midnight an amount that is half done stays with its day, and the new day begins at nothing', async () => {
      await expect(water.getByText('0 of 8 glasses today')).toBeVisible()
      const yesterday = days(water).nth(5)
      await expect(yesterday).toHaveAccessibleName('Drink water, Saturday 28 March, 2 of 8 glasses')
      await more.click()
      await expect(water.getByText('1 of 8 glasses today')).toBeVisible()
      await expect(yesterday).toHaveAccessibleName('Drink water, Saturday 28 March, 2 of 8 glasses')
    })

    await test.step('at midnight an open year switches to the new day, too', async () => {
      await expect(cells.and(page.locator('[aria-current=date]'))).toHaveAttribute('data-day', '2026-03-29')
      await expect(writing.getByRole('definition').last()).toHaveText('33% 3 of 9')
    })

    await test.step('a click after midnight counts for the new day, and the previous one stays', async () => {
      await expect(tick(row(page, 'Sing'))).not.toBeChecked()
      await tick(row(page, 'Sing')).check()
      await expect(streak(row(page, 'Sing'))).toHaveText('Current streak: 4 days')
      await expect
        .poll(() => saidDays(page, 'Sing'))
        .toEqual(['2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29'])
    })
  })

  test.describe('without a connection', () => {
    test.use({ mayLog: /Could not read|ERR_INTERNET_DISCONNECTED|session could not be read TimeoutError/ })

    test('until it is back', async ({ page, context }) => {
      await openAt(page, '2026-03-28T22:50:00.000Z', [...kept, { name: 'Sing', ...drawn }])
      await expectTheOldDay(page)
      await waitUntil(page, '2026-03-28T22:59:00.000Z')
      await settled(page)
      await context.setOffline(true)
      await tick(row(page, 'Sing')).check()
      await expect(streak(row(page, 'Sing'))).toHaveText('Current streak: 3 days')
      const readAgain = readsTheList(page)
      await waitUntil(page, '2026-03-28T23:00:01.000Z')

      await test.step('at midnight an open list switches to the new day by itself, without a connection', async () => {
        await expectTheNewDay(page)
        await readAgain
      })

      await test.step('a click without a connection at 23:59 counts for that day', async () => {
        await waitUntil(page, '2026-03-28T23:01:00.000Z')
        await expect(tick(row(page, 'Sing'))).not.toBeChecked()
        await expect(days(row(page, 'Sing')).nth(5)).toHaveAccessibleName('Sing, Saturday 28 March, done')
        await expect(streak(row(page, 'Sing'))).toHaveText('Current streak: 3 days')

        await context.setOffline(false)
        await expect.poll(() => saidDays(page, 'Sing')).toEqual(['2026-03-26', '2026-03-27', '2026-03-28'])
        await expect(tick(row(page, 'Sing'))).not.toBeChecked()
        await expect(streak(row(page, 'Sing'))).toHaveText('Current streak: 3 days')
      })
    })
  })

  test('another week, and a night of sleep', async ({ page }) => {
    // A Saturday and a Sunday: the end of one week from Monday, but of two from Sunday, the second being the current one.
    const done = ['2026-03-21', '2026-03-22']
    await openAt(page, '2026-03-28T22:40:00.000Z', [
      { name: 'Swim', frequency: 'weekly', start: '2026-03-01', done },
      { name: 'Read', ...read },
    ])

    await test.step('a changed week start counts the weeks again', async () => {
      await expect(tick(row(page, 'Swim'))).not.toBeChecked()
      await expect(streak(row(page, 'Swim'))).toHaveText('Current streak: 1 week')
      await page.getByRole('button', { name: /account menu/ }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      await page.getByLabel('Week starts on').selectOption('Sunday')
      await page.getByRole('link', { name: 'Habits' }).click()
      await expect(tick(row(page, 'Swim'))).toBeChecked()
      await expect(streak(row(page, 'Swim'))).toHaveText('Current streak: 2 weeks')
      const said = (await saidHabits(page)).find(({ name }) => name === 'Swim')
      expect(said).toMatchObject({ completed: true, current_streak: 2 })
    })

    await test.step('a machine that slept through midnight shows the new day when it wakes up', async () => {
      await expect(tick(row(page, 'Read'))).toBeChecked()
      await page.clock.setSystemTime('2026-03-29T06:00:00.000Z')
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await expect(tick(row(page, 'Read'))).not.toBeChecked()
      expect((await dates(page, 'Read')).at(-1)).toBe('2026-03-29')
    })
  })

  test('with a day start at 03:00, the night that is one hour short ends the day when clocks show 03:00', async ({
    page,
  }) => {
    await page.clock.install({ time: '2026-03-28T22:50:00.000Z' })
    await signUpBehindTheScreens(page)
    await keepHabits(page, kept)
    await changeBehindTheScreens(page, { day_start: 180 })
    await page.goto('/habits')
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
