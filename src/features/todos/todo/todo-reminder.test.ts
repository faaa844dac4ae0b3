import { describe, expect, it } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { nextReminderOf } from '../dates/next-todo-reminder.ts'
import { todos } from '../testing/todos.ts'
import type { Todo } from './todo.ts'
import { reminderOfInstant, reminderTime, reminderToRestore, reminderToStore } from './todo-reminder.ts'

const day = (text: string) => text as Day
const instant = (text: string) => Date.parse(text)
const copenhagen = 'Europe/Copenhagen'
const eight = { days_before: 0, time: 480 }

describe('the reminder of a to-do', () => {
  it('is restored as it was: at a time with the due day, at an instant, or none', () => {
    const reminder = { days_before: 0, time: 480 }
    const remind_at = '2026-03-05T08:00:00.000Z'
    expect(reminderToRestore({ reminder, remind_at: null })).toEqual({ reminder })
    expect(reminderToRestore({ reminder: null, remind_at })).toEqual({ remind_at })
    expect(reminderToRestore({ reminder: null, remind_at: null })).toEqual({ remind_at: null })
  })

  it('comes so many days before it is due, also over the end of a month', () => {
    const todo = todos.wire({ due_day: day('2026-03-01'), reminder: { days_before: 1, time: 480 } })
    expect(reminderTime(todo, copenhagen)).toEqual({ day: '2026-02-28', time: 480 })
    expect(reminderTime({ ...todo, due_day: null }, copenhagen)).toBeUndefined()
    const once = todos.wire({ due_day: day('2026-03-01'), remind_at: '2026-03-05T08:00:00.000Z' })
    expect(reminderTime(once, copenhagen)).toEqual({ day: '2026-03-05', time: 540 })
  })

  it('comes at the same time on the clock before and after it changes', () => {
    const repeat = { freq: 'day', every: 1, mode: 'due', from: '2026-10-20' }
    const todo = todos.wire({ repeat })
    const next = (after: string) => {
      const found = nextReminderOf(todo, eight, { after: instant(after), zone: copenhagen })
      return found && { ...found, at: new Date(found.at).toISOString() }
    }
    expect(next('2026-10-24T00:00:00Z')).toEqual({ day: '2026-10-24', at: '2026-10-24T06:00:00.000Z' })
    expect(next('2026-10-24T06:00:00Z')).toEqual({ day: '2026-10-25', at: '2026-10-25T07:00:00.000Z' })
  })

  it('that the clocks skip comes as much later; of a time that comes twice the first one counts', () => {
    const at = (due: string, time: number) => {
      const todo = todos.wire({ due_day: day(due) })
      return nextReminderOf(todo, { days_before: 0, time }, { after: 0, zone: copenhagen })?.at
    }
    expect(at('2026-03-29', 150)).toBe(instant('2026-03-29T01:30:00Z'))
    expect(at('2026-10-25', 150)).toBe(instant('2026-10-25T00:30:00Z'))
  })

  it('comes of the next days of the series that are open, the earliest first, wherever they were moved', () => {
    const repeat = { freq: 'week', every: 1, weekdays: [1], week_start: 1, mode: 'due', from: '2026-11-02' }
    const open = { state: 'open', done_on: null, at: '2026-11-01T00:00:00.000Z' } as const
    const todo: Todo = {
      ...todos.wire({ repeat }),
      settled: [
        { ...open, day: day('2026-11-02'), moved_to: day('2026-11-05') },
        { ...open, day: day('2026-11-09'), state: 'skipped', done_on: day('2026-11-09'), moved_to: null },
      ],
    }
    const days = []
    let after = instant('2026-11-01T00:00:00Z')
    for (let count = 0; count < 3; count++) {
      const next = nextReminderOf(todo, { days_before: 2, time: 480 }, { after, zone: 'UTC' })
      days.push([next?.day, new Date(next?.at ?? 0).toISOString().slice(0, 10)])
      after = next?.at ?? after
    }
    expect(days).toEqual([
      ['2026-11-02', '2026-11-03'],
      ['2026-11-16', '2026-11-14'],
      ['2026-11-23', '2026-11-21'],
    ])
  })

  it('ends with the series, and follows no rule that this version cannot read', () => {
    const repeat = { freq: 'day', every: 1, mode: 'due', from: '2026-11-02', until: '2026-11-03' }
    const ofDay = (rule: Record<string, unknown>, after: string) =>
      nextReminderOf(todos.wire({ repeat: rule }), eight, { after: instant(after), zone: 'UTC' })?.day
    expect(ofDay(repeat, '2026-11-02T09:00:00Z')).toBe('2026-11-03')
    expect(ofDay(repeat, '2026-11-03T08:00:00Z')).toBeUndefined()
    expect(ofDay({ ...repeat, freq: 'fortnight' }, '2026-11-02T00:00:00Z')).toBeUndefined()
  })
})

describe('an instant at which to be reminded', () => {
  const options = { zone: copenhagen, rounded: false }
  const of = (text: string, due: string, more = options) => reminderOfInstant(instant(text), day(due), more)

  it('goes with the due day if it is not after that, and its clock says it', () => {
    expect(of('2026-11-20T07:30:00Z', '2026-11-21')).toEqual({ days_before: 1, time: 510 })
    expect(of('2026-11-20T23:30:00Z', '2026-11-21')).toEqual({ days_before: 0, time: 30 })
    expect(of('2026-11-22T00:00:00Z', '2026-11-21')).toBeUndefined()
    expect(of('2025-11-01T00:00:00Z', '2026-11-21')).toBeUndefined()
    expect(of('2026-11-20T07:30:01Z', '2026-11-21')).toBeUndefined()
    // The second half past two of that night.
    expect(of('2026-10-25T01:30:00Z', '2026-10-25')).toBeUndefined()
    const rounded = { zone: copenhagen, rounded: true }
    expect(of('2026-11-20T07:30:01Z', '2026-11-21', rounded)).toEqual({ days_before: 1, time: 510 })
  })

  it('takes the place of the other form, and the other form its place', () => {
    const remind_at = '2026-11-20T07:30:00.000Z'
    expect(reminderToStore({}, null, options)).toEqual({})
    expect(reminderToStore({ remind_at }, null, options)).toEqual({ reminder: null, remind_at })
    expect(reminderToStore({ remind_at, reminder: null }, day('2026-11-20'), options)).toEqual({
      reminder: { days_before: 0, time: 510 },
      remind_at: null,
    })
    const none = { reminder: null, remind_at: null }
    expect(reminderToStore({ remind_at: null }, null, options)).toEqual(none)
    expect(reminderToStore({ reminder: null }, null, options)).toEqual(none)
    expect(reminderToStore({ remind_at, reminder: eight }, null, options)).toEqual({
      reminder: eight,
      remind_at: null,
    })
  })
})
