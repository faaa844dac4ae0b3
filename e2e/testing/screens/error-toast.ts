import { expect, type Page } from '@playwright/test'

/** Expects a toast with the error, and no other toast that claims success. */
export async function expectOnlyErrorToast(page: Page, error: string) {
  const toasts = page.locator('[data-sonner-toast]')
  // While the pointer is over them, no toast disappears by itself.
  await toasts.filter({ hasText: error }).hover()
  await expect(toasts).toHaveCount(1)
}

/** Closes every toast, so that what is told next stands alone. */
export async function closeToasts(page: Page): Promise<void> {
  await expect(async () => {
    // Those below others can't be pressed with a pointer.
    await page.locator('[data-sonner-toast] [aria-label="Close notification"]').evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click()
    })
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0)
  }).toPass({ intervals: [50] })
}
