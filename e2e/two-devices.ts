import { expect, type Page } from '@playwright/test'

/** Within a second, looked at often enough to mean it. */
export const soon = (isSo: () => Promise<boolean>) =>
  expect.poll(isSo, { timeout: 1_000, intervals: [50] }).toBe(true)

/** The stream is open, and what it said first has been heeded. */
export async function listening(page: Page, goes: () => Promise<unknown>) {
  const opened = page.context().waitForEvent('response', (answer) => answer.url().endsWith('/api/events'))
  await goes()
  expect((await opened).status()).toBe(200)
}

/** Another browser in which the same person is signed in. */
export async function otherDevice(page: Page, path: string): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('No browser')
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  await context.addCookies(await page.context().cookies())
  const other = await context.newPage()
  await listening(other, () => other.goto(path))
  return other
}
