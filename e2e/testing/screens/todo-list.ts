import { randomUUIDv7 } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { sentChanges } from '../connection/sent-changes.ts'
import { allSaved, settled } from '../connection/settled.ts'
import { signUpBehindTheScreens } from '../person/person.ts'

export const field = (page: Page) => page.getByPlaceholder('Add a new task...')
export const addButton = (page: Page) => page.getByRole('button', { name: 'Add task' })
export const openTasks = (page: Page) => page.getByRole('list', { name: 'Open tasks' })
export const completedTasks = (page: Page) => page.getByRole('list', { name: 'Completed' })
/** Those that stay; one that leaves is still drawn for 200 ms. */
export const toasts = (page: Page) => page.locator('[data-sonner-toast]:not([data-removed=true])')

/** The row whose first checkbox is labelled with the title. */
export function row(page: Page, title: string): Locator {
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: title, exact: true }) })
}

export const tick = (row: Locator) => row.getByRole('checkbox').first()
export const edit = (row: Locator) => row.getByRole('button', { name: 'Edit task' })
export const confirm = (row: Locator) => row.getByRole('button', { name: 'Confirm edit' })
export const remove = (row: Locator) => row.getByRole('button', { name: 'Delete task' })
export const titleField = (page: Page) => page.getByRole('main').getByRole('textbox', { name: 'Title' })

/** Everything that can be done to a row which its own buttons do not; on a phone, all that can be. */
export const more = (row: Locator) => row.getByRole('button', { name: 'More actions' })

/** Opens the title of a row: with its pencil, or from its menu where it has no room for buttons. */
export const beginEdit = (row: Locator) => press(row, edit(row), 'Edit task')

/** Deletes a row, in the same two ways. */
export const deleteTask = (row: Locator) => press(row, remove(row), 'Delete task')

async function press(row: Locator, button: Locator, item: string): Promise<void> {
  await button.or(more(row)).first().waitFor()
  if ((await button.count()) > 0) return button.click()
  await more(row).click()
  await row.page().getByRole('menuitem', { name: item }).click()
}

/** Sorts the tasks by what is called so. */
export async function sortBy(page: Page, name: 'Manual' | 'Due date' | 'Priority' | 'Newest'): Promise<void> {
  await page.getByRole('button', { name: /^Sort by/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
  // The menu returns the focus once it has faded.
  await expect(page.getByRole('button', { name: /^Sort by/ })).toBeFocused()
}

/** The titles of a list, in the order shown. */
export const titlesIn = (list: Locator) =>
  list.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')))

interface Tasks {
  /** Newest first. */
  open?: readonly string[]
  /** Last completed first. */
  completed?: readonly string[]
}

/** Signs somebody up with these tasks, and opens their list. */
export async function openList(page: Page, tasks: Tasks = {}): Promise<void> {
  await signUpBehindTheScreens(page)
  await createTasks(page, tasks)
  await page.goto('/todos')
  await page.getByRole('heading', { level: 1, name: 'Todo List' }).waitFor()
  await settled(page)
}

/** Takes all tasks away, as another device would, and waits until the page that is open shows none. */
export async function clearTasks(page: Page): Promise<void> {
  // A change that is still on its way would find nothing, or bring back a task.
  await allSaved(page)
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const { todos }: { todos: { id: string }[] } = await (await page.request.get('/api/todos')).json()
  await Promise.all(todos.map(({ id }) => page.request.delete(`/api/todos/${id}`, { headers: { origin } })))
  await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(0)
}

/** Puts these tasks in place of all others, as another device would, on the page of tasks that is open. */
export async function replaceTasks(page: Page, tasks: Tasks): Promise<void> {
  await clearTasks(page)
  await createTasks(page, tasks)
  const boxes = page.getByRole('main').getByRole('checkbox')
  await expect(boxes).toHaveCount((tasks.open?.length ?? 0) + (tasks.completed?.length ?? 0))
  await settled(page)
}

/** Adds tasks behind the screens. */
export async function createTasks(page: Page, { open = [], completed = [] }: Tasks): Promise<void> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const now = Date.now()
  const send = async (method: 'post' | 'put', path: string, data: object) => {
    const response = await page.request[method](path, { data, headers: { origin } })
    if (!response.ok()) throw new Error(await response.text())
    return response.json()
  }
  const rows = [
    ...open.map((title, place) => ({ title, added: now - 60_000 * (place + 1), done: undefined })),
    // Completed just now: those of other days are not in sight.
    ...completed.map((title, place) => ({
      title,
      added: now - 60_000 * (place + 1_000),
      done: now - place - 1,
    })),
  ]
  if (rows.length > atOnce) {
    // One by one, a thousand would take a quarter of a minute.
    for (let next = 0; next < rows.length; next += atOnce)
      await send('post', '/api/import', { todos: rows.slice(next, next + atOnce).map(importedRow) })
    return
  }
  // A few at a time: a thousand at once would need a thousand sockets.
  for (let next = 0; next < rows.length; next += 20) {
    await Promise.all(
      rows.slice(next, next + 20).map(async ({ title, added, done }) => {
        const { todo } = await send('post', '/api/todos', { title, completed: 0, at: wire(added) })
        if (done === undefined) return
        await send('put', `/api/todos/${todo.id}`, { completed: 1, at: wire(done) })
      }),
    )
  }
}

const atOnce = 200

function importedRow({ title, added, done }: { title: string; added: number; done: number | undefined }) {
  const completed_at = done === undefined ? null : wire(done)
  return {
    id: randomUUIDv7(),
    title,
    completed: completed_at === null ? 0 : 1,
    completed_at,
    completed_on: completed_at?.slice(0, 10) ?? null,
    created_at: wire(added),
    updated_at: wire(done ?? added),
  }
}

const wire = (instant: number) => new Date(instant).toISOString()

/** From here on the page's time moves only through `page.clock`, which must be installed before the page is opened. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
}

/** With the clock stopped, lets it run until this is there: a press may first have to be painted, or stored on the device. */
export async function runUntilVisible(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(100)
    expect(await what.isVisible()).toBe(true)
  }).toPass({ intervals: [50] })
}

/** The tasks on the server, newest first. */
export async function keptTasks(page: Page): Promise<{ title: string; completed: 0 | 1 }[]> {
  const response = await page.request.get('/api/todos')
  const { todos }: { todos: { title: string; completed: 0 | 1 }[] } = await response.json()
  return todos.map(({ title, completed }) => ({ title, completed }))
}

/** The changes that the page sends, as method, path without its id, and body. */
export function watchChanges(page: Page): { method: string; path: string; body: unknown }[] {
  const sent: { method: string; path: string; body: unknown }[] = []
  page.on('request', (request) => {
    for (const { method, url, body } of sentChanges(request)) {
      if (!url.pathname.startsWith('/api/todos')) continue
      sent.push({ method, path: url.pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}'), body })
    }
  })
  return sent
}
