import type { Locator, Page } from '@playwright/test'
import { row } from './todo-list.ts'

/** The details of a task: a panel beside the list, or on a phone a sheet. */
export const details = (page: Page) => page.getByRole('dialog', { name: /^Details of/ })
export const titleOf = (page: Page) => details(page).getByRole('textbox', { name: 'Title' })
export const noteOf = (page: Page) => details(page).getByRole('textbox', { name: 'Note' })
export const newSubtask = (page: Page) => details(page).getByRole('textbox', { name: 'Add a subtask' })
export const property = (page: Page, label: string) =>
  details(page).getByRole('button', { name: new RegExp(`^${label}`) })
/** The fields of the subtasks, in their order. */
export const subtasks = (page: Page) => details(page).getByRole('textbox', { name: 'Subtask', exact: true })

/** The title of a task in its row, which opens the details. */
export const titleIn = (row: Locator) => row.locator('[data-title]')

export async function openDetails(page: Page, title: string): Promise<void> {
  await titleIn(row(page, title)).click()
  await details(page).waitFor()
}

/** Chooses from the menu of a property. */
export async function chooseIn(page: Page, label: string, choice: string): Promise<void> {
  await property(page, label).click()
  await page.getByRole('menuitemradio', { name: choice }).click()
}

/** The to-dos on the server, newest first. */
export async function keptTodos(page: Page): Promise<Record<string, unknown>[]> {
  const { todos } = await (await page.request.get('/api/todos')).json()
  return todos
}

/** A to-do on the server. */
export async function kept(page: Page, title: string): Promise<Record<string, unknown> | undefined> {
  return (await keptTodos(page)).find((todo) => todo.title === title)
}

/** Makes a to-do behind the screens, and returns it. */
export async function make(page: Page, todo: Record<string, unknown>): Promise<{ id: string }> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request.post('/api/todos', {
    data: { completed: 0, ...todo },
    headers: { origin },
  })
  if (!response.ok()) throw new Error(await response.text())
  return (await response.json()).todo
}
