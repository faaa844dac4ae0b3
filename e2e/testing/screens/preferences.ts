import { expect, type Page } from '@playwright/test'
import { signUpBehindTheScreens } from '../person/person.ts'

export const preferencesCall = '**/api/preferences'

export const timeZone = (page: Page) => page.getByRole('button', { name: /^Time zone/ })
export const dayStart = (page: Page) => page.getByLabel('Day starts at')
export const weekStart = (page: Page) => page.getByLabel('Week starts on')
export const startPage = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Start page' }).getByRole('radio', { name })
export const theme = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name })
export const zones = (page: Page) => page.getByRole('listbox', { name: 'Time zones' }).getByRole('option')
/** The line that explains what a change means. */
export const meaning = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /\S/ })

export async function openSettings(page: Page) {
  await signUpBehindTheScreens(page)
  await page.goto('/settings')
  await settingsShown(page)
}

/** Waits until the settings, however they were opened, are there. */
export async function settingsShown(page: Page) {
  await expect(timeZone(page)).toBeVisible()
  // A new account first stores the browser's zone; its response must not be mistaken for that of a later change.
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  await expect.poll(async () => (await stored(page)).time_zone).toBe(zone)
}

export async function chooseZone(page: Page, typed: string, name: string | RegExp) {
  await timeZone(page).click()
  await page.getByRole('combobox', { name: 'Search time zones' }).fill(typed)
  await zones(page).filter({ hasText: name }).click()
}

/** What the server has stored. */
export async function stored(page: Page) {
  return (await (await page.request.get('/api/preferences')).json()).preferences
}

export async function changeBehindTheScreens(page: Page, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  expect((await page.request.patch('/api/preferences', { data, headers: { origin } })).status()).toBe(200)
}

/** Calls `change` and waits until the server has accepted the change. */
export async function saved(page: Page, change: () => Promise<unknown>) {
  // The request of this change: the response to an earlier one may still be on its way.
  const request = page.waitForRequest(
    (request) => request.method() === 'PATCH' && request.url().endsWith('/api/preferences'),
  )
  await change()
  expect((await (await request).response())?.status()).toBe(200)
}
