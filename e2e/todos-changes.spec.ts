import { expect, type Page, type Request } from '@playwright/test'
import { expectOnlyErrorToast } from './error-toast.ts'
import { test, withoutEvents } from './person.ts'
import {
  completedTasks,
  edit,
  field,
  keptTasks,
  openList,
  openTasks,
  remove,
  row,
  runUntilVisible,
  stopTime,
  tick,
  titleField,
  titlesIn,
  toasts,
  watchChanges,
} from './todo-list.ts'

test.describe('section 4, states and transitions', () => {
  test('moves between open and completed, to where it belongs', async ({ page }) => {
    await openList(page, { open: ['Newest', 'Middle', 'Oldest'], completed: ['Done before'] })
    await tick(row(page, 'Middle')).check()
    await expect(tick(row(page, 'Middle'))).toBeChecked()
    await expect.poll(() => titlesIn(completedTasks(page))).toEqual(['Middle', 'Done before'])
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Newest', 'Oldest'])
    await expect(page.getByRole('heading', { level: 2, name: 'Completed 2' })).toBeVisible()

    await tick(row(page, 'Middle')).uncheck()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Newest', 'Middle', 'Oldest'])
    await expect(page.getByRole('heading', { level: 2, name: 'Completed 1' })).toBeVisible()
    await expect
      .poll(() => keptTasks(page))
      .toEqual([
        { title: 'Newest', completed: 0 },
        { title: 'Middle', completed: 0 },
        { title: 'Oldest', completed: 0 },
        { title: 'Done before', completed: 1 },
      ])
  })

  test('a completed task is still completed after a reload', async ({ page }) => {
    await openList(page, { open: ['Return library books'] })
    await tick(row(page, 'Return library books')).click()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Return library books', completed: 1 }])
    await page.reload()
    await expect(tick(row(page, 'Return library books'))).toBeChecked()
  })

  test('tasks ticked one after the other stay still under the pointer', async ({ page }) => {
    await page.clock.install()
    await openList(page, { open: ['First', 'Second', 'Third'] })
    await stopTime(page)
    const before = await row(page, 'Second').boundingBox()
    await tick(row(page, 'First')).click()
    await page.clock.runFor(400)
    expect(await row(page, 'Second').boundingBox()).toEqual(before)
    await tick(row(page, 'Second')).click()
    await page.clock.runFor(400)
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['First', 'Second', 'Third'])
    await page.clock.runFor(1_000)
    await expect.poll(() => titlesIn(completedTasks(page))).toEqual(['Second', 'First'])
  })

  test('adding, toggling, renaming and deleting show at once, before the server responds', async ({
    page,
  }) => {
    await openList(page, { open: ['Return library books', 'Send invoice', 'Cancel the old gym contract'] })
    await page.route('**/api/todos/**', () => {})
    await page.route('**/api/todos', () => {})
    await field(page).fill('Water the lemon tree')
    await field(page).press('Enter')
    await expect(row(page, 'Water the lemon tree')).toBeVisible()
    await tick(row(page, 'Return library books')).click()
    await expect(completedTasks(page).getByText('Return library books')).toBeVisible()
    await edit(row(page, 'Send invoice')).click()
    await titleField(page).fill('Send October invoice')
    await titleField(page).press('Enter')
    await expect(row(page, 'Send October invoice')).toBeVisible()
    await remove(row(page, 'Cancel the old gym contract')).click()
    await expect(row(page, 'Cancel the old gym contract')).toHaveCount(0)
    expect(await keptTasks(page)).toHaveLength(3)
  })
})

test('section 7: the requests match the specification, with the cookie', async ({ page }) => {
  await openList(page)
  const sent = watchChanges(page)
  const calls: Request[] = []
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/todos') && request.method() !== 'GET') calls.push(request)
  })
  await field(page).fill('Send invoice')
  await field(page).press('Enter')
  await tick(row(page, 'Send invoice')).click()
  await edit(row(page, 'Send invoice')).click()
  await titleField(page).fill('Send October invoice')
  await titleField(page).press('Enter')
  await remove(row(page, 'Send October invoice')).click()
  await expect.poll(() => sent).toHaveLength(4)
  expect(sent).toMatchObject([
    { method: 'POST', path: '/api/todos', body: { title: 'Send invoice', completed: 0 } },
    { method: 'PUT', path: '/api/todos/{id}', body: { completed: 1 } },
    { method: 'PUT', path: '/api/todos/{id}/edit', body: { title: 'Send October invoice' } },
    { method: 'DELETE', path: '/api/todos/{id}' },
  ])
  expect(sent[1]?.body, 'a toggle cannot undo a rename made elsewhere').not.toHaveProperty('title')
  await expect.poll(() => calls).toHaveLength(4)
  for (const call of calls) expect(await call.allHeaders()).toHaveProperty('cookie')
})

test.describe('section 8, failures are rolled back and shown', () => {
  test.use({ mayLog: /Failed to (load resource|update todo|(add|delete) task)|Could not read todos/ })

  const refuse = (page: Page, method: string) =>
    page.route('**/api/todos{,/**}', (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
        : route.fallback(),
    )

  test("an update that fails: 'Failed to update todo'", async ({ page }) => {
    await openList(page, { open: ['Return library books', 'Water the lemon tree'] })
    await refuse(page, 'PUT')
    await tick(row(page, 'Return library books')).click()
    await expect(toasts(page)).toContainText('Failed to update todo')
    await expect(toasts(page)).toContainText('Return library books')
    await expect(tick(row(page, 'Return library books'))).not.toBeChecked()
    await expect
      .poll(() => titlesIn(openTasks(page)))
      .toEqual(['Return library books', 'Water the lemon tree'])
  })

  test("a title edit that fails: 'Failed to update todo'", async ({ page }) => {
    await openList(page, { open: ['Send invoice'] })
    await refuse(page, 'PUT')
    await edit(row(page, 'Send invoice')).click()
    await titleField(page).fill('Send October invoice')
    await titleField(page).press('Enter')
    await expect(toasts(page)).toContainText('Failed to update todo')
    await expect(toasts(page), 'what was not saved can be copied').toContainText('Send October invoice')
    await expect(row(page, 'Send invoice')).toBeVisible()
  })

  test('an add that fails is rolled back and shown', async ({ page }) => {
    await openList(page, { open: ['Return library books'] })
    await refuse(page, 'POST')
    await field(page).fill('Water the lemon tree')
    await field(page).press('Enter')
    await expect(toasts(page)).toContainText('Failed to add task')
    await expect(row(page, 'Water the lemon tree')).toHaveCount(0)
    await expect(row(page, 'Return library books')).toBeVisible()
  })

  test('a deletion that fails is rolled back and shown, and nothing claims any longer that it succeeded', async ({
    page,
  }) => {
    await openList(page, { open: ['Return library books', 'Water the lemon tree'] })
    await refuse(page, 'DELETE')
    await remove(row(page, 'Return library books')).click()
    await expectOnlyErrorToast(page, 'Failed to delete task')
    await expect
      .poll(() => titlesIn(openTasks(page)))
      .toEqual(['Return library books', 'Water the lemon tree'])
  })

  test('a list that cannot be loaded says so and can be retried', async ({ page }) => {
    // Someone who starts to listen for changes requests the list again by themselves.
    await withoutEvents(page)
    let broken = true
    await page.route('**/api/todos?done=recent', (route) =>
      broken
        ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
        : route.fallback(),
    )
    await openList(page, { open: ['Return library books'] })
    await expect(page.getByText("Your tasks couldn't be loaded.")).toBeVisible()
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'Return library books')).toBeVisible()
  })
})

test.describe('undo after delete', () => {
  test("the toast 'Task deleted' names the task, and Undo restores it to its place", async ({ page }) => {
    await page.clock.install()
    await openList(page, { open: ['Newest', 'Middle', 'Oldest'] })
    await stopTime(page)
    await remove(row(page, 'Middle')).click()
    await expect(row(page, 'Middle')).toHaveCount(0)
    await expect.poll(() => keptTasks(page)).toHaveLength(2)
    await runUntilVisible(page, toasts(page).filter({ hasText: 'Task deleted' }))
    await expect(toasts(page)).toContainText('Middle')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Newest', 'Middle', 'Oldest'])
    await expect.poll(() => keptTasks(page)).toHaveLength(3)
    await expect(tick(row(page, 'Middle'))).toBeFocused()
    await page.clock.runFor(500)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('a completed task comes back completed', async ({ page }) => {
    await page.clock.install()
    await openList(page, { completed: ['Pay the electricity bill'] })
    await stopTime(page)
    await remove(row(page, 'Pay the electricity bill')).click()
    await expect(page.getByText('No tasks yet. Add your first one above.')).toBeVisible()
    const undo = page.getByRole('button', { name: 'Undo' })
    await runUntilVisible(page, undo)
    await undo.click()
    await expect(tick(row(page, 'Pay the electricity bill'))).toBeChecked()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Pay the electricity bill', completed: 1 }])
  })
})
