import { expect, it } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { openApplication, type TestResponse } from '../testing/application.ts'

// A Friday, late in the evening: nearly every change below makes it another day, or another week.
const evening = Date.parse('2026-11-20T22:30:00.000Z')

const changes = [
  { time_zone: 'Pacific/Kiritimati' },
  { time_zone: 'Pacific/Pago_Pago', time_zone_follows_browser: true },
  { day_start: 360 },
  { week_start: 7 },
  { week_start: 5, day_start: 30 },
  { time_zone: 'Europe/Copenhagen', day_start: 0, week_start: 1 },
]

describeEachEngine('history never moves', (openEmpty) => {
  it('changing the zone, day start or week start rewrites no stored day', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { clock: () => evening })
    const { cookie } = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown) => {
      const asked = await daymark.ask(method, path, { body, cookie })
      expect(asked.status).toBeLessThan(300)
      return asked.body
    }
    await ask('PATCH', '/api/preferences', { time_zone: 'America/New_York' })
    await fillHistory(ask)
    const before = await storedDays(database)
    expect(before.todos).toHaveLength(6)
    expect(before.completions.length).toBeGreaterThan(40)
    expect(before.focusDays).toHaveLength(6)

    for (const change of changes) {
      await ask('PATCH', '/api/preferences', change)
      // A read counts the streaks again, in the new weeks; that must not touch a day either.
      await ask('GET', '/api/habits')
      await ask('GET', '/api/habits/completed?from=2026-01-01&to=2026-12-31')
      await ask('GET', '/api/todos')
      await ask('GET', '/api/focus')
      await ask('GET', '/api/focus/completed')
      expect(await storedDays(database), JSON.stringify(change)).toEqual(before)
    }
  })

  it('a to-do completed after a change is stored on a day in the new zone, and no other day changes', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { clock: () => evening })
    const { cookie } = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown) =>
      (await daymark.ask(method, path, { body, cookie })).body
    await ask('PATCH', '/api/preferences', { time_zone: 'America/New_York' })
    await fillHistory(ask)
    const { id } = (await ask('POST', '/api/todos', { title: 'Open', completed: 0 })).todo
    const before = await storedDays(database)

    await ask('PATCH', '/api/preferences', { time_zone: 'Pacific/Kiritimati' })
    await ask('PUT', `/api/todos/${id}`, { completed: 1 })
    const after = await storedDays(database)
    expect(after.completions).toEqual(before.completions)
    expect(after.focusDays).toEqual(before.focusDays)
    expect(after.todos.filter((todo) => todo.id !== id)).toEqual(
      before.todos.filter((todo) => todo.id !== id),
    )
    expect(after.todos.find((todo) => todo.id === id)).toMatchObject({ completed_on: '2026-11-21' })
  })
})

type Ask = (method: string, path: string, body?: unknown) => Promise<TestResponse['body']>

/** To-dos, completions and focus of many days, some chosen by the client and some by the server. */
async function fillHistory(ask: Ask): Promise<void> {
  for (const day of [undefined, '2026-11-20', '2026-11-21', '2026-11-01', '2026-03-29']) {
    await ask('POST', '/api/todos', { title: `Done on ${day}`, completed: 1, ...(day && { day }) })
  }
  const due = { due_day: '2026-11-21', remind_at: '2026-11-21T04:30:00.000Z' }
  await ask('POST', '/api/todos', { title: 'Open', completed: 0, ...due })
  for (const frequency of ['daily', 'weekly']) {
    const reminder = { time: 150, weekdays: [1, 7] }
    const habit = { name: frequency, frequency, start_date: '2026-10-25', reminder }
    const { id } = (await ask('POST', '/api/habits', habit)).habit
    for (let day = 1; day <= 20; day++) {
      await ask('POST', `/api/habits/${id}/complete`, {
        date: `2026-11-${String(day).padStart(2, '0')}`,
        completed: day % 5 !== 0,
      })
    }
    await ask('POST', `/api/habits/${id}/complete`, { date: '2026-10-25', completed: true })
    await ask('POST', `/api/habits/${id}/complete`)
  }
  await ask('POST', '/api/focus', { duration: 1_500 })
  // Across midnight where she is, and across the hour that is skipped in spring.
  await ask('POST', '/api/focus', { duration: 1_500, started_at: '2026-11-20T04:50:00Z' })
  await ask('POST', '/api/focus', { duration: 7_200, started_at: '2026-03-08T06:00:00Z' })
  const days = ['2026-11-20', '2026-11-21'].map((day) => ({ day, seconds: 750 }))
  await ask('POST', '/api/focus', { duration: 1_500, days })
}

/** Every day that is stored anywhere, with its row. */
async function storedDays(database: Database) {
  return {
    todos: await database.read
      .selectFrom('todos')
      .select(['id', 'completed', 'completed_on', 'completed_at', 'due_day', 'remind_at'])
      .orderBy('id')
      .execute(),
    completions: await database.read
      .selectFrom('completions')
      .selectAll()
      .orderBy('habit_id')
      .orderBy('day')
      .execute(),
    focusSessions: await database.read.selectFrom('focus_sessions').selectAll().orderBy('id').execute(),
    focusDays: await database.read
      .selectFrom('focus_days')
      .selectAll()
      .orderBy('session_id')
      .orderBy('day')
      .execute(),
    habits: await database.read.selectFrom('habits').select(['id', 'start_day']).orderBy('id').execute(),
  }
}
