import fc from 'fast-check'
import type { FocusSession } from '#features/focus/focus-session.ts'
import {
  deleteFocusSession,
  recordFocusSession,
  restoreFocusSession,
} from '#features/focus/web/focus-queries.ts'
import type { HabitFacts } from '#features/habits/counted-habit.ts'
import {
  addHabit,
  changeHabit,
  completeHabitDay,
  deleteHabit,
  restoreHabit,
  uncompletePeriod,
} from '#features/habits/web/habit-queries.ts'
import type { Preferences, PreferencesChange } from '#features/preferences/preferences.ts'
import { changePreferences } from '#features/preferences/web/preferences-queries.ts'
import type { Todo } from '#features/todos/todo.ts'
import {
  addTodo,
  deleteTodo,
  renameTodo,
  restoreTodo,
  setTodoCompleted,
  setTodoDates,
} from '#features/todos/web/todo-queries.ts'
import { addDays, daysFrom, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { type Doing, type Made, OneChange } from './one-change.ts'
import type { Deleted, View } from './view.ts'

/** What somebody has in mind; of which row, and with what, is found out from what they see. */
export interface Wish {
  does: (typeof everything)[number]
  which: number
  value: number
}

const ofTodos = [
  'rename todo',
  'complete todo',
  'set due day',
  'delete todo',
  'restore todo',
  'rename todo',
  'complete todo',
  'add todo',
] as const
const ofHabits = [
  'complete day',
  'uncheck days',
  'rename habit',
  'delete habit',
  'restore habit',
  'complete day',
  'describe habit',
  'change frequency',
  'add habit',
] as const
const ofSessions = ['delete session', 'restore session', 'record session'] as const
const ofPreferences = ['change theme', 'change week start', 'change day start', 'change zone'] as const
const everything = [...ofTodos, ...ofHabits, ...ofSessions, ...ofPreferences] as const

/** The wishes of a schedule: mostly about one thing, so that several devices meet in few rows. */
export const wishes: fc.Arbitrary<Wish>[] = [
  ofTodos,
  ofTodos,
  ofHabits,
  ofHabits,
  ofSessions,
  ofPreferences,
  everything,
].map((does) => fc.record({ does: fc.constantFrom(...does), which: fc.nat(3), value: fc.nat(9) }))

/** What comes of a wish, if anything, for somebody who sees `view` when their clock says `said`. */
export function doingOf(
  wish: Wish,
  made: Made,
  said: Instant,
  { view, deleted }: { view: View; deleted: Deleted },
): Doing | undefined {
  const one = new OneChange(made, said)
  return (
    doingOfTodo(wish, one, view.todos, deleted.todos) ??
    doingOfHabit(wish, one, view.habits, deleted.habits) ??
    doingOfSession(wish, one, view.sessions, deleted.sessions) ??
    doingOfPreferences(wish, one, view.preferences)
  )
}

function doingOfTodo(
  { does, which, value }: Wish,
  one: OneChange,
  todos: Todo[] | undefined,
  deleted: Todo[],
): Doing | undefined {
  const { at, text, today } = one
  if (does === 'add todo') {
    const id = one.newId()
    const fields = { title: text, completed: 0, due_day: null }
    return one.doing('add', addTodo, id, { id, title: text, at }, fields)
  }
  if (does === 'restore todo') {
    const todo = pick(deleted, which)
    return todo && one.doing('restore', restoreTodo, todo.id, { todo, at })
  }
  const todo = pick(todos, which)
  if (!todo) return undefined
  const { id } = todo
  if (does === 'rename todo')
    return one.doing('edit', renameTodo, id, { id, title: text, at }, { title: text })
  if (does === 'complete todo') {
    const completed = todo.completed ? 0 : 1
    return one.doing(
      'edit',
      setTodoCompleted,
      id,
      { id, completed, title: text, day: today, at },
      { completed },
    )
  }
  if (does === 'set due day') {
    const due_day = value === 0 ? null : addDays(today, one.number)
    return one.doing('edit', setTodoDates, id, { id, changes: { due_day }, title: text, at }, { due_day })
  }
  if (does !== 'delete todo') return undefined
  deleted.push(todo)
  return one.doing('delete', deleteTodo, id, { id, title: text, at })
}

function doingOfHabit(
  { does, which, value }: Wish,
  one: OneChange,
  habits: HabitFacts[] | undefined,
  deleted: HabitFacts[],
): Doing | undefined {
  const { at, text, today } = one
  if (does === 'add habit') {
    const id = one.newId()
    const texts = { name: text, description: '', frequency: value % 2 === 0 ? 'daily' : 'weekly' } as const
    const vars = { id, ...texts, start_date: addDays(today, -value), weekStart: 1, at } as const
    return one.doing('add', addHabit, id, vars, texts)
  }
  if (does === 'restore habit') {
    const habit = pick(deleted, which)
    return habit && one.doing('restore', restoreHabit, habit.id, { habit, at })
  }
  const habit = pick(habits, which)
  if (!habit) return undefined
  const { id } = habit
  const change = (changes: Pick<Partial<HabitFacts>, 'name' | 'description' | 'frequency'>) =>
    one.doing('edit', changeHabit, id, { id, name: text, changes, at }, changes)
  if (does === 'rename habit') return change({ name: text })
  if (does === 'describe habit') return change({ description: text })
  if (does === 'change frequency')
    return change({ frequency: habit.frequency === 'daily' ? 'weekly' : 'daily' })
  if (does === 'complete day') {
    const date = addDays(today, -(value % 4))
    const completed = !habit.since.includes(date)
    return one.doing(
      'edit',
      completeHabitDay,
      id,
      { id, name: text, date, completed, at },
      { [date]: completed },
    )
  }
  if (does === 'uncheck days') {
    const from = addDays(today, -(value % 4))
    const fields = Object.fromEntries(daysFrom(from, today).map((day) => [day, false]))
    return one.doing('edit', uncompletePeriod, id, { id, name: text, from, to: today, at }, fields)
  }
  if (does !== 'delete habit') return undefined
  deleted.push(habit)
  return one.doing('delete', deleteHabit, id, { id, name: text, at })
}

function doingOfSession(
  { does, which, value }: Wish,
  one: OneChange,
  sessions: FocusSession[] | undefined,
  deleted: FocusSession[],
): Doing | undefined {
  const { at, text: label, today } = one
  if (does === 'record session') {
    const id = one.newId()
    const duration = 60 * (value + 1)
    const started_at = instantToWire(one.instant - duration * 1000)
    const session = { id, duration, started_at, ended_at: at, days: [{ day: today, seconds: duration }] }
    return one.doing('add', recordFocusSession, id, { session, label, at }, { duration })
  }
  if (does === 'restore session') {
    const session = pick(deleted, which)
    return session && one.doing('restore', restoreFocusSession, session.id, { session, label, at })
  }
  const session = pick(sessions, which)
  if (!session || does !== 'delete session') return undefined
  deleted.push(session)
  return one.doing('delete', deleteFocusSession, session.id, { id: session.id, label, at })
}

const zones = ['Europe/Copenhagen', 'America/New_York', 'Asia/Tokyo', 'UTC'] as const
const themes = ['system', 'light', 'dark'] as const
const weekStarts = [1, 6, 7] as const

function doingOfPreferences(
  { does, value }: Wish,
  one: OneChange,
  preferences: Preferences[] | undefined,
): Doing | undefined {
  if (!preferences) return undefined
  const change = (change: PreferencesChange, fields: Record<string, unknown> = { ...change }) =>
    one.doing('edit', changePreferences, 'all', { change, at: one.at }, fields)
  if (does === 'change theme') return change({ theme: pick(themes, value) })
  if (does === 'change week start') return change({ week_start: pick(weekStarts, value) })
  if (does === 'change day start') return change({ day_start: 30 * value })
  if (does !== 'change zone') return undefined
  const time_zone = pick(zones, value)
  if (value < 5) return change({ time_zone }, { zone: `${time_zone}, fixed` })
  return change({ time_zone, time_zone_follows_browser: true }, { zone: `${time_zone}, followed` })
}

function pick<Thing>(things: readonly [Thing, ...Thing[]], which: number): Thing
function pick<Thing>(things: readonly Thing[] | undefined, which: number): Thing | undefined
function pick<Thing>(things: readonly Thing[] | undefined, which: number): Thing | undefined {
  return things?.[which % Math.max(1, things.length)]
}
