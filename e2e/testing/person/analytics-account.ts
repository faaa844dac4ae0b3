import { randomBytes } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { newRowId } from '../../../src/platform/wire/ids/new-row-id.ts'
import { daysAgo } from '../screens/habit-list.ts'
import { signUpBehindTheScreens } from './person.ts'

/** What somebody did, keyed by days ago. */
export interface Life {
  /** Titles completed on each day. */
  todos?: Record<number, readonly string[]>
  habits?: readonly { name: string; frequency?: 'daily' | 'weekly'; since: number; done: readonly number[] }[]
  /** Lengths of the sessions of each day, in seconds. */
  focus?: Record<number, readonly number[]>
}

/** Signs somebody up with this history. It uses the import, which needs only a few requests for a year. */
export async function live(page: Page, { todos = {}, habits = [], focus = {} }: Life): Promise<void> {
  await signUpBehindTheScreens(page)
  let rows = 0
  const id = () => newRowId(Date.now() + rows++, randomBytes(10))
  // The first moments of a day have passed, whenever the test runs.
  const at = (ago: number, place = 0) => `${daysAgo(ago)}T00:00:00.${String(place).padStart(3, '0')}Z`
  const todoRows = Object.entries(todos).flatMap(([ago, titles]) =>
    titles.map((title, place) => {
      const instant = at(Number(ago), place)
      return {
        id: id(),
        title,
        completed: 1,
        completed_at: instant,
        completed_on: daysAgo(Number(ago)),
        created_at: instant,
        updated_at: instant,
      }
    }),
  )
  const sessionRows = Object.entries(focus).flatMap(([ago, lengths]) =>
    lengths.map((seconds) => ({
      id: id(),
      duration: seconds,
      started_at: new Date(Date.parse(at(Number(ago))) - seconds * 1000).toISOString(),
      ended_at: at(Number(ago)),
      days: [{ day: daysAgo(Number(ago)), seconds }],
    })),
  )
  const habitRows = habits.map(({ name, frequency = 'daily', since, done }) => ({
    habit: {
      id: id(),
      name,
      description: '',
      frequency,
      start_date: daysAgo(since),
      created_at: at(since),
    },
    days: done.map((ago) => daysAgo(ago)).toSorted(),
  }))
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const importPiece = async (piece: object) => {
    const response = await page.request.post('/api/import', { data: piece, headers: { origin } })
    expect(response.status(), await response.text()).toBe(200)
  }
  for (const some of chunks(todoRows, 150)) await importPiece({ todos: some })
  for (const some of chunks(sessionRows, 150)) await importPiece({ focus_sessions: some })
  for (const { habit, days } of habitRows) {
    await importPiece({ habits: [habit], completions: [{ habit_id: habit.id, days }] })
  }
}

/** A year with a pattern: weekdays and weekends, days with and without focus. */
export function aYear(): Life {
  const days = Array.from({ length: 365 }, (_, ago) => ago)
  const weekend = (ago: number) => [0, 6].includes(new Date(daysAgo(ago)).getUTCDay())
  const focused = (ago: number) => ago % 5 < 3 && !weekend(ago)
  const entry = <Value>(of: (ago: number) => Value[]) =>
    Object.fromEntries(days.map((ago) => [ago, of(ago)])) as Record<number, Value[]>
  return {
    todos: entry((ago) =>
      Array.from({ length: focused(ago) ? 2 + (ago % 3) : ago % 2 }, (_, nth) => `Errand ${ago}.${nth}`),
    ),
    focus: entry((ago) => (focused(ago) ? Array.from({ length: 1 + (ago % 4) }, () => 1_500) : [])),
    habits: [
      {
        name: 'Read 20 pages',
        since: 300,
        done: days.filter((ago) => ago < 300 && (!weekend(ago) || ago % 4 === 0)),
      },
      {
        name: 'Practise the cello',
        since: 200,
        done: days.filter((ago) => ago < 200 && (focused(ago) || ago % 3 === 0)),
      },
      {
        name: 'Long run',
        frequency: 'weekly',
        since: 250,
        done: days.filter((ago) => ago < 250 && ago % 8 === 0),
      },
    ],
  }
}

export const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
export const chart = (card: Locator): Locator => card.getByRole('table')

/** Opens the dashboard and waits until it is complete. */
export async function openAnalytics(page: Page, address = '/analytics'): Promise<void> {
  await page.goto(address)
  await analyticsShown(page)
}

/** Waits until the dashboard, however it was opened, is complete. */
export async function analyticsShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' }).waitFor()
  await page.getByRole('heading', { name: 'Streak records' }).waitFor()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  )
}
