import { expect, type Page, type Request } from '@playwright/test'
import { painted } from '../connection/settled.ts'

/**
 * Lets the page's time pass in steps of `step` milliseconds, but not while a request sent from here on is in flight: a request
 * without a response for three seconds causes a connection probe, and an aborted one is reported as a server that does not
 * respond.
 */
export function whileAnswered(page: Page, step: number): (milliseconds: number) => Promise<void> {
  const inFlight = new Set<Request>()
  page.on('request', (request) => inFlight.add(request))
  page.on('requestfinished', (request) => inFlight.delete(request))
  page.on('requestfailed', (request) => inFlight.delete(request))
  return async (milliseconds) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      // A paint, and what the device stores, take real time, and what follows from them must not miss the page's.
      await painted(page)
      await page.waitForTimeout(25)
      await expect.poll(() => inFlight.size).toBe(0)
      await page.clock.runFor(step)
    }
  }
}
