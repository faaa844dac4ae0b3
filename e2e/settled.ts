import { expect, type Page } from '@playwright/test'

/** Waits until the app has started, and neither requests nor parts of it nor changes are on their way. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('html')).not.toHaveAttribute('data-activity', { timeout: 120_000 })
}

/** Leads to this path as a link within the app does: the router notices, and nothing is loaded anew. */
export async function showInTheSamePage(page: Page, path: string): Promise<void> {
  const { pathname, search } = new URL(page.url())
  if (`${pathname}${search}` === path) return
  await page.evaluate((to) => history.pushState(null, '', to), path)
}
