import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

const day = 86_400_000

/** A completed task, so many days ago. */
interface Done {
  title: string
  daysAgo: number
  list_id?: string
}

/** Creates the tasks as an import does: completed on those days, the first of a day last. */
export async function importCompleted(page: Page, done: readonly Done[]): Promise<void> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const now = Date.now()
  const todos = done.map(({ daysAgo, ...todo }, place) => {
    const instant = new Date(now - daysAgo * day - place * 1_000).toISOString()
    return {
      ...todo,
      id: newId(now - daysAgo * day),
      completed: 1,
      completed_at: instant,
      completed_on: instant.slice(0, 10),
      created_at: instant,
      updated_at: instant,
    }
  })
  const response = await page.request.post('/api/import', { data: { todos }, headers: { origin } })
  expect(response.status(), await response.text()).toBe(200)
}

/** A UUIDv7. */
function newId(instant: number): string {
  const [time, random] = [instant.toString(16).padStart(12, '0'), randomUUID().replaceAll('-', '')]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}
