import { expect, type Page, type Request } from '@playwright/test'
import { readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import { closeToasts, expectOnlyErrorToast } from './testing/screens/error-toast.ts'
import {
  completedTasks,
  createTasks,
  edit,
  field,
  keptTasks,
  openList,
  openTasks,
  remove,
  replaceTasks,
  row,
  runUntilVisible,
  stopTime,
  tick,
  titleField,
  titlesIn,
  toasts,
  watchChanges,
} from './testing/screens/todo-list.ts'

test('every change of a task shows at once and is sent', async ({ page }) => {
  await openList(page, { open: ['Newest', 'Middle', 'Oldest'], completed: ['Done before'] })

  await test.step('moves between open and completed, to where it belongs', async () => {
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

  await test.step('the requests are those that the API promises, with the cookie', async () => {
    await settled(page)
    await replaceTasks(page, {})
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
    page.removeAllListeners('requestfinished')
  })

  await test.step('a completed task is still completed after a reload', async () => {
    await settled(page)
    await replaceTasks(page, { open: ['Return library books'] })
    await tick(row(page, 'Return library books')).click()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Return library books', completed: 1 }])
    await page.reload()
    await expect(tick(row(page, 'Return library books'))).toBeChecked()
  })

  await test.step('adding, toggling, renaming and deleting show at once, before the server responds', async () => {
    await settled(page)
    await replaceTasks(page, {
      open: ['Return library books', 'Send invoice', 'Cancel the old gym contract'],
    })
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

test('what waits for a moment, and undo after delete', async ({ page }) => {
  await page.clock.install()
  await openList(page, { completed: ['Pay the electricity bill'] })
  await stopTime(page)

  await test.step('a completed task comes back completed', async () => {
    await remove(row(page, 'Pay the electricity bill')).click()
    await expect(page.getByText('No tasks yet. Add your first one.')).toBeVisible()
    const undo = page.getByRole('button', { name: 'Undo' })
    await runUntilVisible(page, undo)
    await undo.click()
    await expect(tick(row(page, 'Pay the electricity bill'))).toBeChecked()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Pay the electricity bill', completed: 1 }])
  })

  const given = async (open: readonly string[]) => {
    await page.clock.resume()
    await settled(page)
    await replaceTasks(page, { open })
    await closeToasts(page)
    await stopTime(page)
  }

  await test.step("the toast 'Task deleted' names the task, and Undo restores it to its place", async () => {
    await given(['Newest', 'Middle', 'Oldest'])
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

  await test.step('tasks ticked one after the other stay still under the pointer', async () => {
    await given(['First', 'Second', 'Third'])
    const before = await row(page, 'Second').boundingBox()
    await tick(row(page, 'First')).click()
    await page.clock.runFor(400)
    expect(await row(page, 'Second').boundingBox()).toEqual(before)
    await tick(row(page, 'Second')).click()
    await page.clock.runFor(400)
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['First', 'Second', 'Third'])
    await runUntilVisible(page, completedTasks(page).getByText('Second'))
    await expect.poll(() => titlesIn(completedTasks(page))).toEqual(['Second', 'First'])
  })
})

test.describe('a change that fails', () => {
  test.use({ mayLog: /Failed to (load resource|update todo|(add|delete) task)|Could not read todos/ })

  const refuse = (page: Page, method: string) =>
    page.route('**/api/todos{,/**}', (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
        : route.fallback(),
    )

  test('failures are rolled back and shown', async ({ page }) => {
    // Someone who starts to listen for changes requests the list again by themselves.
    await withoutEvents(page)
    await signUpBehindTheScreens(page)
    await createTasks(page, {
      open: ['Return library books', 'Water the lemon tree', 'Send invoice'],
    })
    const titles = () => titlesIn(openTasks(page))

    await test.step('a list that cannot be loaded says so and can be retried', async () => {
      let broken = true
      await page.route(readsOf('todos'), (route) =>
        broken
          ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
          : route.fallback(),
      )
      await page.goto('/todos')
      await expect(page.getByText("Your tasks couldn't be loaded.")).toBeVisible()
      // The page may be trying again by itself: succeeding, that would take the button away before it is pressed.
      await settled(page)
      broken = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(row(page, 'Return library books')).toBeVisible()
      await settled(page)
    })

    await test.step("an update that fails: 'Failed to update todo'", async () => {
      const before = await titles()
      await refuse(page, 'PUT')
      await tick(row(page, 'Return library books')).click()
      await expect(toasts(page)).toContainText('Failed to update todo')
      await expect(toasts(page)).toContainText('Return library books')
      await expect(tick(row(page, 'Return library books'))).not.toBeChecked()
      await expect.poll(titles).toEqual(before)
    })

    await test.step("a title edit that fails: 'Failed to update todo'", async () => {
      await closeToasts(page)
      await settled(page)
      await edit(row(page, 'Send invoice')).click()
      await titleField(page).fill('Send October invoice')
      await titleField(page).press('Enter')
      await expect(toasts(page)).toContainText('Failed to update todo')
      await expect(toasts(page), 'what was not saved can be copied').toContainText('Send October invoice')
      await expect(row(page, 'Send invoice')).toBeVisible()
      await page.unroute('**/api/todos{,/**}')
    })

    await test.step('an add that fails is rolled back and shown', async () => {
      await closeToasts(page)
      await settled(page)
      await refuse(page, 'POST')
      await field(page).fill('Post the letter')
      await field(page).press('Enter')
      await expect(toasts(page)).toContainText('Failed to add task')
      await expect(row(page, 'Post the letter')).toHaveCount(0)
      await expect(row(page, 'Return library books')).toBeVisible()
      await page.unroute('**/api/todos{,/**}')
    })

    await test.step('a deletion that fails is rolled back and shown, and nothing claims any longer that it succeeded', async () => {
      await closeToasts(page)
      await settled(page)
      const before = await titles()
      await refuse(page, 'DELETE')
      await remove(row(page, 'Return library books')).click()
      await expectOnlyErrorToast(page, 'Failed to delete task')
      await expect.poll(titles).toEqual(before)
    })
  })
})
