import { expect, type Locator, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { resize } from './testing/looks/looks.ts'
import { test, withoutEvents } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { details, openDetails, property, titleIn } from './testing/screens/task-details.ts'
import {
  deleteTask,
  field,
  more,
  openList,
  openTasks,
  row,
  tick,
  toasts,
} from './testing/screens/todo-list.ts'

// Toasts cover nothing that is needed next.

test.use({ mayLog: /Failed to (load resource|add)|got no answer/ })

const bar = (page: Page) => page.getByRole('region', { name: 'Selected tasks' })
const tasks = Array.from({ length: 30 }, (_, place) => `Task ${place}`)
const typed = 'Ask the insurance about the new bicycle, and whether the old lock is still covered by it'

/** Toasts stay while the window is not in use. */
const holdToasts = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('blur')))

/** A high toast with two buttons that stays: a task that was not accepted. */
async function refuseTask(page: Page) {
  await page.route('**/api/todos', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } })
      : route.fallback(),
  )
  await field(page).fill(typed)
  await field(page).press('Enter')
  await expect(toasts(page).filter({ hasText: 'Failed to add task' })).toBeVisible()
}

async function box(locator: Locator) {
  const found = await locator.boundingBox()
  if (!found) throw new Error('not on the screen')
  return { ...found, right: found.x + found.width, bottom: found.y + found.height }
}

/** Polls, because toasts move into place. */
async function expectClear(page: Page, what: Locator, message: string) {
  await expect(async () => {
    const [toast, other] = [await box(toasts(page).first()), await box(what)]
    const overlaps =
      toast.x < other.right && other.x < toast.right && toast.y < other.bottom && other.y < toast.bottom
    expect(overlaps, message).toBe(false)
    await expect(toasts(page).first(), message).toBeInViewport({ ratio: 1 })
  }).toPass({ timeout: 10_000 })
}

test('toasts on a wide screen', async ({ page }) => {
  await withoutEvents(page)
  await openList(page, { open: tasks })
  await fetchedLater(page, 'several-tasks-')
  await deleteTask(row(page, 'Task 0'))
  await expect(toasts(page)).toBeVisible()
  await holdToasts(page)
  await page.mouse.move(5, 400)

  await test.step('stand 12 px above the bar of selected tasks, and go back when it goes', async () => {
    const usual = await box(toasts(page))
    await tick(row(page, 'Task 1')).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(async () => (await box(toasts(page))).bottom).toBe((await box(bar(page))).y - 12)
    expect((await box(toasts(page))).right).toBe(usual.right)
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await box(toasts(page))).bottom).toBe(usual.bottom)
  })

  await test.step('stand left of the details, at every width', async () => {
    await openDetails(page, 'Task 1')
    for (const width of [768, 1024, 1200, 1280, 1440, 1700]) {
      await resize(page, width)
      await expectClear(page, details(page), `${width} px`)
    }
    await resize(page, 1280)
  })

  await test.step('cover no calendar that is open', async () => {
    await property(page, 'Due date').click()
    await expectClear(page, page.getByRole('dialog', { name: 'Due date' }), 'beside the details')
    await page.keyboard.press('Escape')
    await details(page).getByRole('button', { name: 'Close' }).click()
    for (const title of ['Task 4', 'Task 8', 'Task 12']) {
      await tick(row(page, title)).focus()
      await page.keyboard.press('d')
      await expectClear(page, page.getByRole('dialog', { name: 'Due date' }), title)
      await page.keyboard.press('Escape')
    }
  })

  await test.step('stand beside the list where there is room', async () => {
    for (const width of [1600, 1700, 1920]) {
      await resize(page, width)
      await expectClear(page, openTasks(page), `${width} px`)
    }
    await resize(page, 1280)
  })

  await test.step('leave the last row its buttons: the page can be scrolled that far', async () => {
    for (const width of [768, 1280]) {
      await resize(page, width)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await expectClear(page, row(page, 'Task 29'), `${width} px`)
    }
    await resize(page, 1280)
  })

  await test.step('move nothing when they come, move and go', async () => {
    await page.evaluate(() => scrollTo(0, 0))
    await closeToasts(page)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    const shifted = await page.evaluateHandle(() => {
      const shifted = { sum: 0 }
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries())
          if ('value' in shift && 'sources' in shift) shifted.sum += Number(shift.value)
      }).observe({ type: 'layout-shift' })
      return shifted
    })
    await field(page).fill('')
    await refuseTask(page)
    await expect(row(page, typed)).toHaveCount(0)
    const before = await shifted.evaluate(({ sum }) => sum)
    await tick(row(page, 'Task 2')).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expectClear(page, bar(page), 'above the bar')
    await page.keyboard.press('Escape')
    await openDetails(page, 'Task 1')
    await expectClear(page, details(page), 'left of the details')
    await closeToasts(page)
    await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 200)))
    expect(await shifted.evaluate(({ sum }) => sum)).toBe(before)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('toasts on a phone', async ({ page }) => {
    await withoutEvents(page)
    await openList(page, { open: tasks })
    await fetchedLater(page, 'several-tasks-')
    const due = page.getByRole('dialog', { name: 'Due date' })

    const expectAll = async (name: string) => {
      for (const [width, height] of [
        [390, 844],
        [360, 640],
        [320, 568],
      ] as const) {
        await page.setViewportSize({ width, height })
        await more(row(page, 'Task 3')).tap()
        await page.getByRole('menuitem', { name: 'Due date' }).tap()
        await expectClear(page, due, `${name}, calendar, ${width} px`)
        await expect(due.getByRole('button', { name: 'Close' })).toBeInViewport()
        await page.keyboard.press('Escape')
        await expect(due).toHaveCount(0)
        await titleIn(row(page, 'Task 3')).tap()
        await expectClear(page, details(page), `${name}, details, ${width} px`)
        await page.keyboard.press('Escape')
        await expect(details(page)).toHaveCount(0)
      }
      await page.setViewportSize({ width: 390, height: 844 })
    }

    await test.step('stand above a sheet with a calendar, and above the details', async () => {
      await deleteTask(row(page, 'Task 0'))
      await expect(toasts(page)).toBeVisible()
      await holdToasts(page)
      await expectAll('low')
      await titleIn(row(page, 'Task 3')).tap()
      await expectClear(page, details(page), 'details')
      expect((await box(details(page))).y, 'the sheet keeps its place').toBe(72)
      await page.keyboard.press('Escape')
    })

    await test.step('stand above the bar of selected tasks', async () => {
      await more(row(page, 'Task 3')).tap()
      await page.getByRole('menuitem', { name: 'Select' }).tap()
      await expectClear(page, bar(page), 'the bar')
      await page.getByRole('button', { name: 'Clear selection' }).tap()
      await expect(bar(page)).toHaveCount(0)
      await closeToasts(page)
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    })

    await test.step('get room above a sheet if they are high', async () => {
      await refuseTask(page)
      await page.getByRole('heading', { level: 1 }).focus()
      await expectAll('high')
      await closeToasts(page)
    })
  })
})
