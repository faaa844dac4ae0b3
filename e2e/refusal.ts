import { expect, type Page } from '@playwright/test'

/** A refusal is told, and no other toast says that it was done. */
export async function expectRefusalAlone(page: Page, refusal: string) {
  const toasts = page.locator('[data-sonner-toast]')
  // Under the pointer none of them goes by itself.
  await toasts.filter({ hasText: refusal }).hover()
  await expect(toasts).toHaveCount(1)
}
