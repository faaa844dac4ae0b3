import { expect, it } from 'vitest'
import type { ApiRequest } from '../network/request.ts'
import { saysAnew } from './says-anew.ts'

/** What was lost, its part on the wire, and what the same person did before and after on that device. */
type Case = [lost: string, part: string, before: ApiRequest, after: ApiRequest]

const put = (path: string, body: object): ApiRequest => ({ method: 'PUT', path, body })
const at = '2026-11-20T12:00:00.000Z'
const later = '2026-11-21T12:00:00.000Z'

const tick = (date: string): ApiRequest => ({
  method: 'POST',
  path: '/api/habits/run/complete',
  body: { date, completed: 1, at },
})
const skip = (day: string) => put(`/api/habits/run/days/${day}`, { state: 'skipped', at })
const note = (day: string) => put(`/api/habits/run/days/${day}`, { note: 'Rain', at })
/** From one day of November to another. */
const clear = (from: string, to: string, at: string): ApiRequest => ({
  method: 'DELETE',
  path: `/api/habits/run/completions?from=2026-11-${from}&to=2026-11-${to}&at=${encodeURIComponent(at)}`,
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
/** From one day of November to another. */
const move = (from: string, to: string) =>
  put('/api/todos/milk/edit', { occurrence: `2026-11-${from}`, due_day: `2026-11-${to}`, at })
const rename = (title: string) => put('/api/todos/milk/edit', { title, at })
const deleteMilk: ApiRequest = { method: 'DELETE', path: '/api/todos/milk' }
const pause = (from_day: string) => put('/api/habits/pauses/rest', { from_day, at })
const ruled = (from_day: string) => put('/api/habits/run', { rhythm: { every: 2 }, from_day, at })

it.each([
  ['a skip, once the day is ticked', 'state', skip('2026-11-20'), tick('2026-11-20')],
  ['a tick, once a range with its day is cleared', 'state', tick('2026-11-20'), clear('01', '30', at)],
  ['a cleared range, once it is cleared again', 'state', clear('01', '30', at), clear('01', '30', later)],
  ['an amount, once the day has another', 'amount', amount('2026-11-20', 5), amount('2026-11-20', 6)],
  ['the first day of a pause, once that moves', 'from_day', pause('2026-11-20'), pause('2026-11-21')],
  ['a moved occurrence, once it moves again', 'due_day', move('20', '22'), move('20', '23')],
  ['a deleted entry, once it is restored', 'deleted', remove('one'), undelete('one')],
  ['a deleted task, once it is completed', 'deleted', deleteMilk, complete('2026-11-20')],
  [
    'a task, once it is completed after midnight',
    'completed',
    complete('2026-11-20'),
    complete('2026-11-21'),
  ],
  ['a title, once the task has another', 'title', rename('Milk'), rename('Oat milk')],
] satisfies Case[])('nobody is told that they lost %s', (_, part, before, after) => {
  expect(saysAnew(after, before, part)).toBe(true)
})

it.each([
  ['a skip, though another day is ticked', 'state', skip('2026-11-20'), tick('2026-11-21')],
  ['a skip, though the day gets a note', 'state', skip('2026-11-20'), note('2026-11-20')],
  ['a skip, though the day gets an amount', 'state', skip('2026-11-20'), amount('2026-11-20', 5)],
  ['a skip, though a rhythm begins that day', 'state', skip('2026-11-20'), ruled('2026-11-20')],
  ['a cleared range, though a day of it is ticked', 'state', clear('01', '30', at), tick('2026-11-20')],
  ['a note, though another day gets one', 'note', note('2026-11-20'), note('2026-11-21')],
  ['a note, though its day is skipped', 'note', note('2026-11-20'), skip('2026-11-20')],
  ['an amount, though another day gets one', 'amount', amount('2026-11-20', 5), amount('2026-11-21', 6)],
  ['a rhythm, though another begins later', 'rhythm', ruled('2026-11-20'), ruled('2026-11-21')],
  ['a moved occurrence, though another moves', 'due_day', move('20', '22'), move('27', '28')],
  ['a deleted entry, though a day is ticked', 'deleted', remove('one'), tick('2026-11-20')],
] satisfies Case[])('its person is told that they lost %s', (_, part, before, after) => {
  expect(saysAnew(after, before, part)).toBe(false)
})
