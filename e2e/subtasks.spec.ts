import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { addLists } from './testing/screens/list-groups.ts'
import {
  details,
  keptTodos,
  make,
  newSubtask,
  openDetails,
  subtasks,
} from './testing/screens/task-details.ts'
import {
  clearTasks,
  deleteTask,
  openList,
  openTasks,
  replaceTasks,
  row,
  tick,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })
const boxOf = (page: Page, title: string) => details(page).getByRole('checkbox', { name: title, exact: true })
const titles = (page: Page) =>
  subtasks(page).evaluateAll((fields) =>
    fields.map((field) => field instanceof HTMLTextAreaElement && field.value),
  )

/** A trip with these steps, the first of them first, in place of all other tasks. */
async function openTrip(page: Page, steps: readonly string[]) {
  await settled(page)
  await replaceTasks(page, { open: ['Trip', 'Buy milk'] })
  await closeToasts(page)
  await openDetails(page, 'Trip')
  for (const step of steps) {
    await newSubtask(page).fill(step)
    await newSubtask(page).press('Enter')
    await expect(subtasks(page).last()).toHaveValue(step)
  }
}

test('subtasks', async ({ page }) => {
  await openList(page)

  await test.step('a subtask that is half typed is there when somebody goes back, once', async () => {
    await openTrip(page, ['Pack'])
    await newSubtask(page).fill('Book')
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
    await expect(row(page, 'Trip')).toContainText('Subtasks: 0/2')
    await openDetails(page, 'Trip')
    await newSubtask(page).fill('Wash')
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await expect(row(page, 'Trip')).toContainText('Subtasks: 0/3')
  })

  await test.step('the details of a subtask are opened from its task, and lead back', async () => {
    await openTrip(page, ['Pack'])
    await details(page).getByRole('button', { name: 'Details of subtask Pack' }).click()
    await expect(page.getByRole('dialog', { name: 'Details of Pack' })).toBeVisible()
    await details(page).getByRole('button', { name: 'Subtask of Trip' }).click()
    await expect(page.getByRole('dialog', { name: 'Details of Trip' })).toBeVisible()
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('completing a task completes its open subtasks, with one Undo for all', async () => {
    await openTrip(page, ['Pack', 'Book', 'Wash'])
    await boxOf(page, 'Book').check()
    await page.keyboard.press('Escape')
    await tick(row(page, 'Trip')).check()
    await expect(toasts(page).filter({ hasText: 'Task and 2 subtasks completed' })).toBeVisible()
    const done = async () =>
      (await keptTodos(page)).filter(({ completed }) => completed === 1).map(({ title }) => title)
    await expect.poll(async () => (await done()).toSorted()).toEqual(['Book', 'Pack', 'Trip', 'Wash'])
    await undo(page).click()
    await expect.poll(done).toEqual(['Book'])
    await expect(row(page, 'Trip')).toContainText('Subtasks: 1/3')
  })

  await test.step('a task becomes a subtask, and a task of its own again', async () => {
    await openTrip(page, ['Pack'])
    await openDetails(page, 'Buy milk')
    await details(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Make a subtask of …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a Subtask of …' })
    await dialog.getByRole('textbox').fill('tri')
    await dialog.getByRole('button', { name: 'Trip' }).click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Trip'])
    await expect(details(page).getByRole('button', { name: 'Trip' })).toBeVisible()
    await details(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Make a task of its own' }).click()
    await expect.poll(async () => (await titlesIn(openTasks(page))).toSorted()).toEqual(['Buy milk', 'Trip'])
    await undo(page).click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Trip'])
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('subtasks whose parents form a circle, or stand on a third level, are tasks of their own', async () => {
    await settled(page)
    await clearTasks(page)
    const top = await make(page, { title: 'Top' })
    const middle = await make(page, { title: 'Middle', parent_id: top.id })
    await make(page, { title: 'Third level', parent_id: middle.id })
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Third level', 'Top'])
    await expect(row(page, 'Top')).toContainText('Subtasks: 0/1')
  })
})

test('subtasks, after a reload too', async ({ page }) => {
  await openList(page)

  await test.step('deleting a task with subtasks says so, and Undo brings all of them back', async () => {
    await openTrip(page, ['Pack', 'Book'])
    await page.keyboard.press('Escape')
    await deleteTask(row(page, 'Trip'))
    await expect(toasts(page).filter({ hasText: 'Task and 2 subtasks deleted' })).toBeVisible()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Buy milk'])
    await undo(page).click()
    await expect(row(page, 'Trip')).toContainText('Subtasks: 0/2')
    await page.reload()
    await expect(row(page, 'Trip')).toContainText('Subtasks: 0/2')
  })

  await test.step('subtasks are made one after another with Enter, and the row shows how many are done', async () => {
    await openTrip(page, ['Pack', 'Book'])
    await expect(newSubtask(page)).toBeFocused()
    await expect(row(page, 'Trip')).toContainText('Subtasks: 0/2')
    await boxOf(page, 'Pack').check()
    await expect(row(page, 'Trip')).toContainText('Subtasks: 1/2')
    await expect(details(page)).toContainText('1 of 2')
    // They are no rows of their own, and are not counted as such.
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Trip', 'Buy milk'])
    await page.reload()
    await expect(row(page, 'Trip')).toContainText('Subtasks: 1/2')
    await expect.poll(() => titles(page)).toEqual(['Pack', 'Book'])
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('Enter in one makes the next, Backspace in an empty one removes it, Alt and arrows move it', async () => {
    await openTrip(page, ['Pack', 'Book'])
    await subtasks(page).first().press('Enter')
    await expect(newSubtask(page)).toBeFocused()
    await page.keyboard.type('Wash')
    await page.keyboard.press('Enter')
    await expect.poll(() => titles(page)).toEqual(['Pack', 'Wash', 'Book'])
    await page.keyboard.press('Backspace')
    await expect(subtasks(page).nth(1)).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => titles(page)).toEqual(['Wash', 'Pack', 'Book'])
    await expect(subtasks(page).nth(0)).toBeFocused()
    await subtasks(page).nth(1).fill('')
    await page.keyboard.press('Backspace')
    await expect.poll(() => titles(page)).toEqual(['Wash', 'Book'])
    await expect(subtasks(page).first()).toBeFocused()
    // A deletion whose response the reload cuts off is sent again, and the browser logs that there is nothing to delete.
    const titlesKept = async () => (await keptTodos(page)).map(({ title }) => title).toSorted()
    await expect.poll(titlesKept).toEqual(['Book', 'Buy milk', 'Trip', 'Wash'])
    await subtasks(page).first().fill('Wash the socks')
    await page.reload()
    await expect.poll(() => titles(page)).toEqual(['Wash the socks', 'Book'])
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('subtasks are not counted among the open tasks of a list, and stand in that of their parent', async () => {
    await settled(page)
    await clearTasks(page)
    await addLists(page, [{ name: 'Home', color: 1, tasks: ['Paint'] }])
    await page.getByRole('link', { name: 'Home' }).click()
    await openDetails(page, 'Paint')
    await newSubtask(page).fill('Measure')
    await newSubtask(page).press('Enter')
    await expect(row(page, 'Paint')).toContainText('Subtasks: 0/1')
    await expect(page.getByRole('main')).toContainText('1 open')
    await expect(page.getByRole('navigation', { name: 'Lists' }).getByRole('listitem').first()).toContainText(
      '1',
    )
  })
})
