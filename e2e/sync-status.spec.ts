import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, inEveryLook, resize } from './testing/looks/looks.ts'
import { test } from './testing/person/person.ts'
import { field, keptTasks, openList, row, tick } from './testing/screens/todo-list.ts'

const said = (page: Page) => page.getByRole('banner').locator('.sr-only', { hasNotText: 'Daymark' })
const spoken = (page: Page) => page.locator('[aria-live="polite"].sr-only')

test.use({
  mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|failed|no storage/,
})

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
  await expect(row(page, title)).toBeVisible()
}

/** What the status shows. */
const seen = (page: Page) =>
  page.getByRole('banner').locator('[aria-hidden]').filter({ visible: true, hasText: /./ })
const signs = (page: Page) => page.getByRole('banner').locator('div > svg')

test('the status', async ({ page, context }) => {
  await openList(page, { open: ['Read the paper'] })
  await fetchedLater(page, 'several-tasks-')

  await test.step('says offline and how many changes wait while that lasts, and shows nothing once all is saved', async () => {
    await expect(said(page)).toHaveText('All changes saved')
    await expect(signs(page)).toHaveCount(0)
    await expect(seen(page)).toHaveCount(0)
    await context.setOffline(true)
    await expect(said(page)).toHaveText('Offline')
    await expect(spoken(page)).toHaveText("Offline. Changes will be sent when you're back online.")
    await add(page, 'Buy milk')
    await expect(said(page)).toHaveText('Offline. 1 change waits on this device')
    await add(page, 'Buy bread')
    await expect(said(page)).toHaveText('Offline. 2 changes wait on this device')
    await expect(seen(page)).toHaveText('Offline. 2 changes wait on this device')
    await resize(page, 360)
    await expect(seen(page)).toHaveText('Offline, 2 wait')
    await resize(page, 1280)
    await context.setOffline(false)
    await expect(spoken(page)).toHaveText('Back online. All changes saved.')
    expect(await keptTasks(page), 'it was so when it was said').toHaveLength(3)
    await expect(said(page)).toHaveText('All changes saved')
    await expect(signs(page)).toHaveCount(0)
    await expect(seen(page)).toHaveCount(0)
    await settled(page)
  })

  await test.step('moves nothing, never overflows and passes WCAG 2.2 AA, at 320 to 1280 px in both themes', async () => {
    const heading = page.getByRole('heading', { level: 1 })
    const places = new Map<number, unknown>()
    const widths = [320, 360, 768, 1280]
    for (const width of widths) {
      await resize(page, width)
      places.set(width, await heading.boundingBox())
    }
    await context.setOffline(true)
    for (const title of ['Ask for milk', 'Ask for bread', 'Ask for salt']) await add(page, title)
    await expect(said(page)).toHaveText('Offline. 3 changes wait on this device')
    await inEveryLook(page, widths, async ({ width, expectNoAxeViolations }) => {
      await expectNothingSticksOut(page)
      expect(await heading.boundingBox(), `${width} px`).toEqual(places.get(width))
      await expectNoAxeViolations()
    })
    await resize(page, 1280)
    await page.emulateMedia({ colorScheme: 'light' })
    await context.setOffline(false)
    await expect(said(page)).toHaveText('All changes saved')
    await settled(page)
  })

  await test.step('is readable at 320 px with text at twice the size', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await expect(said(page)).toHaveText('All changes saved')
    const enlarged = await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await context.setOffline(true)
    await add(page, 'Send a card')
    await expect(page.getByRole('banner').getByText('Offline, 1 waits')).toBeInViewport({ ratio: 1 })
    await expectNothingSticksOut(page)
    await expectNoAxeViolations(page)
    await enlarged.evaluate((style) => style.parentNode?.removeChild(style))
    await resize(page, 1280)
    await context.setOffline(false)
    await expect(said(page)).toHaveText('All changes saved')
    await settled(page)
  })

  await test.step('says that changes wait while the server fails, and notices by itself that it responds again', async () => {
    await page.route('**/api/todos', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.fallback(),
    )
    await add(page, 'Water the plants')
    await expect(said(page)).toHaveText(/1 change/)
    await page.unroute('**/api/todos')
    await expect(said(page)).toHaveText('All changes saved', { timeout: 30_000 })
    await settled(page)
  })

  await test.step('never says saved before a change has reached the server, from the click on and after a reload', async () => {
    await expect(said(page)).toHaveText('All changes saved')
    const letGo = await holdRequest(page, /\/api\/todos\//)
    await watchForLies(page)
    await tick(row(page, 'Read the paper')).click()
    await expect(said(page)).toHaveText('Sending 1 change')
    expect(await page.evaluate('saidTooEarly')).toEqual([])

    await page.addInitScript(`(${watch})()`)
    await page.reload()
    await expect(said(page)).toHaveText('Sending 1 change')
    expect(await page.evaluate('saidTooEarly')).toEqual([])
    letGo()
    await expect(said(page)).toHaveText('All changes saved')
    expect(await keptTasks(page)).toContainEqual({ title: 'Read the paper', completed: 1 })
  })
})

/** Records every time that the top bar says saved, from the next click on. */
async function watchForLies(page: Page) {
  await page.evaluate(`(${watch})(true)`)
}

const watch = `(afterClick) => {
  window.saidTooEarly = []
  let watching = !afterClick
  addEventListener('click', () => setTimeout(() => { watching = true }, 20), true)
  new MutationObserver(() => {
    const words = document.querySelector('header')?.textContent ?? ''
    if (watching && /saved/i.test(words)) saidTooEarly.push(words)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}`

test('the status as time passes', async ({ page }) => {
  await openList(page)
  await page.clock.install()

  await test.step('a press retries a server that does not respond at once', async () => {
    let tried = 0
    await page.route('**/api/**', (route) => {
      tried++
      return route.abort()
    })
    await add(page, 'Buy milk')
    await page.clock.runFor(20_000)
    await expect(said(page)).toHaveText('The server does not answer. 1 change waits')
    // From here on nothing is retried automatically.
    await page.clock.pauseAt(Date.now() + 60_000)
    const before = tried
    await page.getByRole('button', { name: 'Try now' }).press('Enter')
    await expect.poll(() => tried).toBeGreaterThan(before)
    await page.unroute('**/api/**')
    await page.clock.resume()
    await expect(said(page)).toHaveText('All changes saved')
    await settled(page)
  })

  await test.step('notices by itself that the server is back when there is nothing to send', async () => {
    await page.route('**/api/**', (route) => route.abort())
    await page.reload()
    await page.clock.runFor(20_000)
    await expect(said(page)).toHaveText('The server does not answer')
    await page.unroute('**/api/**')
    await page.clock.runFor(16_000)
    await expect(said(page)).toHaveText('All changes saved')
  })
})

test('without storage it says that changes are only in this tab', async ({ page, context }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined })
  })
  await openList(page)
  await context.setOffline(true)
  await add(page, 'Buy milk')
  await expect(said(page)).toHaveText('Offline. 1 change is only in this tab')
})
