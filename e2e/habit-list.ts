import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { newRowId } from '../src/platform/wire/new-row-id.ts'
import { signUpBehindTheScreens } from './person.ts'
import { sentChanges } from './sent-changes.ts'

export const habits = (page: Page) => page.getByRole('list', { name: 'Habits' })
export const toasts = (page: Page) => page.locator('[data-sonner-toast]')
export const dialog = (page: Page) => page.getByRole('dialog')
/** The page's own button; an empty list has another one under its words. */
export const addButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first()

/** The row whose first checkbox is named by the habit. */
export function row(page: Page, name: string): Locator {
  return habits(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name, exact: true }) })
}

export const tick = (row: Locator) => row.getByRole('checkbox').first()
export const remove = (row: Locator) => row.getByRole('button', { name: 'Delete habit' })
export const edit = (row: Locator) => row.getByRole('button', { name: 'Edit habit' })
export const name = (row: Locator) => row.locator('button[aria-expanded]')
const strip = (row: Locator) => row.getByRole('toolbar')
export const days = (row: Locator) => strip(row).getByRole('button')
export const year = (row: Locator) => row.getByRole('grid')

/** Says 'Current streak: 23 days', of which the eye sees '23 days'. */
export const streak = (row: Locator) => row.locator('p').filter({ hasText: /^Current streak: / })

/** A number of the opened card, such as '93% 28 of 30' under 'Completion rate, last 30 days'. */
export async function fact(row: Locator, term: string | RegExp): Promise<string> {
  const group = row
    .locator('dl > div')
    .filter({ has: row.page().getByRole('term').filter({ hasText: term }) })
  return (await group.getByRole('definition').textContent()) ?? ''
}

export interface KeptHabit {
  name: string
  description?: string
  frequency?: 'daily' | 'weekly'
  start?: string
  /** Days completed. */
  done?: readonly string[]
}

/** Signs somebody up who has these habits, and opens their list. */
export async function openHabits(page: Page, kept: readonly KeptHabit[] = []): Promise<void> {
  await signUpBehindTheScreens(page)
  await keepHabits(page, kept)
  await page.goto('/habits')
  await page.getByRole('heading', { level: 1, name: 'Habits' }).waitFor()
  for (const habit of kept) await row(page, habit.name).waitFor()
}

/** Made in this order, each with all that it was done. */
export async function keepHabits(page: Page, kept: readonly KeptHabit[]): Promise<void> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const call = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers: { origin } })
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  }
  for (const [place, { name, description = '', frequency = 'daily', start, done = [] }] of kept.entries()) {
    const id = newRowId(Date.now() + place, randomBytes(10))
    await call('/api/habits', { id, name, description, frequency, start_date: start ?? daysAgo(0) })
    for (let next = 0; next < done.length; next += 20) {
      await Promise.all(
        done
          .slice(next, next + 20)
          .map((date) => call(`/api/habits/${id}/complete`, { date, completed: true })),
      )
    }
  }
}

/** `YYYY-MM-DD`, in UTC as the browsers of these tests are unless they say otherwise. */
export function daysAgo(days: number, from = new Date()): string {
  return new Date(from.getTime() - days * 86_400_000).toISOString().slice(0, 10)
}

/** 'Wednesday 18 November', with the year where it is not that of today. */
export function inWords(day: string, today = daysAgo(0)): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(Date.parse(day))
  const words = `${format({ weekday: 'long' })} ${format({ day: 'numeric', month: 'long' })}`
  return day.slice(0, 4) === today.slice(0, 4) ? words : `${words} ${day.slice(0, 4)}`
}

interface Numbers {
  name: string
  frequency: string
  completed: boolean
  current_streak: number
  longest_streak: number
  start_date: string
}

/** What the server says of the habits, in their order. */
export async function saidHabits(page: Page): Promise<Numbers[]> {
  const answer = await page.request.get('/api/habits')
  return (await answer.json()).habits
}

/** The days on which the server says that the habit was done. */
export async function saidDays(page: Page, name: string): Promise<string[]> {
  const { habits } = await (await page.request.get('/api/habits')).json()
  const { id } = habits.find((habit: { name: string }) => habit.name === name)
  const answer = await page.request.get(`/api/habits/${id}/completions?from=1900-01-01&to=9999-12-31`)
  return (await answer.json()).days
}

/** The changes that the page sends, as method, path without its id and its instant, and body. */
export function watchChanges(page: Page): { method: string; path: string; body: unknown }[] {
  const sent: { method: string; path: string; body: unknown }[] = []
  page.on('request', (request) => {
    for (const { method, url, body } of sentChanges(request)) {
      const { pathname, searchParams } = url
      if (!pathname.startsWith('/api/habits')) continue
      searchParams.delete('at')
      const path = pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}')
      const query = searchParams.size > 0 ? `?${searchParams}` : ''
      sent.push({ method, path: path + query, body })
    }
  })
  return sent
}
