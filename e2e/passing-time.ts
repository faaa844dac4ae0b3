import { expect, type Page, type Request } from '@playwright/test'

/**
 * Lets the page's time pass in steps of `step` milliseconds, and none while a request made from here on is under way: one
 * that got no answer in three seconds brings a probe of the connection, and one cut short is told as that of a server that
 * does not answer.
 */
export function whileAnswered(page: Page, step: number): (milliseconds: number) => Promise<void> {
  const underWay = new Set<Request>()
  page.on('request', (request) => underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return async (milliseconds) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      await expect.poll(() => underWay.size).toBe(0)
      await page.clock.runFor(step)
    }
  }
}
