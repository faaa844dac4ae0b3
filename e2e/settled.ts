import { expect, type Page } from '@playwright/test'

/** Waits until the app has started, and neither requests nor parts of it nor changes are on their way. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-activity', 'none')
}
