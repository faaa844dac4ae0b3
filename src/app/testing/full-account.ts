import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { Ask } from './random-account.ts'
import { rowCalls } from './row-calls.ts'

/** Adds two rows of each kind. The first of each has a value in every field. `noon` is noon of 2026-11-20. */
export async function fillAccount(ask: Ask, noon: number): Promise<void> {
  let nth = 0
  const newId = () => newRowId(noon, new Uint8Array(10).fill(nth++))
  const at = '2026-11-20T10:00:00.000Z'
  const [list, habit, limit, todo, subtask] = [newId(), newId(), newId(), newId(), newId()]
  await ask('POST', '/api/lists', { id: list, name: 'Home', color: 3, sort: 'due', archived_at: at, at })
  await ask('POST', '/api/todos', {
    id: todo,
    title: 'Water the plants',
    due_day: '2026-11-18',
    list_id: list,
    note: 'All of them',
    reminder: { days_before: 1, time: 480 },
    priority: 2,
    estimate: 20,
    tags: ['home', 'work'],
    at,
  })
  const rule = { freq: 'day', every: 1, mode: 'due', from: '2026-11-18' }
  await ask('PUT', `/api/todos/${todo}/edit`, { repeat: rule, at })
  await ask('PUT', `/api/todos/${todo}/days/2026-11-18`, { state: 'done', at })
  const remind_at = '2026-11-21T10:00:00.000Z'
  await ask('POST', '/api/todos', { id: subtask, title: 'The tall one', parent_id: todo, remind_at, at })
  await ask('PUT', `/api/todos/${subtask}`, { completed: 1, day: '2026-11-20', at })
  const reminder = { time: 480, weekdays: [1, 3] }
  const named = { description: 'A page a day', reminder, start_date: '2026-11-01', at }
  await ask('POST', '/api/habits', { id: habit, name: 'Read', ...named, rhythm: { times: 3, per: 'week' } })
  await ask('PUT', `/api/habits/${habit}`, { archived_at: at, at })
  await ask('POST', `/api/habits/${habit}/complete`, { date: '2026-11-19', completed: true, at })
  await ask('PUT', `/api/habits/${habit}/days/2026-11-18`, { state: 'skipped', note: 'Away', at })
  const target = { at: 'most', amount: 3_000, unit: 'min', per: 'day' }
  await ask('POST', '/api/habits', { id: limit, name: 'Coffee', start_date: '2026-11-01', target, at })
  const amount = { day: '2026-11-19', at }
  await ask('POST', `/api/habits/${limit}/amounts`, { id: newId(), value: 1_000, ...amount })
  await ask('POST', `/api/habits/${limit}/amounts`, { id: newId(), value: 2_000, set: true, ...amount })
  const pause = { habit_id: habit, from_day: '2026-11-10', to_day: '2026-11-12', at }
  await ask('POST', '/api/pauses', { id: newId(), ...pause })
  const times = { started_at: '2026-11-19T08:00:00.000Z', ended_at: '2026-11-19T08:10:00.000Z' }
  await ask('POST', '/api/focus', { id: newId(), duration: 600, habit_id: limit, ...times, at })
  const named_import = {
    id: newId(),
    source: 'todoist',
    counts: { in: 1, created: 1, there: 0, changed: 0, refused: 0 },
  }
  await ask('POST', '/api/import', { import: named_import, lists: [] })
  await ask('PATCH', '/api/preferences', { theme: 'dark', week_start: 7, start_page: 'today', at })
  for (const { path, added } of rowCalls) {
    for (const _ of ['one', 'other']) await ask('POST', path, { id: newId(), ...added, at })
  }
}
