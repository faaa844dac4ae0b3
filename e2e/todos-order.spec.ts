import { expect, type Locator, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { finger, moveFinger } from './testing/person/finger.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { otherDevice } from './testing/person/two-devices.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  completedTasks,
  createTasks,
  more,
  openList,
  openTasks,
  replaceTasks,
  row,
  sortBy,
  tick,
  titlesIn,
  toasts,
  watchChanges,
} from './testing/screens/todo-list.ts'

const open = ['One', 'Two', 'Three', 'Four', 'Five']
const shown = (page: Page) => titlesIn(openTasks(page))

/** Opens the list in the manual order, which nobody has changed yet. */
async function openInManualOrder(page: Page, tasks: readonly string[] = open) {
  await openList(page, { open: tasks })
  await sortBy(page, 'Manual')
  await expect.poll(() => shown(page)).toEqual(tasks)
  // What orders by hand is loaded after the screen.
  await expect(page.locator('main [draggable=true]')).toBeAttached()
}

/** The five tasks again, in the order that nobody has changed. */
async function openAgain(page: Page, tasks: readonly string[] = open): Promise<void> {
  await settled(page)
  await replaceTasks(page, { open: tasks })
  await expect.poll(() => shown(page)).toEqual(tasks)
  await closeToasts(page)
}

async function middleOf(locator: Locator) {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2, height }
}

/** Drags the grip of a row to a height relative to the middle of another one. */
async function drag(page: Page, title: string, to: string, below = 0) {
  // Rows may still be gliding.
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
  await row(page, title).hover()
  const grip = page.locator('main [draggable=true]')
  await expect(grip).toBeVisible()
  const from = await middleOf(grip)
  const target = await middleOf(row(page, to))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 4, from.y + 4)
  await page.mouse.move(from.x + 30, target.y + below, { steps: 8 })
  await expect(page.locator('main li[data-dragged]')).toHaveCount(1)
}

test('by mouse', async ({ page }) => {
  await openList(page, { open })

  await test.step('there is a grip in the manual order only, for the row under the pointer or with the focus', async () => {
    const grip = page.locator('main [draggable=true]')
    await row(page, 'Two').hover()
    await expect(grip).toHaveCount(0)
    await sortBy(page, 'Manual')
    await expect(grip).toBeAttached()
    for (const title of ['Two', 'Four']) {
      await row(page, title).hover()
      expect((await middleOf(grip)).y).toBe((await middleOf(row(page, title))).y)
    }
    await page.mouse.move(5, 5)
    await expect(grip).toBeHidden()
    await page.keyboard.press('n')
    for (const _ of ['Add', 'One']) await page.keyboard.press('Tab')
    await expect(tick(row(page, 'One'))).toBeFocused()
    expect((await middleOf(grip)).y).toBe((await middleOf(row(page, 'One'))).y)
  })

  await test.step('Escape cancels, and dropping it where it was writes nothing', async () => {
    const sent = watchChanges(page)
    await drag(page, 'Four', 'Two')
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await drag(page, 'Two', 'Two', 8)
    await page.mouse.up()
    await tick(row(page, 'Five')).click()
    await expect.poll(() => sent.map(({ path }) => path)).toEqual(['/api/todos/{id}'])
    await expect.poll(() => shown(page)).toEqual(['One', 'Two', 'Three', 'Four'])
  })

  await test.step('a task dragged by its grip stands where it is dropped, after a reload too, and Undo puts it back', async () => {
    await openAgain(page)
    const sent = watchChanges(page)
    await drag(page, 'Four', 'Two', -12)
    await page.mouse.up()
    await expect.poll(() => shown(page)).toEqual(['One', 'Four', 'Two', 'Three', 'Five'])
    await expect
      .poll(() => sent.map(({ method, path }) => `${method} ${path}`))
      .toEqual(['PUT /api/todos/{id}/edit'])
    await expect(toasts(page)).toContainText('Task moved')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => shown(page)).toEqual(open)
    await drag(page, 'One', 'Five', 12)
    await page.mouse.up()
    await expect.poll(() => shown(page)).toEqual(['Two', 'Three', 'Four', 'Five', 'One'])
    await expect.poll(() => sent).toHaveLength(3)
    await page.reload()
    await expect.poll(() => shown(page)).toEqual(['Two', 'Three', 'Four', 'Five', 'One'])
  })
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true })

  test('by touch', async ({ page }) => {
    const many = Array.from({ length: 30 }, (_, place) => `Task ${place}`)
    await openInManualOrder(page)
    const touch = await finger(page)

    await test.step('a task that is held for a moment is dragged', async () => {
      const from = await middleOf(row(page, 'Four'))
      const to = await middleOf(row(page, 'Two'))
      await touch('touchStart', 150, from.y)
      await expect(page.locator('main li[data-dragged]')).toHaveCount(1)
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await touch('touchMove', 150, from.y + (to.y - 12 - from.y) * part)
      }
      await touch('touchEnd')
      await expect.poll(() => shown(page)).toEqual(['One', 'Four', 'Two', 'Three', 'Five'])
      await expect(toasts(page)).toContainText('Task moved')
      expect(await page.evaluate(() => scrollY)).toBe(0)
      await expect(tick(row(page, 'Four'))).not.toBeChecked()
    })

    await test.step('near the edge of the screen the page scrolls beneath a dragged task', async () => {
      await openAgain(page, many)
      const { y } = await middleOf(row(page, 'Task 1'))
      await touch('touchStart', 150, y)
      await expect(page.locator('main li[data-dragged]')).toHaveCount(1)
      await touch('touchMove', 150, y + 20)
      await touch('touchMove', 150, 690)
      await expect(row(page, 'Task 29')).toBeInViewport()
      await touch('touchEnd')
      await expect.poll(() => shown(page)).toEqual([...many.filter((title) => title !== 'Task 1'), 'Task 1'])
    })

    await test.step('a scroll or a tap is no drag', async () => {
      await closeToasts(page)
      await settled(page)
      await page.evaluate(() => scrollTo(0, 0))
      await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
      const sent = watchChanges(page)
      const { y } = await middleOf(row(page, 'Task 6'))
      await moveFinger(touch, { x: 150, y }, { y: -200 })
      await page.waitForTimeout(400)
      await expect(page.locator('main li[data-dragged]')).toHaveCount(0)
      await touch('touchEnd')
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50)
      await tick(row(page, 'Task 9')).tap()
      await expect.poll(() => sent.map(({ path }) => path)).toEqual(['/api/todos/{id}'])
      await expect(completedTasks(page).getByText('Task 9')).toBeVisible()
    })
  })
})

test('by keyboard and menu', async ({ page }) => {
  await openInManualOrder(page)

  await test.step('a row says whether its menu is open, and which keys move it in the manual order', async () => {
    const box = tick(row(page, 'Two'))
    await expect(box).toHaveAttribute('aria-keyshortcuts', 'Alt+ArrowUp Alt+ArrowDown')
    for (const title of ['Two', 'Four']) {
      const button = more(row(page, title))
      await expect(button).toHaveAttribute('aria-expanded', 'false')
      await button.press('Enter')
      await expect(button).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('Escape')
      await expect(button).toHaveAttribute('aria-expanded', 'false')
    }
    await sortBy(page, 'Newest')
    await expect(box).not.toHaveAttribute('aria-keyshortcuts')
    await sortBy(page, 'Manual')
  })

  await test.step("the row's menu moves a task to the top, and Undo puts it back", async () => {
    await more(row(page, 'Four')).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Move to top' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(() => shown(page)).toEqual(['Four', 'One', 'Two', 'Three', 'Five'])
    await expect(more(row(page, 'Four'))).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => shown(page)).toEqual(open)
  })

  await test.step("the row's menu moves a task up and down, as far as there are others", async () => {
    await closeToasts(page)
    const choose = async (title: string, item: string) => {
      await more(row(page, title)).press('Enter')
      await page.getByRole('menuitem', { name: item }).press('Enter')
    }
    await choose('Two', 'Move down')
    await expect.poll(() => shown(page)).toEqual(['One', 'Three', 'Two', 'Four', 'Five'])
    await choose('Five', 'Move up')
    await expect.poll(() => shown(page)).toEqual(['One', 'Three', 'Two', 'Five', 'Four'])
    await more(row(page, 'One')).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await more(row(page, 'Four')).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Move down' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step('Alt and an arrow move the task with the focus, which stays on it, and say its new place', async () => {
    await openAgain(page)
    const said = page.locator('p[aria-live=polite]')
    await tick(row(page, 'Four')).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(said).toHaveText('Four, 3 of 5')
    await expect(tick(row(page, 'Four'))).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(said).toHaveText('Four, 1 of 5')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowDown')
    await expect(said).toHaveText('Four, 2 of 5')
    await expect(tick(row(page, 'Four'))).toBeFocused()
    await expect.poll(() => shown(page)).toEqual(['One', 'Four', 'Two', 'Three', 'Five'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => shown(page)).toEqual(['Four', 'One', 'Two', 'Three', 'Five'])
    await expect(tick(row(page, 'Four'))).toBeFocused()
  })

  await test.step('under another sort Alt and an arrow move nothing, and the manual order is offered', async () => {
    await openAgain(page)
    for (const sort of ['Newest', 'Priority'] as const) {
      await sortBy(page, sort)
      await closeToasts(page)
      await tick(row(page, 'Four')).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await expect(toasts(page)).toContainText('Tasks can be moved in manual order.')
      await expect(tick(row(page, 'Four'))).toBeFocused()
      expect(await shown(page)).toEqual(open)
    }
    await page.keyboard.press('Alt+t')
    await page.getByRole('button', { name: 'Switch to Manual' }).press('Enter')
    await expect(page.getByRole('button', { name: /^Sort by/ })).toHaveText('Sort by: Manual')
    await expect(tick(row(page, 'Four'))).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => shown(page)).toEqual(['One', 'Two', 'Four', 'Three', 'Five'])
  })
})

test.describe('offline', () => {
  test.use({ mayLog: /Failed to load resource/ })

  test('an order that was made offline stands on every device once it is sent', async ({ page, context }) => {
    await openInManualOrder(page)
    const other = await otherDevice(page, '/todos')
    // The toasts are loaded after the screen.
    await fetchedLater(page, 'toaster-')
    await context.setOffline(true)
    await tick(row(page, 'Five')).focus()
    for (const _ of open.slice(1)) await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => shown(page)).toEqual(['Five', 'One', 'Two', 'Three', 'Four'])
    await tick(row(other, 'One')).focus()
    await other.keyboard.press('Alt+ArrowDown')
    await context.setOffline(false)
    const both = ['Five', 'Two', 'One', 'Three', 'Four']
    await expect.poll(() => shown(page)).toEqual(both)
    await expect.poll(() => shown(other)).toEqual(both)
  })
})

test('what the list is sorted by, and what it folds away', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await Promise.all([
    createTasks(page, { open, completed: ['Done today'] }),
    ...[1, 3, 400].map((days) => {
      const at = new Date(Date.now() - days * 86_400_000).toISOString()
      return call(page, 'post', '/api/todos', { title: `Done ${days} days ago`, completed: 1, at })
    }),
  ])
  await page.goto('/todos')
  await settled(page)

  await test.step('what was completed before today is counted and folded away, what was completed today is in sight', async () => {
    await expect(page.getByRole('heading', { name: 'Completed 4' })).toBeVisible()
    await expect.poll(() => titlesIn(completedTasks(page))).toEqual(['Done today'])
    await expect(page.getByRole('link', { name: 'Show all 4' })).toHaveAttribute('href', '/todos/completed')
    await tick(row(page, 'One')).click()
    await expect(page.getByRole('heading', { name: 'Completed 5' })).toBeVisible()
    await expect.poll(() => titlesIn(completedTasks(page))).toEqual(['One', 'Done today'])
  })

  await test.step('the sort is kept on the account', async () => {
    const sort = (on: Page) => on.getByRole('button', { name: /^Sort by/ })
    await expect(sort(page)).toHaveText('Sort by: Newest')
    await settled(page)
    await sortBy(page, 'Due date')
    const other = await otherDevice(page, '/todos')
    await expect(sort(other)).toHaveText('Sort by: Due date')
    await sortBy(other, 'Manual')
    await expect(sort(page)).toHaveText('Sort by: Manual')
    await page.reload()
    await expect(sort(page)).toHaveText('Sort by: Manual')
  })
})

test('in a list', async ({ page }) => {
  await openInManualOrder(page)
  const { list } = await call(page, 'post', '/api/lists', { name: 'Work', color: 2 })
  const todos = () => page.getByRole('link', { name: 'Todos', exact: true })

  /** Puts every second task into the list Work, and opens that. */
  async function openWork(): Promise<void> {
    const { todos } = await (await page.request.get('/api/todos')).json()
    for (const { id, title } of todos) {
      if (!['One', 'Three', 'Five'].includes(title)) continue
      await call(page, 'put', `/api/todos/${id}/edit`, { list_id: list.id })
    }
    await page.getByRole('link', { name: /^Work/ }).click()
    await expect(page).toHaveURL(`/lists/${list.id}`)
    await expect.poll(() => shown(page)).toEqual(['One', 'Three', 'Five'])
  }

  await test.step('a dragged task goes right after the neighbour that is seen above it', async () => {
    await openWork()
    await drag(page, 'Five', 'Three', -12)
    await page.mouse.up()
    await expect.poll(() => shown(page)).toEqual(['One', 'Five', 'Three'])
    await todos().click()
    await expect.poll(() => shown(page)).toEqual(['One', 'Five', 'Two', 'Three', 'Four'])
  })

  await test.step('a task is moved out of it with its menu, and Undo brings it back', async () => {
    await openAgain(page)
    await openWork()
    await more(row(page, 'Three')).press('Enter')
    await page.getByRole('menuitem', { name: 'Move to …' }).press('Enter')
    await expect(page.getByRole('menuitemradio', { name: 'Work' })).toBeChecked()
    await page.getByRole('menuitemradio', { name: 'No list' }).click()
    await expect.poll(() => shown(page)).toEqual(['One', 'Five'])
    await expect(toasts(page)).toContainText('Taken out of Work')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => shown(page)).toEqual(['One', 'Three', 'Five'])
  })

  await test.step('a new task stands first, and belongs to it', async () => {
    // What was put back takes the focus once it is stored.
    await settled(page)
    await tick(row(page, 'Five')).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByPlaceholder('Add a task to Work...').fill('Six')
    await page.keyboard.press('Enter')
    await expect.poll(() => shown(page)).toEqual(['Six', 'Five', 'One', 'Three'])
    await todos().click()
    await expect(row(page, 'Six')).toContainText('List: Work')
    await expect(row(page, 'Two')).not.toContainText('List:')
  })
})
