import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoAxeViolations } from './axe.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './person.ts'
import { broken } from './settings.ts'

// The time of these tests is the page's own, moved by hand: nothing depends on how fast the machine is.
test.use({ mayLog: /Failed to load resource|Sign-out failed|got no answer/ })

const toasts = (page: Page) => page.locator('[data-sonner-toast]')
const shown = (page: Page) => page.locator('[data-sonner-toast][data-visible="true"]')

test.beforeEach(async ({ page }) => {
  await signUpBehindTheScreens(page)
  // A stream that is silent for a minute is opened anew, and then all is read once more.
  await withoutEvents(page)
  await page.clock.install()
  const read = page.waitForEvent('requestfinished', (request) => /preferences$/.test(request.url()))
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  // A read that is under way while time is jumped over takes too long.
  await read
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.route('**/api/auth/sign-out', (route) => route.fulfill(broken))
})

/** Raises a toast: a sign-out that fails. */
async function raise(page: Page, count = 1) {
  for (let raised = 0; raised < count; raised++) {
    const before = await toasts(page).count()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(async () => {
      await page.clock.runFor(1)
      expect(await toasts(page).count()).toBe(before + 1)
    }).toPass()
  }
  // Let them come in, with the pointer away from them.
  await page.mouse.move(10, 10)
  await page.clock.runFor(400)
}

async function box(locator: Locator) {
  const found = await locator.boundingBox()
  if (!found) throw new Error('not on the screen')
  return found
}

test.describe('section 9, toasts', () => {
  test('stand at the bottom right, 356 px wide', async ({ page }) => {
    await raise(page)
    await expect(async () => {
      const { x, y, width, height } = await box(toasts(page))
      expect(width).toBe(356)
      expect(1280 - (x + width)).toBe(24)
      expect(800 - (y + height)).toBeCloseTo(24, 0)
    }).toPass()
    // axe needs a clock that runs; under the pointer the toast waits for it.
    await toasts(page).hover()
    await page.clock.resume()
    await expectNoAxeViolations(page)
  })

  test('are at most three to be seen, 14 px apart when spread out', async ({ page }) => {
    await raise(page, 4)
    await expect(toasts(page)).toHaveCount(4)
    await expect(shown(page)).toHaveCount(3)
    await toasts(page).first().hover()
    await page.clock.runFor(400)
    await expect(async () => {
      const boxes = await Promise.all((await shown(page).all()).map(box))
      const [lowest, middle] = boxes.sort((one, other) => other.y - one.y)
      if (!lowest || !middle) throw new Error('too few')
      expect(lowest.y - (middle.y + middle.height)).toBeCloseTo(14, 0)
    }).toPass()
  })

  test('go after 4000 ms, and are gone from the page 200 ms later', async ({ page }) => {
    await raise(page)
    await page.clock.runFor(3_400)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false')
    await page.clock.runFor(250)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'true')
    await page.clock.runFor(200)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('stay while the pointer is over them', async ({ page }) => {
    await raise(page)
    await toasts(page).hover()
    await page.clock.runFor(60_000)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false')
    await page.mouse.move(10, 10)
    await page.clock.runFor(4_300)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('stay while the window is not in use', async ({ page }) => {
    await raise(page)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await page.clock.runFor(60_000)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.clock.runFor(10)
    await page.clock.runFor(4_300)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('close by their button', async ({ page }) => {
    await raise(page)
    await page.getByRole('button', { name: 'Close toast' }).click()
    await page.clock.runFor(300)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('are swiped away from 45 px on; a slow 44 px springs back', async ({ page }) => {
    await raise(page)
    await swipe(page, 44)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'false')
    await swipe(page, 45)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'true')
    await page.clock.runFor(300)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('are swiped away by a short flick faster than 0.11 px a millisecond', async ({ page }) => {
    await raise(page)
    await swipe(page, 20, 200)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'false')
    await swipe(page, 20, 150)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'true')
  })

  test('take the focus with Alt+T', async ({ page }) => {
    await raise(page)
    await page.keyboard.press('Alt+KeyT')
    await expect(page.locator('[data-sonner-toaster]')).toBeFocused()
  })
})

/** To the right, by mouse, taking `milliseconds` of the page's time. */
async function swipe(page: Page, distance: number, milliseconds = 1_000) {
  // Hovering waits until it has come to rest.
  await toasts(page).hover({ position: { x: 60, y: 20 } })
  const { x, y } = await box(toasts(page))
  const from = { x: Math.round(x) + 60, y: Math.round(y) + 20 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await expect(async () => {
    await page.mouse.move(from.x + distance - 1, from.y)
    await page.mouse.move(from.x + distance, from.y)
    expect(await toasts(page).evaluate((toast) => toast.style.getPropertyValue('--swipe-amount-x'))).toBe(
      `${distance}px`,
    )
  }).toPass()
  await page.clock.runFor(milliseconds)
  await page.mouse.up()
}
