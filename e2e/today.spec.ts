import { expect, type Page } from '@playwright/test'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { changeBehindTheScreens, chooseZone, dayStart, timeZone } from './testing/screens/preferences.ts'

test.use({ timezoneId: 'Europe/Copenhagen' })

test.describe("the day on the screens is the person's day", () => {
  // When hours pass in a moment, a request in progress takes too long.
  test.use({ mayLog: /Could not read|session could not be read TimeoutError/ })
  const today = (page: Page) => page.getByRole('banner').locator('p')

  /** A page that was opened at an instant and whose clock moves only when told to. */
  async function openAt(page: Page, instant: string, preferences: object) {
    await signUpBehindTheScreens(page)
    await changeBehindTheScreens(page, { ...preferences, at: '2026-01-01T00:00:00.000Z' })
    await page.clock.install({ time: instant })
    await page.goto('/settings')
    // By then everything has been read. A read in progress would never finish while the clock stands still, and would time
    // out when the clock jumps.
    await expect(timeZone(page)).toBeVisible()
    await expect(page.getByText('This device', { exact: true })).toBeVisible()
    await page.clock.pauseAt(new Date(Date.parse(instant) + 60_000))
  }

  for (const { night, opened, preferences, before, stays, turns, after } of [
    {
      night: 'at midnight',
      opened: '2026-05-20T21:50:00.000Z',
      preferences: {},
      before: 'Wednesday, May 20',
      stays: 8 * 60,
      turns: 2 * 60,
      after: 'Thursday, May 21',
    },
    {
      night: 'at the day start, not at midnight',
      opened: '2026-05-20T21:50:00.000Z',
      preferences: { day_start: 180 },
      before: 'Wednesday, May 20',
      stays: 3 * 3600,
      turns: 20 * 60,
      after: 'Thursday, May 21',
    },
    {
      night: 'on the night that is one hour short, at 03:00 local time',
      opened: '2026-03-29T00:30:00.000Z',
      preferences: { day_start: 180 },
      before: 'Saturday, March 28',
      stays: 28 * 60,
      turns: 2 * 60,
      after: 'Sunday, March 29',
    },
    {
      night: 'on the night that is one hour longer, at 03:00 local time',
      opened: '2026-10-25T00:30:00.000Z',
      preferences: { day_start: 180 },
      before: 'Saturday, October 24',
      stays: 88 * 60,
      turns: 2 * 60,
      after: 'Sunday, October 25',
    },
    {
      night: 'in the fixed zone, wherever the browser is',
      opened: '2026-05-20T14:50:00.000Z',
      preferences: { time_zone: 'Asia/Tokyo' },
      before: 'Wednesday, May 20',
      stays: 8 * 60,
      turns: 2 * 60,
      after: 'Thursday, May 21',
    },
  ]) {
    test(`the date changes by itself ${night}`, async ({ page }) => {
      await openAt(page, opened, preferences)
      await expect(today(page)).toHaveText(before)
      await page.clock.runFor(stays * 1000)
      await expect(today(page)).toHaveText(before)
      await page.clock.runFor(turns * 1000)
      await expect(today(page)).toHaveText(after)
    })
  }

  test('a machine that slept through midnight shows the new day when it wakes up', async ({ page }) => {
    await openAt(page, '2026-05-20T18:00:00.000Z', {})
    await expect(today(page)).toHaveText('Wednesday, May 20')
    await page.clock.setSystemTime('2026-05-21T06:00:00.000Z')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(today(page)).toHaveText('Thursday, May 21')
  })

  test('a new day start or zone changes the date at once', async ({ page }) => {
    await openAt(page, '2026-05-21T00:30:00.000Z', {})
    await page.clock.resume()
    await expect(today(page)).toHaveText('Thursday, May 21')
    await dayStart(page).selectOption('04:00')
    await expect(today(page)).toHaveText('Wednesday, May 20')
    await chooseZone(page, 'tokyo', 'Asia/Tokyo')
    await expect(today(page)).toHaveText('Thursday, May 21')
  })

  test('a to-do completed before the day start counts for the day before', async ({ page }) => {
    await openAt(page, '2026-05-20T23:10:00.000Z', { day_start: 180 })
    await page.clock.resume()
    await page.goto('/todos')
    await page.getByPlaceholder('Add a new task...').fill('Read a page')
    await page.keyboard.press('Enter')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('checkbox', { name: 'Read a page' }).check()
    expect((await sent).postDataJSON()).toMatchObject({ completed: 1, day: '2026-05-20' })
  })
})
