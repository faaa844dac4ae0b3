import { expect, it } from 'vitest'
import type { ApiRequest } from '../network/request.ts'
import { saysAnew } from './says-anew.ts'

const put = (path: string, body: object): ApiRequest => ({ method: 'PUT', path, body })
const at = '2026-11-20T12:00:00.000Z'
const later = '2026-11-21T12:00:00.000Z'

const tick = (date: string) =>
  ({
    method: 'POST',
    path: '/api/habits/run/complete',
    body: { date, completed: 1, at },
  }) satisfies ApiRequest
const skip = (day: string) => put(`/api/habits/run/days/${day}`, { state: 'skipped', at })
const note = (day: string) => put(`/api/habits/run/days/${day}`, { note: 'Rain', at })
const clear = (from: string, to: string, at: string): ApiRequest => ({
  method: 'DELETE',
  path: `/api/habits/run/completions?from=${from}&to=${to}&at=${encodeURIComponent(at)}`,
})
const complete = (day: string) => put('/api/todos/milk', { completed: 1, day, at })
const amount = (day: string, value: number): ApiRequest => ({
  method: 'POST',
  path: '/api/habits/run/amounts',
  body: { id: `${day} ${value}`, day, value, set: true, at },
})
const undelete = (entry: string): ApiRequest => ({
  method: 'POST',
  path: `/api/habits/run/amounts/${entry}/restore?at=${encodeURIComponent(at)}`,
})
const remove = (entry: string): ApiRequest => ({
  method: 'DELETE',
  path: `/api/habits/run/amounts/${entry}?at=${encodeURIComponent(at)}`,
})
const move = (occurrence: string, due_day: string) => put('/api/todos/milk/edit', { occurrence, due_day, at })
const pause = (from_day: string) => put('/api/habits/pauses/rest', { from_day, at })
const ruled = (from_day: string) => put('/api/habits/run', { rhythm: { every: 2 }, from_day, at })

it.each([
  ['a day that is ticked after it was skipped', 'state', skip('2026-11-20'), tick('2026-11-20'), true],
  ['another day', 'state', skip('2026-11-20'), tick('2026-11-21'), false],
  ['a day of a cleared range', 'state', tick('2026-11-20'), clear('2026-11-01', '2026-11-30', at), true],
  [
    'a range of which one day is ticked',
    'state',
    clear('2026-11-01', '2026-11-30', at),
    tick('2026-11-20'),
    false,
  ],
  [
    'a range that is cleared again',
    'state',
    clear('2026-11-01', '2026-11-30', at),
    clear('2026-11-01', '2026-11-30', later),
    true,
  ],
  ['the note of another day', 'note', note('2026-11-20'), note('2026-11-21'), false],
  ['the note of a day that is skipped', 'note', note('2026-11-20'), skip('2026-11-20'), false],
  ['what was entered on another day', 'amount', amount('2026-11-20', 5), amount('2026-11-21', 6), false],
  ['what was entered again', 'amount', amount('2026-11-20', 5), amount('2026-11-20', 6), true],
  ['the state of a day that gets a note', 'state', skip('2026-11-20'), note('2026-11-20'), false],
  ['the state of a day with a new amount', 'state', skip('2026-11-20'), amount('2026-11-20', 5), false],
  ['the state of the first day of a rhythm', 'state', skip('2026-11-20'), ruled('2026-11-20'), false],
  ['a rhythm of another day', 'rhythm', ruled('2026-11-20'), ruled('2026-11-21'), false],
  [
    'the first day of a pause that is moved again',
    'from_day',
    pause('2026-11-20'),
    pause('2026-11-21'),
    true,
  ],
  [
    'another occurrence',
    'due_day',
    move('2026-11-20', '2026-11-22'),
    move('2026-11-27', '2026-11-28'),
    false,
  ],
  [
    'an occurrence that is moved again',
    'due_day',
    move('2026-11-20', '2026-11-22'),
    move('2026-11-20', '2026-11-23'),
    true,
  ],
  ['the deletion of an entry of a day that is ticked', 'deleted', remove('one'), tick('2026-11-20'), false],
  ['the deletion of an entry that is restored', 'deleted', remove('one'), undelete('one'), true],
  [
    'a task that is completed again after midnight',
    'completed',
    complete('2026-11-20'),
    complete('2026-11-21'),
    true,
  ],
  [
    'a title that is given again',
    'title',
    put('/api/todos/milk/edit', { title: 'Milk', at }),
    put('/api/todos/milk/edit', { title: 'Oat milk', at }),
    true,
  ],
  ['a deletion', 'deleted', { method: 'DELETE', path: '/api/todos/milk' }, complete('2026-11-20'), true],
] satisfies [string, string, ApiRequest, ApiRequest, boolean][])(
  '%s: its %s is said anew by the later change, or not',
  (_, part, before, after, isSaid) => {
    expect(saysAnew(after, before, part)).toBe(isSaid)
  },
)
