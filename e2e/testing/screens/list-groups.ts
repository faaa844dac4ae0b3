import { expect, type Locator, type Page } from '@playwright/test'
import { signUpBehindTheScreens } from '../person/person.ts'

/** The group of lists in the sidebar, or on a phone in the sheet. */
export const group = (page: Page) => page.getByRole('navigation', { name: 'Lists' })
export const entry = (page: Page, name: string) =>
  group(page)
    .getByRole('listitem')
    .filter({ has: link(page, name) })
export const link = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}( \\d+ open)?$`) })
export const newList = (page: Page) => group(page).getByRole('button', { name: 'New list' })
export const nameField = (page: Page) => group(page).getByRole('textbox', { name: 'List name' })
export const taskField = (page: Page, list: string) => page.getByPlaceholder(`Add a task to ${list}...`)

/** The names of the lists in use, in the order shown, with how many tasks are open. */
export function entries(page: Page): Promise<string[]> {
  return group(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((it) => it.textContent.replace(/(\d+) open$/, ' $1')))
}

/** Opens the menu of a list in the sidebar and presses an item. */
export async function choose(page: Page, list: string, item: string) {
  const menu = await openMenu(page, list)
  await menu.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Opens the menu of a list in the sidebar. */
export async function openMenu(page: Page, list: string): Promise<Locator> {
  // A former one, which may be that of the same list, is still there while it fades.
  await expect(page.getByRole('menu')).toHaveCount(0)
  await link(page, list).hover()
  await entry(page, list)
    .getByRole('button', { name: `Options for ${list}` })
    .click()
  const menu = page.getByRole('menu', { name: `Options for ${list}` })
  await expect(menu).toBeVisible()
  return menu
}

interface GivenList {
  name: string
  color?: number
  archived_at?: string
  /** Titles of open tasks, newest first. */
  tasks?: readonly string[]
}

/** Adds lists and their tasks through the API, and resolves with the lists' ids. */
export async function addLists(page: Page, lists: readonly GivenList[]): Promise<string[]> {
  const ids: string[] = []
  for (const { tasks = [], archived_at, ...list } of lists) {
    const { id } = (await call(page, 'post', '/api/lists', { color: 1, ...list })).list
    ids.push(id)
    if (archived_at) await call(page, 'put', `/api/lists/${id}`, { archived_at })
    for (const [place, title] of tasks.entries()) {
      const at = new Date(Date.now() - 60_000 * (place + 1)).toISOString()
      await call(page, 'post', '/api/todos', { title, completed: 0, list_id: id, at })
    }
  }
  return ids
}

async function call(page: Page, method: 'post' | 'put', path: string, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request[method](path, { data, headers: { origin } })
  expect(response.ok(), await response.text()).toBe(true)
  return response.json()
}

/** Signs somebody up who has these lists, and opens a page on which they stand. */
export async function openWithLists(
  page: Page,
  lists: readonly GivenList[],
  path: string | ((ids: string[]) => string) = '/todos',
): Promise<string[]> {
  await signUpBehindTheScreens(page)
  const ids = await addLists(page, lists)
  await page.goto(typeof path === 'string' ? path : path(ids))
  await page.getByRole('heading', { level: 1 }).waitFor()
  return ids
}

/** The lists on the server, in their order. */
export async function keptLists(
  page: Page,
): Promise<{ id: string; name: string; color: number; archived_at: string | null }[]> {
  return (await (await page.request.get('/api/lists')).json()).lists
}

export function colorOf(circle: Locator): Promise<string> {
  return circle.evaluate((it) => getComputedStyle(it).backgroundColor)
}
