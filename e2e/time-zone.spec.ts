import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { rowsOnDevice } from './testing/connection/on-device.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  changeBehindTheScreens,
  chooseZone,
  meaning,
  openSettings,
  preferencesCall,
  saved,
  settingsShown,
  stored,
  timeZone,
  weekStart,
  zones,
} from './testing/screens/preferences.ts'

const chosenZone = (page: Page) => zones(page).and(page.locator('[aria-selected=true]'))

test.use({ timezoneId: 'Europe/Copenhagen' })

test('the search for a time zone', async ({ page }) => {
  await openSettings(page)

  await test.step('lists every zone that the browser knows, with its current offset', async () => {
    await timeZone(page).click()
    const known = await page.evaluate(() => Intl.supportedValuesOf('timeZone').length)
    expect(await zones(page).count()).toBeGreaterThanOrEqual(known + 1)
    await expect(zones(page).filter({ hasText: 'Asia/Kathmandu' })).toContainText('UTC+05:45')
    await expect(chosenZone(page)).toHaveText(/Follow this browser\s*Europe\/Copenhagen/)
    await page.keyboard.press('Escape')
  })

  await test.step('finds a place by its name, in upper or lower case, by its current name, and by its offset', async () => {
    await timeZone(page).click()
    const search = page.getByRole('combobox', { name: 'Search time zones' })
    await expect(search).toBeFocused()
    await search.fill('NEW york')
    await expect(zones(page)).toHaveText([/^America\/New York/])
    await search.fill('kyiv')
    await expect(zones(page)).toHaveText([/^Europe\/Kyiv/])
    await search.fill('+5:45')
    await expect(zones(page)).toHaveText([/^Asia\/Kathmandu/])
    await search.fill('atlantis')
    await expect(zones(page)).toHaveCount(0)
    await expect(page.getByText('No matching time zones.')).toBeVisible()
    await search.press('Enter')
    await expect(search).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('shows the fixed zone in the middle of the list when it opens', async () => {
    await changeBehindTheScreens(page, { time_zone: 'Pacific/Auckland' })
    await expect(timeZone(page)).toHaveText('Pacific/Auckland')
    await timeZone(page).click()
    await expect(chosenZone(page)).toContainText('Pacific/Auckland')
    await expect(chosenZone(page)).toBeInViewport({ ratio: 1 })
  })
})

const zoneStored = async (page: Page) => {
  const { time_zone, time_zone_follows_browser } = await stored(page)
  return `${time_zone}${time_zone_follows_browser ? ', followed' : ', fixed'}`
}

test.describe('the time zone follows the browser until one is fixed', () => {
  test('at home and in Tokyo', async ({ page, browser }) => {
    await signUpBehindTheScreens(page)
    expect(await zoneStored(page)).toBe('UTC, followed')
    await page.goto('/settings')
    await expect.poll(() => zoneStored(page)).toBe('Europe/Copenhagen, followed')
    await settingsShown(page)
    const inTokyo = await travel(browser, page.context(), 'Asia/Tokyo')

    await test.step('the account learns the zone of a new person, and of one who travels', async () => {
      await inTokyo.goto('/settings')
      await expect.poll(() => zoneStored(page)).toBe('Asia/Tokyo, followed')
      await expect(timeZone(inTokyo)).toHaveText('Asia/Tokyo')
    })

    await test.step('a fixed zone stays until the browser is followed again', async () => {
      await chooseZone(page, 'lisbon', 'Europe/Lisbon')
      await expect.poll(() => zoneStored(page)).toBe('Europe/Lisbon, fixed')

      await inTokyo.reload()
      await expect(timeZone(inTokyo)).toHaveText('Europe/Lisbon')
      await expect(timeZone(inTokyo)).toHaveAccessibleDescription('Stays the same wherever you are')
      expect(await zoneStored(page)).toBe('Europe/Lisbon, fixed')

      await saved(inTokyo, () => chooseZone(inTokyo, '', 'Follow this browser'))
      await expect(timeZone(inTokyo)).toHaveText('Asia/Tokyo')
      await expect(meaning(inTokyo)).toHaveText(
        "Your days now use this browser's time zone, Asia/Tokyo. Days already recorded stay as they are.",
      )
      await expect.poll(() => zoneStored(page)).toBe('Asia/Tokyo, followed')
    })
    await inTokyo.context().close()
  })

  for (const { what, prepare } of [
    { what: 'does not know yet', prepare: expectRead },
    { what: 'has not read back its own change, and does not know yet', prepare: expectOnlyAccepted },
    { what: 'has an unsent change of its own, and does not know', prepare: expectUnsent },
  ])
    test(`a device that ${what} that it was fixed elsewhere does not undo it`, async ({ page, browser }) => {
      await signUpBehindTheScreens(page)
      await prepare(page)
      // The same device in Tokyo, which remembers that it follows the browser.
      const inTokyo = await travel(browser, page.context(), 'Asia/Tokyo')
      await changeBehindTheScreens(page, { time_zone: 'Europe/Lisbon' })
      const { promise: held, resolve: letRespond } = Promise.withResolvers<void>()
      const sent: string[] = []
      await inTokyo.route(preferencesCall, async (route) => {
        sent.push(route.request().postData() ?? '')
        await held
        await route.continue()
      })
      await inTokyo.goto('/settings')
      // Until the server has responded, days are those of the place where the browser is.
      await expect(timeZone(inTokyo)).toHaveText('Asia/Tokyo')
      expect(sent.join()).not.toContain('Tokyo')
      letRespond()
      await expect(timeZone(inTokyo)).toHaveText('Europe/Lisbon')
      expect(sent.join()).not.toContain('Tokyo')
      expect(await zoneStored(page)).toBe('Europe/Lisbon, fixed')
      await inTokyo.context().close()
    })
})

test.describe('a zone that the server refuses', () => {
  test.use({ mayLog: /Failed to load resource|Failed to save preferences/ })

  test('an error is shown once, and not again and again', async ({ page }) => {
    await signUpBehindTheScreens(page)
    const calls: string[] = []
    await page.route(preferencesCall, async (route) => {
      calls.push(route.request().method())
      if (route.request().method() !== 'PATCH') return route.continue()
      await route.fulfill({ status: 400, json: { code: 'INVALID_INPUT', message: 'Unknown time zone' } })
    })
    await page.goto('/settings')
    await expect(page.getByText('Failed to save preferences')).toBeVisible()
    // After an error the list is read again, which each time is a chance to start over.
    await expect.poll(() => calls).toEqual(['GET', 'PATCH', 'GET'])
    await weekStart(page).selectOption('Sunday')
    await expect(weekStart(page)).toHaveValue('1')
    await expect.poll(() => calls).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'GET'])
    await expect(page.getByText('“Time zone: Follow this browser”')).toHaveCount(1)
  })
})

test.describe('if the browser calls its zone by a former name', () => {
  test.use({ timezoneId: 'Asia/Kolkata' })

  const sentChanges = (page: Page) => {
    const bodies: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().endsWith('/api/preferences')) {
        bodies.push(request.postData() ?? '')
      }
    })
    return bodies
  }

  test('the names of zones', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/settings')

    await test.step("the account of a new person stores and shows the zone's current name", async () => {
      await expect.poll(() => zoneStored(page)).toBe('Asia/Kolkata, followed')
      await expect(timeZone(page)).toHaveText('Asia/Kolkata')
      await timeZone(page).click()
      await expect(chosenZone(page)).toHaveText(/Follow this browser\s*Asia\/Kolkata/)
      await page.keyboard.press('Escape')
    })

    await test.step('a chosen zone keeps the name under which it was chosen', async () => {
      for (const { typed, zone } of [
        { typed: 'kiev', zone: 'Europe/Kyiv' },
        { typed: 'katmandu', zone: 'Asia/Kathmandu' },
        { typed: 'kolkata', zone: 'Asia/Kolkata' },
      ]) {
        await chooseZone(page, typed, zone)
        await expect.poll(() => zoneStored(page)).toBe(`${zone}, fixed`)
        await expect(timeZone(page)).toHaveText(zone)
        await timeZone(page).click()
        await expect(chosenZone(page)).toContainText(zone)
        await page.keyboard.press('Escape')
      }
    })
  })

  for (const kept of ['Asia/Kolkata', 'Asia/Calcutta'])
    test(`an account with ${kept} is sent nothing: it is the same zone`, async ({ page }) => {
      await signUpBehindTheScreens(page)
      await changeBehindTheScreens(page, { time_zone: kept, time_zone_follows_browser: true })
      const changes = sentChanges(page)
      const read = page.waitForResponse(preferencesCall)
      await page.goto('/settings')
      await read
      await expect(timeZone(page)).toHaveText('Asia/Kolkata')
      // Changes are sent in order: one of the zone would come before this one.
      await saved(page, () => weekStart(page).selectOption('Sunday'))
      expect(changes.join()).not.toContain('time_zone')
      expect(await zoneStored(page)).toBe(`${kept}, followed`)
    })
})

test.describe('a computer that moves to another zone', () => {
  // Playwright's own setting is fixed while a page is open; the browser's can change.
  test.use({ timezoneId: undefined })

  test('is followed while the page stays open', async ({ page }) => {
    const machine = await page.context().newCDPSession(page)
    const carryTo = (timezoneId: string) => machine.send('Emulation.setTimezoneOverride', { timezoneId })
    const calls: string[] = []
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/api/preferences')) calls.push(request.method())
    })
    await carryTo('Europe/Copenhagen')
    await openSettings(page)
    // Sent, and read again: nothing is pending that would report the next zone.
    await expect.poll(() => calls).toEqual(['GET', 'PATCH', 'GET'])
    expect(await zoneStored(page)).toBe('Europe/Copenhagen, followed')
    await carryTo('Asia/Tokyo')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(timeZone(page)).toHaveText('Asia/Tokyo')
    await expect.poll(() => zoneStored(page)).toBe('Asia/Tokyo, followed')
  })
})

/** The same device, signed in and with its storage, opened in another zone. */
async function travel(browser: Browser, home: BrowserContext, timezoneId: string): Promise<Page> {
  const storageState = await home.storageState({ indexedDB: true })
  const context = await browser.newContext({ timezoneId, storageState })
  return context.newPage()
}

/** The zone changes in the device's storage. */
async function storedChanges(page: Page): Promise<unknown[]> {
  return (await rowsOnDevice(page)).filter((row) => JSON.stringify(row).includes('preferences.change'))
}

/** The account has learned this browser's zone, and the device has read that back. */
async function expectRead(page: Page) {
  await page.goto('/settings')
  await expect.poll(() => zoneStored(page)).toBe('Europe/Copenhagen, followed')
  await expect.poll(() => storedChanges(page)).toEqual([])
}

/** The device has stored the zone to send, and the account has not learned it. */
async function expectUnsent(page: Page) {
  await page.route(preferencesCall, async (route) => {
    if (route.request().method() !== 'PATCH') await route.continue()
  })
  await page.goto('/settings')
  await expect.poll(() => storedChanges(page)).toHaveLength(1)
}

/** The account has learned the zone, and the device knows only that the server accepted it. */
async function expectOnlyAccepted(page: Page) {
  let isAccepted = false
  await page.route(preferencesCall, async (route) => {
    if (route.request().method() === 'PATCH') isAccepted = true
    else if (isAccepted) return
    await route.continue()
  })
  await page.goto('/settings')
  await expect
    .poll(() => storedChanges(page))
    .toEqual([expect.objectContaining({ acknowledged: expect.any(Number) })])
}
