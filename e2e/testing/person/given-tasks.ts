import { expect, type Page } from '@playwright/test'
import { allSaved } from '../connection/settled.ts'
import { daysAgo, type KeptHabit, keepHabits } from '../screens/habit-list.ts'

export interface Given {
  title: string
  due?: string | null
  done?: true
  list?: string
}

export const inDays = (days: number) => daysAgo(-days)

export async function call(page: Page, method: 'post' | 'put' | 'patch', path: string, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request[method](path, { data, headers: { origin } })
  expect(response.ok(), await response.text()).toBe(true)
  return response.json()
}

/** Adds tasks, the first of them the newest. */
export async function give(page: Page, tasks: readonly Given[]): Promise<void> {
  for (const [place, { title, due = daysAgo(0), done, list }] of tasks.entries()) {
    const at = new Date(Date.now() - 60_000 * (place + 1)).toISOString()
    const { todo } = await call(page, 'post', '/api/todos', {
      title,
      completed: 0,
      due_day: due,
      at,
      ...(list !== undefined && { list_id: list }),
    })
    if (done) await call(page, 'put', `/api/todos/${todo.id}`, { completed: 1 })
  }
}

/** On a page that hears of changes: makes these all the tasks and habits that the person has. */
export async function replaceAll(
  page: Page,
  tasks: readonly Given[] = [],
  habits: readonly KeptHabit[] = [],
): Promise<void> {
  // A change that is still on its way would find nothing, or bring back what is taken away.
  await allSaved(page)
  const { origin } = new URL((await page.request.get('/api/health')).url())
  for (const kind of ['todos', 'habits']) {
    const { [kind]: rows }: Record<string, { id: string }[]> = await (
      await page.request.get(`/api/${kind}`)
    ).json()
    for (const { id } of rows ?? []) {
      const response = await page.request.delete(`/api/${kind}/${id}`, { headers: { origin } })
      expect(response.ok(), await response.text()).toBe(true)
    }
  }
  await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(0)
  await give(page, tasks)
  await keepHabits(page, habits)
}
