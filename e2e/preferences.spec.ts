import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { keepDeviceBusy, rowsOnDevice } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { inEveryLook, resize } from './testing/looks/looks.ts'
import { signOutBehindTheScreens, signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  changeBehindTheScreens,
  chooseZone,
  dayStart,
  meaning,
  openSettings,
  preferencesCall,
  saved,
  settingsShown,
  startPage,
  stored,
  theme,
  timeZone,
  weekStart,
  zones,
} from './testing/screens/preferences.ts'

test.use({ timezoneId: 'Europe/Copenhagen' })

test('the settings, and the preferences in them', async ({ page, context }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/todos')

  await test.step('can be opened from the user menu', async () => {
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await settingsShown(page)
  })

  await test.step("has the title 'Settings' and its subtitle", async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
    await expect(page.getByText('Manage your account settings and preferences')).toBeVisible()
    await expect(page).toHaveTitle('Settings · Daymark')
  })

  await test.step('show time zone, day start, week start and theme, each with its choices', async () => {
    await expect(page.getByRole('region', { name: 'Preferences' })).toBeVisible()
    await expect(timeZone(page)).toHaveText('Europe/Copenhagen')
    await expect(timeZone(page)).toHaveAccessibleDescription('Follows this browser until you choose one')
    await expect(dayStart(page)).toHaveAccessibleDescription(
      'Hours before that count toward the previous day',
    )
    await expect(dayStart(page).getByRole('option')).toHaveText([
      ...['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00'],
      ...['03:30', '04:00', '04:30', '05:00', '05:30', '06:00'],
    ])
    await expect(weekStart(page).getByRole('option')).toHaveText([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ])
    await expect(page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio')).toHaveCount(3)
    await expect(dayStart(page)).toHaveValue('0')
    await expect(weekStart(page)).toHaveValue('1')
    await expect(theme(page, 'System')).toBeChecked()
  })

  await test.step('everything can be chosen with the keyboard alone, and the focus is always visible', async () => {
    // The focus stops before the card.
    await page.getByRole('button', { name: 'Save Changes' }).focus()

    await page.keyboard.press('Tab')
    await expect(timeZone(page)).toBeFocused()
    await expect(timeZone(page)).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Enter')
    await page.keyboard.type('australia')
    await expect(page.locator('[role=option].bg-hover')).toContainText('Australia/Adelaide')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const search = page.getByRole('combobox', { name: 'Search time zones' })
    const active = page.locator(`[id="${await search.getAttribute('aria-activedescendant')}"]`)
    await expect(active).toContainText('Australia/Brisbane')
    await page.keyboard.press('Enter')
    await expect(timeZone(page)).toHaveText('Australia/Brisbane')
    await expect(timeZone(page)).toBeFocused()

    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(timeZone(page)).toBeFocused()
    await expect(timeZone(page)).toHaveText('Australia/Brisbane')

    await page.keyboard.press('Tab')
    await expect(dayStart(page)).toBeFocused()
    await expect(dayStart(page)).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('ArrowDown')
    await expect(dayStart(page)).toHaveValue('30')

    await page.keyboard.press('Tab')
    await page.keyboard.type('Sun')
    await expect(weekStart(page)).toHaveValue('7')

    await page.keyboard.press('Tab')
    await expect(startPage(page, 'Todos')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(startPage(page, 'Today')).toBeChecked()

    await page.keyboard.press('Tab')
    await expect(theme(page, 'System')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(theme(page, 'Light')).toBeChecked()
    await expect(page.locator('label').filter({ has: page.locator(':focus') })).toHaveCSS(
      'outline-style',
      'solid',
    )
    await expect
      .poll(() => stored(page))
      .toMatchObject({
        time_zone: 'Australia/Brisbane',
        day_start: 30,
        week_start: 7,
        start_page: 'today',
        theme: 'light',
      })
  })

  await test.step('a day start between the half hours, set by another client, is shown as it is', async () => {
    await changeBehindTheScreens(page, { day_start: 75 })
    await expect(dayStart(page)).toHaveValue('75')
    await expect(dayStart(page).locator('option:checked')).toHaveText('01:15')
  })

  await test.step('are the same in all tabs at once', async () => {
    const other = await context.newPage()
    await other.goto('/settings')
    await expect(timeZone(other)).toBeVisible()
    await weekStart(page).selectOption('Tuesday')
    await theme(page, 'Dark').check()
    await expect(weekStart(other)).toHaveValue('2')
    await expect(theme(other, 'Dark')).toBeChecked()
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
    await other.close()
  })
})

test('preferences across reloads', async ({ page }) => {
  await openSettings(page)

  await test.step('each is saved when it is chosen, says what it means, and is there after a reload', async () => {
    await expect(meaning(page)).toHaveCount(0)

    await saved(page, () => dayStart(page).selectOption('03:30'))
    await expect(meaning(page)).toHaveText(
      'Your day now starts at 03:30. Hours before that count toward the previous day. Days already recorded stay as they are.',
    )
    await saved(page, () => weekStart(page).selectOption('Sunday'))
    await expect(meaning(page)).toHaveText(
      'Your week now starts on Sunday. Weekly habits now use these weeks, including past ones.',
    )
    await saved(page, () => theme(page, 'Dark').check())
    await expect(meaning(page)).toHaveText('Daymark is now dark on all your devices.')
    await saved(page, () => chooseZone(page, 'tokyo', 'Asia/Tokyo'))
    await expect(meaning(page)).toHaveText(
      'Your days now use the time zone Asia/Tokyo, wherever you are. Days already recorded stay as they are.',
    )
    await expect(timeZone(page)).toHaveAccessibleDescription('Stays the same wherever you are')

    expect(await stored(page)).toEqual({
      time_zone: 'Asia/Tokyo',
      time_zone_follows_browser: false,
      day_start: 210,
      week_start: 7,
      theme: 'dark',
      todos_sort: 'newest',
      start_page: 'todos',
      focus_plan: { focus: 25, break: 5, long_break: 15, every: 4, auto_start: false },
    })
    await page.reload()
    await expect(timeZone(page)).toHaveText('Asia/Tokyo')
    await expect(dayStart(page)).toHaveValue('210')
    await expect(weekStart(page)).toHaveValue('7')
    await expect(theme(page, 'Dark')).toBeChecked()
    await expect(meaning(page)).toHaveCount(0)
  })

  await test.step('the last known preferences are there at once, without a response from the server', async () => {
    const letRespond = await holdRequest(page, preferencesCall)
    await page.reload()
    await expect(dayStart(page)).toHaveValue('210')
    letRespond()
    await settled(page)
  })

  await test.step('a choice survives a reload that comes before the device could store it', async () => {
    await keepDeviceBusy(page)
    await theme(page, 'Light').check()
    await page.reload()
    await expect(theme(page, 'Light')).toBeChecked()
    await expect.poll(async () => (await stored(page)).theme).toBe('light')
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).join()))
      .not.toContain('left-writes')
    await settled(page)
  })

  await test.step('a change that was not sent before leaving the page is sent from the next one', async () => {
    // Never gets a response.
    await page.route(preferencesCall, () => {})
    await weekStart(page).selectOption('Saturday')
    await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('preferences.change')
    await page.unrouteAll()
    await page.goto('/todos')
    await expect.poll(async () => (await stored(page)).week_start).toBe(6)
  })
})

test.describe('offline', () => {
  test.use({ mayLog: /Failed to load resource|Could not read/ })

  test('a change is shown, stored and sent later', async ({ page, context }) => {
    await openSettings(page)
    await settled(page)
    await context.setOffline(true)
    await dayStart(page).selectOption('04:00')
    await expect(dayStart(page)).toHaveValue('240')
    expect((await stored(page)).day_start).toBe(0)
    await context.setOffline(false)
    await expect.poll(async () => (await stored(page)).day_start).toBe(240)
    await expect(dayStart(page)).toHaveValue('240')
  })
})

test.describe('a change that fails', () => {
  test.use({ mayLog: /Failed to load resource|Failed to save preferences|Could not read preferences/ })

  test('and preferences that do not load', async ({ page }) => {
    await signUpBehindTheScreens(page)

    await test.step('preferences that cannot be loaded say so, stop nothing else, and can be retried', async () => {
      await page.route(preferencesCall, (route) =>
        route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
      )
      await page.goto('/settings')
      await expect(page.getByText("Your preferences couldn't be loaded.")).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
      await expectNoAxeViolations(page)
      await page.unroute(preferencesCall)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(timeZone(page)).toHaveText('Europe/Copenhagen')
      await settingsShown(page)
      await settled(page)
    })

    await page.route(preferencesCall, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } })
        : route.continue(),
    )
    const toast = (text: string) =>
      page.getByRole('listitem').filter({ hasText: 'Failed to save preferences' }).filter({ hasText: text })

    await test.step('is rolled back and shown, whichever it was', async () => {
      await dayStart(page).selectOption('05:00')
      await expect(toast('“Day starts at: 05:00”')).toBeVisible()
      await expect(dayStart(page)).toHaveValue('0')
      await expect(meaning(page)).toHaveCount(0)

      // Not `check`, which fails if the choice is rolled back before it looks.
      await theme(page, 'Dark').click()
      await expect(toast('“Theme: Dark”')).toBeVisible()
      await expect(theme(page, 'System')).toBeChecked()
      await expect(page.locator('html')).not.toHaveAttribute('data-theme')
      expect(await page.evaluate(() => localStorage.getItem('daymark-theme'))).toBe('system')

      await chooseZone(page, 'tokyo', 'Asia/Tokyo')
      await expect(toast('“Time zone: Asia/Tokyo”')).toBeVisible()
      await expect(timeZone(page)).toHaveText('Europe/Copenhagen')
      await expect(timeZone(page)).toHaveAccessibleDescription('Follows this browser until you choose one')
    })

    await test.step('can be retried from its toast', async () => {
      await weekStart(page).selectOption('Sunday')
      await expect(toast('“Week starts on: Sunday”')).toBeVisible()
      await expect(weekStart(page)).toHaveValue('1')
      await page.unroute(preferencesCall)
      await toast('“Week starts on: Sunday”').getByRole('button', { name: 'Try again' }).click()
      await expect(weekStart(page)).toHaveValue('7')
      await expect.poll(async () => (await stored(page)).week_start).toBe(7)
    })
  })
})

test('how they look', async ({ page }) => {
  await signUpBehindTheScreens(page)

  await test.step('while they load, their rows are in place, and nothing moves when they arrive', async () => {
    const letRespond = await holdRequest(page, preferencesCall)
    await page.goto('/settings')
    const card = page.getByRole('region', { name: 'Preferences' })
    await expect(card).toHaveAttribute('aria-busy', 'true')
    await expect(card.getByText('Week starts on')).toBeVisible()
    await expect(weekStart(page)).toHaveCount(0)
    await expectNoAxeViolations(page)
    const before = await card.boundingBox()
    letRespond()
    await expect(weekStart(page)).toBeVisible()
    await expect(card).not.toHaveAttribute('aria-busy')
    expect(await card.boundingBox()).toEqual(before)
    await settingsShown(page)
    await settled(page)
  })

  await test.step('pass WCAG 2.2 AA at 360 and 1280 px, in both themes', async () => {
    const judge = () => inEveryLook(page, [360, 1280], (look) => look.expectNoAxeViolations())
    await dayStart(page).selectOption('03:00')
    await expect(meaning(page)).toBeVisible()
    await judge()
    await timeZone(page).click()
    await expect(zones(page).first()).toBeVisible()
    await judge()
    await page.keyboard.type('europe')
    await judge()
    await expect(zones(page).first()).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('fit a screen 320, 360, 768 and 1280 px wide, even with text at twice the size', async () => {
    await changeBehindTheScreens(page, { time_zone: 'America/Argentina/ComodRivadavia' })
    await expect(timeZone(page)).toContainText('America/Argentina')
    for (const textSize of ['100%', '200%']) {
      await page.addStyleTag({ content: `html { font-size: ${textSize} }` })
      for (const width of [320, 360, 768, 1280]) {
        await resize(page, width)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        expect(await cutOff(page), `${width} px`).toEqual([])
      }
    }
  })
})

/** Text and controls that overflow the card. */
function cutOff(page: Page) {
  return page.getByRole('region', { name: 'Preferences' }).evaluate((card) => {
    const { left, right } = card.getBoundingClientRect()
    return [...card.querySelectorAll('p, h2, label, select, button')]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        return box.width > 1 && (box.left < left || box.right > right)
      })
      .map((element) => element.textContent)
  })
}

test('signed out, the settings redirect to /sign-in', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await signOutBehindTheScreens(page)
  await page.goto('/settings')
  await expect(page).toHaveURL(/\/sign-in$/)
})
