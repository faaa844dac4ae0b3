import { expect, type Page } from '@playwright/test'

/** Expects a toast with the error, and no other toast that claims success. */
export async function expectOnlyErrorToast(page: Page, error: string) {
  const toasts = page.locator('[data-sonner-toast]')
  // While the pointer is over them, no toast disappears by itself.
  await toasts.filter({ hasText: error }).hover()
  await expect(toasts).toHaveCount(1)
}
