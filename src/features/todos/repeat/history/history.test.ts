import { describe, expect, test } from 'vitest'
import { todos } from '#features/todos/testing/todos.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Occurrence } from '../rule/repeat.ts'
import { hasEarlier, historyOf } from './history.ts'

const day = (text: string) => text as Day
const friday = day('2026-11-20')
const range = { from: day('2026-08-01'), to: day('2026-12-20') }
const weekly = { freq: 'week', every: 1, weekdays: [5], week_start: 1, mode: 'due', from: '2026-10-30' }
const at = '2026-11-20T12:00:00.000Z'
const row = (of: string, state: Occurrence['state'], done_on = of) => ({
  day: day(of),
  state,
  done_on: state === 'open' ? null : day(done_on),
  moved_to: null,
  at,
})
const repeating = (repeat: Record<string, unknown>, settled: Todo['settled'] = []): Todo => ({
  ...todos.wire({ repeat }),
  settled,
})
const shown = (todo: Todo, read?: readonly Occurrence[]) =>
  [...historyOf(todo, { read, range, today: friday })]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([of, { state }]) => `${of.slice(5)} ${state}`)

describe('the history of a task whose days are known', () => {
  test('has each day of the series: done, skipped, missed, due and to come', () => {
    const settled = [row('2026-10-30', 'done', '2026-10-31'), row('2026-11-06', 'skipped')]
    expect(shown(repeating({ ...weekly, until: '2026-12-04' }, settled))).toEqual([
      '10-30 done',
      '11-06 skipped',
      '11-13 missed',
      '11-20 due',
      '11-27 coming',
      '12-04 coming',
    ])
  })

  test('names a day skipped ahead, and one that was reopened', () => {
    const settled = [row('2026-10-30', 'open'), row('2026-11-20', 'done'), row('2026-11-27', 'skipped')]
    expect(shown(repeating({ ...weekly, times: 6 }, settled))).toEqual([
      '10-30 missed',
      '11-06 missed',
      '11-13 missed',
      '11-20 done',
      '11-27 skipped',
      '12-04 due',
    ])
  })

  test('keeps what was done by a former rule, and nothing else of it', () => {
    const settled = [row('2026-10-20', 'done'), row('2026-10-27', 'open')]
    expect(shown(repeating({ ...weekly, times: 1 }, settled))).toEqual(['10-20 done', '10-30 due'])
  })

  test('says where one was moved to', () => {
    const moved = { ...row('2026-11-20', 'open'), moved_to: day('2026-11-22') }
    const days = historyOf(repeating(weekly, [moved]), {
      read: undefined,
      range,
      today: friday,
    })
    expect(days.get(friday)).toEqual({ state: 'due', done_on: null, moved_to: '2026-11-22' })
  })
})

describe('the history of a task of long ago', () => {
  const todo: Todo = {
    ...todos.wire({ repeat: { ...weekly, from: '2026-09-11', times: 12 } }),
    settled_from: day('2026-10-01'),
    settled: [row('2026-09-25', 'done'), row('2026-10-09', 'done')],
  }
  const since = ['10-02 missed', '10-09 done', '10-16 missed', '10-23 missed', '10-30 missed']
  const rest = [...since, '11-06 missed', '11-13 missed', '11-20 due', '11-27 coming']

  test('claims nothing about days that only the server knows', () => {
    expect(shown(todo)).toEqual(['09-11 unknown', '09-18 unknown', '09-25 done', ...rest])
  })

  test('has what the server said of those, and what this device knows of later ones', () => {
    const read = [row('2026-09-11', 'skipped'), row('2026-09-18', 'open'), row('2026-10-09', 'skipped')]
    expect(shown(todo, read)).toEqual(['09-11 skipped', '09-18 missed', '09-25 missed', ...rest])
  })

  test('needs the server only if it began before what this device has', () => {
    expect(hasEarlier(todo, range.from)).toBe(true)
    expect(hasEarlier(todo, day('2026-10-01'))).toBe(false)
    expect(hasEarlier({ ...todo, settled_from: null }, range.from)).toBe(false)
    const young = { ...todo, repeat: weekly, created_at: '2026-10-15T12:00:00.000Z' }
    expect(hasEarlier(young, range.from)).toBe(false)
  })
})

test('the history of a task that counts from the day it was done has what was written, and the open one', () => {
  const repeat = { freq: 'week', every: 2, mode: 'done', from: '2026-10-01' }
  const settled = [row('2026-10-01', 'done', '2026-10-03'), row('2026-10-17', 'skipped', '2026-10-18')]
  expect(shown(repeating(repeat, settled))).toEqual(['10-01 done', '10-17 skipped', '11-01 due'])
})

test('a task that does not repeat has none', () => {
  expect(shown(todos.wire({ due_day: addDays(friday, 1) }))).toEqual([])
})
