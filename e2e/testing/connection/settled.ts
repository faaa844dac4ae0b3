import { expect, type Page } from '@playwright/test'

/** Waits until the app has started, and neither requests nor parts of it nor changes are on their way. */
export async function settled(page: Page): Promise<void> {
  const isSettled = async () => {
    const isActive = () => document.documentElement.hasAttribute('data-activity')
    // What has just ended may make others begin: only once nothing is left to run for it is nothing under way. A timer of the page may
    // be that of a test's clock, which ticks now and then, or stands still.
    for (let round = 0; round < 2; round++) {
      if (isActive()) return false
      await Promise.race([
        new Promise((resolve) => setTimeout(resolve)),
        scheduler.postTask(() => {}, { delay: 100 }),
      ])
      await scheduler.postTask(() => {}, { priority: 'background' })
    }
    return !isActive()
  }
  // Not `waitForFunction`: it takes the promise itself for an answer. And not its usual pauses of up to a second.
  await expect.poll(() => page.evaluate(isSettled), { intervals: [25], timeout: 120_000 }).toBe(true)
}

/** Waits until the page has painted what it shows now, and done what it put off until then (`afterPaint`). Both take real time. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Not `requestAnimationFrame`: a test's clock may have stopped it.
    await new Promise<void>((resolve) => {
      const frame = new IntersectionObserver(() => {
        frame.disconnect()
        resolve()
      })
      frame.observe(document.documentElement)
    })
    // A later turn than that of the page, which waited for the same frame.
    for (let turn = 0; turn < 2; turn++) await scheduler.postTask(() => {}, { priority: 'background' })
  })
}

/** Waits until the server has all that was changed on this device, and refused none of it. */
export async function allSaved(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByText('All changes saved', { exact: true })).toBeAttached()
}

/** Leads to this path as a link within the app does: the router notices, and nothing is loaded anew. */
export async function showInTheSamePage(page: Page, path: string): Promise<void> {
  const { pathname, search } = new URL(page.url())
  if (`${pathname}${search}` === path) return
  await page.evaluate((to) => history.pushState(null, '', to), path)
}
