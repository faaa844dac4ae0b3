import { sizeOf, watchRequests } from '../../testing/usable.ts'
import { newContext, openUsable, slowPage, untilStored } from './slow-browser.mjs'

/**
 * What the to-do screen costs somebody who opens it for the first time (`cold`) and once more (`warm`), in milliseconds until it is
 * usable, and in KB; what its scripts keep, in MB; and the elements of the page.
 * @param {import('@playwright/test').Browser} browser
 * @param {Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>['cookies']} cookies
 */
export async function openedTwice(browser, cookies) {
  const context = await newContext(browser, cookies)
  const first = await slowPage(context)
  const requests = await watchRequests(first)
  const cold = await openUsable(first, '/todos')
  const read = sizeOf(await requests.before(cold), /^\/api\//)
  await untilStored(first)
  await first.close()

  const second = await slowPage(context)
  const warm = await openUsable(second, '/todos')
  const memory = await memoryOf(second)
  const elements = await second.evaluate(() => document.querySelectorAll('*').length)
  await context.close()
  return { cold, warm, read, memory, elements }
}

/**
 * What the page's scripts keep, in MB.
 * @param {import('@playwright/test').Page} page
 */
async function memoryOf(page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('HeapProfiler.collectGarbage')
  const { usedSize } = await browser.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}
