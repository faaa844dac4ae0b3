import { expect, type Page } from '@playwright/test'

/** An element on a page that matches the selector and contains the text. */
type Sign = readonly [page: Page, selector: string, text?: string]

export const hasTask = (title: string) => `main li input[aria-label="${title}"]`
export const hasTicked = (title: string) => `${hasTask(title)}:checked`
export const hasNoTask = (title: string) => `main:not(:has(li input[aria-label="${title}"]))`

/**
 * Expects the pages to show these signs, which they did not show before, after `act`: by themselves, with nothing pressed or loaded.
 * Without live updates they would not, for a minute. How soon they do is for `bench/events.mjs`: here other programs decide it too.
 */
export async function shownLive(act: () => Promise<unknown>, signs: readonly Sign[]) {
  for (const [shows, selector, hasText = ''] of signs) {
    await expect(shows.locator(selector, { hasText })).toHaveCount(0)
  }
  await act()
  for (const [shows, selector, hasText = ''] of signs) {
    await expect(shows.locator(selector, { hasText }).first()).toBeAttached()
  }
}

/** Calls `navigate`, and waits until the event stream is open. */
export async function listening(page: Page, navigate: () => Promise<unknown>) {
  const opened = page.context().waitForEvent('response', (response) => response.url().endsWith('/api/events'))
  await navigate()
  expect((await opened).status()).toBe(200)
}

/** Opens another browser in which the same person is signed in. */
export async function otherDevice(page: Page, path: string): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('No browser')
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, proxy: undefined })
  await context.addCookies(await page.context().cookies())
  const other = await context.newPage()
  await listening(other, () => other.goto(path))
  return other
}
