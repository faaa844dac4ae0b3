import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { broken } from './testing/screens/settings.ts'
import { field, openList, remove, row } from './testing/screens/todo-list.ts'

test.use({ mayLog: /Failed to (load resource|add|update)|Sign-out failed|got no answer/ })

const toasts = (page: Page) => page.locator('[data-sonner-toast]')
const shown = (page: Page) => page.locator('[data-sonner-toast][data-visible="true"]')

/** The page's own time, moved by the test: nothing depends on how fast the machine is. */
async function openWithOwnTime(page: Page) {
  await signUpBehindTheScreens(page)
  // A stream that is silent for a minute is reopened, and then everything is read again.
  await withoutEvents(page)
  await page.clock.install()
  const read = page.waitForEvent('requestfinished', (request) => /preferences$/.test(request.url()))
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  // A read in progress while time jumps takes too long.
  await read
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.route('**/api/auth/sign-out', (route) => route.fulfill(broken))
}

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
  // Waits until they have come in, with the pointer away from them.
  await page.mouse.move(10, 10)
  await page.clock.runFor(400)
}

async function box(locator: Locator) {
  const found = await locator.boundingBox()
  if (!found) throw new Error('not on the screen')
  return found
}

/** Lets all toasts go, with the pointer and the focus away from them. */
async function clear(page: Page) {
  await page.mouse.move(10, 10)
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await expect(async () => {
    await page.clock.runFor(1_000)
    expect(await toasts(page).count()).toBe(0)
  }).toPass()
}

test('toasts come, stay while pointed at, and go', async ({ page }) => {
  await openWithOwnTime(page)

  await test.step('show at most three at once, 14 px apart when expanded', async () => {
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
    await clear(page)
  })

  await test.step('the ones behind the front one show nothing and cannot be pressed until they are expanded', async () => {
    await raise(page, 4)
    const words = toasts(page).getByText('Failed to sign out')
    const close = toasts(page).getByRole('button', { name: 'Close notification' })
    await expect(words.filter({ visible: true })).toHaveCount(1)
    await expect(close.filter({ visible: true })).toHaveCount(1)
    await toasts(page).first().hover()
    await page.clock.runFor(400)
    await expect(words.filter({ visible: true })).toHaveCount(3)
    await expect(close.filter({ visible: true })).toHaveCount(3)
    await clear(page)
  })

  await test.step('disappear after 4000 ms, and are gone from the page 200 ms later', async () => {
    await raise(page)
    await page.clock.runFor(3_400)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false')
    await page.clock.runFor(250)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'true')
    await page.clock.runFor(200)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('stay while the pointer is over them', async () => {
    await raise(page)
    await toasts(page).hover()
    await page.clock.runFor(60_000)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false')
    await page.mouse.move(10, 10)
    await page.clock.runFor(4_300)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('stay while the window is not in use', async () => {
    await raise(page)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await page.clock.runFor(60_000)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.clock.runFor(10)
    await page.clock.runFor(4_300)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('close by their button', async () => {
    await raise(page)
    await page.getByRole('button', { name: 'Close notification' }).click()
    // It is removed with the next frame.
    await page.clock.runFor(50)
    await expect(toasts(page)).toHaveAttribute('data-removed', 'true')
    await page.clock.runFor(200)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('are swiped away from 45 px on; a slow 44 px springs back', async () => {
    await raise(page)
    await swipe(page, 44)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'false')
    await swipe(page, 45)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'true')
    await page.clock.runFor(300)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('are swiped away by a short flick faster than 0.11 px a millisecond', async () => {
    await raise(page)
    await swipe(page, 20, 200)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'false')
    await swipe(page, 20, 150)
    await expect(toasts(page)).toHaveAttribute('data-swipe-out', 'true')
    await clear(page)
  })

  await test.step('get the focus with Alt+T', async () => {
    await raise(page)
    await page.keyboard.press('Alt+KeyT')
    await expect(page.locator('[data-sonner-toaster]')).toBeFocused()
    // Until then they stay, as they do for whoever reads them.
    await page.keyboard.press('Escape')
    await clear(page)
  })

  await test.step('are at the bottom right, 356 px wide', async () => {
    await raise(page)
    await expect(async () => {
      const { x, y, width, height } = await box(toasts(page))
      expect(width).toBe(356)
      expect(1280 - (x + width)).toBe(24)
      expect(800 - (y + height)).toBeCloseTo(24, 0)
    }).toPass()
    // axe needs a running clock; under the pointer the toast stays.
    await toasts(page).hover()
    await page.clock.resume()
    await expectNoAxeViolations(page)
  })
})

/** Every added task fails, and the toast shows what was typed. */
async function refuseTasks(page: Page) {
  await page.route('**/api/todos', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } })
      : route.fallback(),
  )
}

const typed = 'Ask the insurance about the new bicycle, and whether the old lock is still covered by it'

type Box = Awaited<ReturnType<typeof box>>

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

test('toasts about tasks', async ({ page }) => {
  await withoutEvents(page)
  await openList(page, { open: ['Buy milk', 'Return library books', 'Pay the rent'] })

  await test.step('Undo comes before Close in the Tab order', async () => {
    await remove(row(page, 'Pay the rent')).click()
    await expect(toasts(page)).toBeVisible()
    await page.keyboard.press('Alt+T')
    await page.keyboard.press('Tab')
    await expect(toasts(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(toasts(page).getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(toasts(page).getByRole('button', { name: 'Close notification' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('one short button is beside a short message; two are below it, aligned with the text, and nothing is cut off', async () => {
    await remove(row(page, 'Return library books')).click()
    const undo = toasts(page).getByRole('button', { name: 'Undo' })
    for (const width of [1280, 360]) {
      await resize(page, width)
      // It may still be moving into place.
      await expect(async () => {
        const words = await box(toasts(page).getByText('Task deleted'))
        const button = await box(undo)
        expect(button.x, `${width} px`).toBeGreaterThan(words.x + words.width - 1)
        expect(Math.abs(button.y + button.height / 2 - (words.y + words.height)), `${width} px`).toBeLessThan(
          4,
        )
      }).toPass()
    }
    await undo.click()
    await expect(toasts(page)).toHaveCount(0)

    await refuseTasks(page)
    await field(page).fill(typed)
    await field(page).press('Enter')
    const toast = toasts(page).filter({ hasText: 'Failed to add task' })
    const [again, copy] = ['Try again', 'Copy'].map((name) => toast.getByRole('button', { name }))
    const description = toast.getByText('Something went wrong.')
    for (const width of [1280, 360, 320]) {
      await resize(page, width)
      await expect(async () => {
        const [title, words, first, second] = [
          await box(toast.getByText('Failed to add task')),
          await box(description),
          await box(again ?? toast),
          await box(copy ?? toast),
        ]
        expect(first.x, `${width} px`).toBe(title.x)
        expect(first.y).toBeGreaterThan(words.y + words.height)
        expect(second.y).toBe(first.y)
        expect(words.height, 'four lines').toBeLessThanOrEqual(80)
        expect(await description.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0)
      }).toPass()
      await expect(toast).toBeInViewport({ ratio: 1 })
    }
    await resize(page, 1280)
    await closeToasts(page)
  })

  await test.step('an open dialog keeps its main button above the toasts, at every width and height', async () => {
    for (const title of ['Buy bread', typed]) {
      await field(page).fill(title)
      await field(page).press('Enter')
    }
    await expect(toasts(page)).toHaveCount(2)
    await page.getByRole('link', { name: 'Habits' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Habit Title').fill('Read')
    const add = dialog.getByRole('button', { name: 'Add Habit' })
    for (const [width, height] of [
      [1280, 800],
      [1280, 600],
      [1024, 700],
      [768, 640],
      [360, 800],
      [360, 640],
      [320, 568],
    ] as const) {
      await page.setViewportSize({ width, height })
      await add.scrollIntoViewIfNeeded()
      // A click waits until nothing covers the button.
      await add.click({ trial: true })
      await expect
        .poll(async () => {
          const button = await box(add)
          const over = await Promise.all(
            (await shown(page).all()).map(async (toast) => overlap(button, await box(toast))),
          )
          return over.some(Boolean)
        }, `${width} x ${height} px`)
        .toBe(false)
    }
    await resize(page, 1280)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('link', { name: 'Todos' }).click()
    await closeToasts(page)
    await page.unroute('**/api/todos')
  })

  await test.step('an error without typed text disappears after 4 s like any other, and stays behind the top bar; one with typed text stays', async () => {
    await expect(page.getByRole('banner')).not.toContainText('not accepted')
    const refused = /\/api\/todos(\/|$)/
    await page.route(refused, (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
    )
    await field(page).fill(typed)
    await field(page).press('Enter')
    await expect(toasts(page).filter({ hasText: 'Failed to add task' })).toBeVisible()
    await row(page, 'Buy milk').getByRole('checkbox').click()
    await expect(toasts(page).filter({ hasText: 'Failed to update todo' })).toHaveCount(1)
    await page.mouse.move(10, 10)
    await expect(toasts(page).filter({ hasText: 'Failed to update todo' })).toHaveCount(0)
    await expect(toasts(page).filter({ hasText: 'Failed to add task' })).toBeVisible()
    await expect(page.getByRole('banner')).toContainText('2 changes were not accepted')
  })
})

/** To the right, by mouse, taking `milliseconds` of the page's time. */
async function swipe(page: Page, distance: number, milliseconds = 1_000) {
  // Hovering waits until it has stopped moving.
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
