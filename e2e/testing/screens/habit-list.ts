import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { newRowId } from '../../../src/platform/wire/ids/new-row-id.ts'
import { sentChanges } from '../connection/sent-changes.ts'
import { settled } from '../connection/settled.ts'
import { signUpBehindTheScreens } from '../person/person.ts'

export const habits = (page: Page) => page.getByRole('list', { name: 'Habits' })
/** Those that stay; one that leaves is still drawn for 200 ms. */
export const toasts = (page: Page) => page.locator('[data-sonner-toast]:not([data-removed=true])')
export const dialog = (page: Page) => page.getByRole('dialog')
/** The page's own button; an empty list has another one below its text. */
export const addButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first()

/** The row whose first checkbox is labelled with the habit's name. */
export function row(page: Page, name: string): Locator {
  return habits(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name, exact: true }) })
}

export const tick = (row: Locator) => row.getByRole('checkbox').first()
export const remove = (row: Locator) => row.getByRole('button', { name: 'Delete habit' })
export const edit = (row: Locator) => row.getByRole('button', { name: 'Edit habit' })
export const name = (row: Locator) => row.locator('button[data-title]')
const strip = (row: Locator) => row.getByRole('toolbar')
export const days = (row: Locator) => strip(row).getByRole('button')
export const year = (row: Locator) => row.getByRole('grid')

/** Reads 'Current streak: 23 days', of which only '23 days' is visible. */
export const streak = (row: Locator) => row.locator('p').filter({ hasText: /^Current streak: / })

/** A number on the opened card, such as '93% 28 of 30' under 'Completion rate, last 30 days'. */
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

/** Signs somebody up with these habits, and opens their list. */
export async function openHabits(page: Page, initial: readonly KeptHabit[] = []): Promise<void> {
  await signUpBehindTheScreens(page)
  await keepHabits(page, initial)
  await page.goto('/habits')
  await page.getByRole('heading', { level: 1, name: 'Habits' }).waitFor()
  for (const habit of initial) await row(page, habit.name).waitFor()
  await settled(page)
}

/** Creates the habits in this order, each with all of its completions. */
export async function keepHabits(page: Page, initial: readonly KeptHabit[]): Promise<void> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const call = async (path: string, data: object) => {
    const response = await page.request.post(path, { data, headers: { origin } })
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
  }
  for (const [
    place,
    { name, description = '', frequency = 'daily', start, done = [] },
  ] of initial.entries()) {
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

/** 'Wednesday 18 November', with the year if it is not the current one. */
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

/** The habits on the server, in order. */
export async function saidHabits(page: Page): Promise<Numbers[]> {
  const response = await page.request.get('/api/habits')
  return (await response.json()).habits
}

/** The days on which the habit was completed, according to the server. */
export async function saidDays(page: Page, name: string): Promise<string[]> {
  const { habits } = await (await page.request.get('/api/habits')).json()
  const { id } = habits.find((habit: { name: string }) => habit.name === name)
  const response = await page.request.get(`/api/habits/${id}/completions?from=1900-01-01&to=9999-12-31`)
  return (await response.json()).days
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
