import { describe, expect, test } from 'vitest'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import { todos } from '../testing/todos.ts'
import { changedOccurrence } from './changed-occurrence.ts'
import { allShownOn, doneSinceFirst, movedBy, movedPast, occurrenceToSet, shownOn } from './shown-todo.ts'
import type { Todo } from './todo.ts'

const day = (text: string) => text as Day
const friday = day('2026-11-20')
const daily = { freq: 'day', every: 1, mode: 'due', from: '2026-11-18' }
const weekly = { freq: 'week', every: 1, weekdays: [5], week_start: 1, mode: 'due', from: '2026-11-06' }
const done = (at: string) => ({ state: 'done', done_on: dayOf(Date.parse(at), 'UTC', 0), at }) as const
const noon = '2026-11-20T12:00:00.000Z'

describe('a to-do that repeats', () => {
  test('is due on the day of its open occurrence, whatever day it was read on', () => {
    const todo = todos.wire({ repeat: weekly, due_day: friday })
    expect(shownOn(todo, undefined, friday)).toMatchObject({ due_day: '2026-11-20', missed: 2, completed: 0 })
    expect(shownOn(todo, undefined, day('2026-11-27'))).toMatchObject({ due_day: '2026-11-27', missed: 3 })
  })

  test('is worked out once for all that show it, and anew on the next day', () => {
    const all = [todos.wire({ id: 'a', repeat: weekly }), todos.wire({ id: 'b' })]
    const shown = allShownOn(all, friday)
    expect(allShownOn(all, friday)).toBe(shown)
    expect(shown).toMatchObject([{ due_day: '2026-11-20' }, { due_day: null }])
    expect(allShownOn(all, day('2026-11-27'))).toMatchObject([{ due_day: '2026-11-27' }, {}])
  })

  test('shows the next day once it is completed, and the same day again once that is undone', () => {
    const todo = todos.wire({ repeat: weekly })
    const next = changedOccurrence(todo, friday, done(noon))
    expect(shownOn(next, undefined, friday)).toMatchObject({ due_day: '2026-11-27', missed: 2 })
    expect(occurrenceToSet(next, undefined, { completed: false, today: friday })).toBe(friday)
    const back = changedOccurrence(next, friday, { state: 'open', done_on: null, at: noon })
    expect(shownOn(back, undefined, friday)).toMatchObject({ due_day: '2026-11-20', missed: 2 })
  })

  test('is completed once its series has ended', () => {
    const todo = todos.wire({ repeat: { ...daily, until: '2026-11-18' } })
    const ended = changedOccurrence(todo, day('2026-11-18'), done(noon))
    expect(shownOn(ended, undefined, friday)).toMatchObject({
      completed: 1,
      completed_at: noon,
      due_day: null,
    })
  })

  test('that was moved keeps the occurrence by which it is known', () => {
    const todo = todos.wire({ repeat: weekly })
    expect(movedBy(todo, { due_day: day('2026-11-22') }, friday)).toEqual({ occurrence: friday })
    const moved = changedOccurrence(todo, friday, { moved_to: day('2026-11-22'), at: noon })
    expect(shownOn(moved, undefined, friday).due_day).toBe('2026-11-22')
    expect(shownOn(changedOccurrence(moved, friday, done(noon)), undefined, friday).due_day).toBe(
      '2026-11-27',
    )
    expect(movedBy(todo, { due_day: friday, repeat: daily }, friday)).toEqual({})
    expect(movedBy(todos.wire(), { due_day: friday }, friday)).toEqual({})
  })

  test('of a newer version stays open and as it is', () => {
    const todo = todos.wire({ repeat: { freq: 'moon' }, due_day: friday, completed: 1, completed_at: noon })
    expect(shownOn(todo, undefined, friday)).toEqual({ ...todo, completed: 0, completed_at: null })
    expect(occurrenceToSet(todo, undefined, { completed: true, today: friday })).toBeUndefined()
  })

  test('counts nothing as done or missed because one of long ago was moved', () => {
    const todo: Todo = {
      ...todos.wire({ repeat: { ...daily, every: 2, mode: 'done', from: '2026-03-01' } }),
      settled_from: day('2026-09-21'),
      settled: [],
      done_before: 5,
      missed_before: 0,
    }
    const moved = changedOccurrence(todo, day('2026-03-01'), { moved_to: friday, at: noon })
    expect(moved).toMatchObject({ done_before: 5, missed_before: 0 })
    expect(shownOn(moved, undefined, friday)).toMatchObject({ due_day: friday })
  })

  test('counts a missed day of long ago that is completed now, and once more when that is undone', () => {
    const todo: Todo = {
      ...todos.wire({ repeat: { ...daily, from: '2025-11-20' } }),
      settled_from: day('2026-09-21'),
      settled: [{ day: day('2026-09-18'), moved_to: null, ...done('2026-09-18T12:00:00.000Z') }],
      done_before: 5,
      missed_before: 300,
    }
    const { missed = 0 } = shownOn(todo, undefined, friday)
    for (const [settled, change] of [
      [day('2026-09-01'), done(noon)],
      [day('2026-09-19'), done(noon)],
    ] as const) {
      const ticked = changedOccurrence(todo, settled, change)
      expect(shownOn(ticked, undefined, friday)).toMatchObject({ missed: missed - 1, done_before: 6 })
      const back = changedOccurrence(ticked, settled, { state: 'open', done_on: null, at: noon })
      expect(shownOn(back, undefined, friday)).toMatchObject({ missed, done_before: 5 })
    }
  })
})

test('how often a task was done is counted from the first day of its rule, long ago as well', () => {
  const todo: Todo = {
    ...todos.wire({ repeat: { freq: 'week', every: 1, mode: 'done', from: '2026-07-01' } }),
    settled_from: day('2026-09-21'),
    settled: ['2026-09-18', '2026-09-25', '2026-10-02'].map((of) => ({
      day: day(of),
      moved_to: null,
      ...done(`${of}T12:00:00.000Z`),
    })),
    done_before: 5,
  }
  expect(doneSinceFirst(todo)).toBe(7)
  const [, , last] = todo.settled ?? []
  expect(doneSinceFirst(changedOccurrence(todo, last?.day ?? friday, { state: 'skipped', at: noon }))).toBe(6)
  expect(
    doneSinceFirst({ ...todo, settled_from: null, repeat: { ...todo.repeat, from: '2026-10-01' } }),
  ).toBe(1)
  expect(doneSinceFirst(todos.wire())).toBe(0)
})

describe('the open occurrence is not moved past the next one', () => {
  const to = (due_day: string | null, repeat: Record<string, unknown> = weekly) =>
    movedPast(todos.wire({ repeat }), { due_day: due_day === null ? null : day(due_day) }, friday)

  test('whose day, or a later one, is refused with that day', () => {
    expect(to('2026-11-26')).toBeUndefined()
    expect(to('2026-11-27')).toEqual({ day: friday, next: '2026-11-27' })
    expect(to('2027-03-01')).toEqual({ day: friday, next: '2026-11-27' })
    const skipped = changedOccurrence(todos.wire({ repeat: weekly }), day('2026-11-27'), done(noon))
    expect(movedPast(skipped, { due_day: day('2026-12-03') }, friday)).toBeUndefined()
    expect(movedPast(skipped, { due_day: day('2026-12-04') }, friday)).toMatchObject({ next: '2026-12-04' })
  })

  test('unless there is none, the rule is changed along, or it counts from the day it was done', () => {
    expect(to(null)).toBeUndefined()
    expect(to('2027-03-01', { ...weekly, until: '2026-11-20' })).toBeUndefined()
    expect(to('2027-03-01', { freq: 'week', every: 1, mode: 'done', from: '2026-11-06' })).toBeUndefined()
    const changes = { due_day: day('2027-03-01'), repeat: daily }
    expect(movedPast(todos.wire({ repeat: weekly }), changes, friday)).toBeUndefined()
    expect(movedPast(todos.wire(), { due_day: day('2027-03-01') }, friday)).toBeUndefined()
  })
})

test('a day of long ago that becomes skipped, or is reopened, is counted by what it was', () => {
  const todo: Todo = {
    ...todos.wire({ repeat: { ...daily, from: '2025-11-20' } }),
    settled_from: day('2026-09-21'),
    settled: [{ day: day('2026-09-18'), moved_to: null, ...done('2026-09-18T12:00:00.000Z') }],
    done_before: 5,
    missed_before: 300,
  }
  const skipped = { state: 'skipped', done_on: friday, at: noon } as const
  const reopened = { state: 'open', done_on: null, at: noon } as const
  const of = day('2026-09-01')
  expect(changedOccurrence(todo, of, skipped, 'done')).toMatchObject({ missed_before: 300, done_before: 4 })
  expect(changedOccurrence(todo, of, reopened, 'skipped')).toMatchObject({
    missed_before: 301,
    done_before: 5,
  })
})

describe('a subtask of one that repeats', () => {
  const parent = todos.wire({ id: 'parent', repeat: daily })
  const subtask = todos.wire({ id: 'subtask', parent_id: 'parent', completed: 1, completed_at: noon })

  test('is as it is in the open occurrence', () => {
    const [, open] = allShownOn([parent, subtask], friday)
    expect(open).toMatchObject({ completed: 0, completed_at: null })
    expect(occurrenceToSet(subtask, parent, { completed: true, today: friday })).toBe(friday)
    const ticked = changedOccurrence(subtask, friday, done(noon))
    expect(allShownOn([parent, ticked], friday)[1]).toMatchObject({ completed: 1, completed_at: noon })
    expect(allShownOn([parent, ticked], addDays(friday, 1))[1]).toMatchObject({ completed: 0 })
    const next = changedOccurrence(parent, friday, done(noon))
    expect(allShownOn([next, ticked], friday)[1]).toMatchObject({ completed: 0 })
  })

  test('is completed with a series that has ended', () => {
    const ended = changedOccurrence(
      { ...parent, repeat: { ...daily, times: 1 } },
      day('2026-11-18'),
      done(noon),
    )
    expect(allShownOn([ended, subtask], friday)).toMatchObject([{ completed: 1 }, { completed: 1 }])
  })
})

test('to-dos of which none repeats stay the same objects', () => {
  const all = [todos.wire()]
  expect(allShownOn(all, friday)).toBe(all)
})
