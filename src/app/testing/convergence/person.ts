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
import { ChangeBuilder, type ChangeOrigin, type QueueableChange } from './one-change.ts'
import type { Deleted, View } from './view.ts'

/** What a person intends to do. The row and the details depend on what they see. */
export interface Intent {
  action: (typeof everything)[number]
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

/** The intents of a schedule: mostly about one kind of row, so that several devices change the same few rows. */
export const intents: fc.Arbitrary<Intent>[] = [
  ofTodos,
  ofTodos,
  ofHabits,
  ofHabits,
  ofSessions,
  ofPreferences,
  everything,
].map((actions) => fc.record({ action: fc.constantFrom(...actions), which: fc.nat(3), value: fc.nat(9) }))

/** The change that results from an intent, if any, for a person who sees `view` while their clock says `deviceTime`. */
export function changeOf(
  intent: Intent,
  origin: ChangeOrigin,
  deviceTime: Instant,
  { view, deleted }: { view: View; deleted: Deleted },
): QueueableChange | undefined {
  const builder = new ChangeBuilder(origin, deviceTime)
  return (
    todoChange(intent, builder, view.todos, deleted.todos) ??
    habitChange(intent, builder, view.habits, deleted.habits) ??
    sessionChange(intent, builder, view.sessions, deleted.sessions) ??
    preferencesChange(intent, builder, view.preferences)
  )
}

function todoChange(
  { action, which, value }: Intent,
  builder: ChangeBuilder,
  todos: Todo[] | undefined,
  deleted: Todo[],
): QueueableChange | undefined {
  const { at, text, today } = builder
  if (action === 'add todo') {
    const id = builder.newId()
    const fields = { title: text, completed: 0, due_day: null }
    return builder.build('add', addTodo, id, { id, title: text, at }, fields)
  }
  if (action === 'restore todo') {
    const todo = pick(deleted, which)
    return todo && builder.build('restore', restoreTodo, todo.id, { todo, at })
  }
  const todo = pick(todos, which)
  if (!todo) return undefined
  const { id } = todo
  if (action === 'rename todo')
    return builder.build('edit', renameTodo, id, { id, title: text, at }, { title: text })
  if (action === 'complete todo') {
    const completed = todo.completed ? 0 : 1
    return builder.build(
      'edit',
      setTodoCompleted,
      id,
      { id, completed, title: text, day: today, at },
      { completed },
    )
  }
  if (action === 'set due day') {
    const due_day = value === 0 ? null : addDays(today, builder.number)
    return builder.build('edit', setTodoDates, id, { id, changes: { due_day }, title: text, at }, { due_day })
  }
  if (action !== 'delete todo') return undefined
  deleted.push(todo)
  return builder.build('delete', deleteTodo, id, { id, title: text, at })
}

function habitChange(
  { action, which, value }: Intent,
  builder: ChangeBuilder,
  habits: HabitFacts[] | undefined,
  deleted: HabitFacts[],
): QueueableChange | undefined {
  const { at, text, today } = builder
  if (action === 'add habit') {
    const id = builder.newId()
    const texts = { name: text, description: '', frequency: value % 2 === 0 ? 'daily' : 'weekly' } as const
    const vars = { id, ...texts, start_date: addDays(today, -value), weekStart: 1, at } as const
    return builder.build('add', addHabit, id, vars, texts)
  }
  if (action === 'restore habit') {
    const habit = pick(deleted, which)
    return habit && builder.build('restore', restoreHabit, habit.id, { habit, at })
  }
  const habit = pick(habits, which)
  if (!habit) return undefined
  const { id } = habit
  const change = (changes: Pick<Partial<HabitFacts>, 'name' | 'description' | 'frequency'>) =>
    builder.build('edit', changeHabit, id, { id, name: text, changes, at }, changes)
  if (action === 'rename habit') return change({ name: text })
  if (action === 'describe habit') return change({ description: text })
  if (action === 'change frequency')
    return change({ frequency: habit.frequency === 'daily' ? 'weekly' : 'daily' })
  if (action === 'complete day') {
    const date = addDays(today, -(value % 4))
    const completed = !habit.since.includes(date)
    return builder.build(
      'edit',
      completeHabitDay,
      id,
      { id, name: text, date, completed, at },
      { [date]: completed },
    )
  }
  if (action === 'uncheck days') {
    const from = addDays(today, -(value % 4))
    const fields = Object.fromEntries(daysFrom(from, today).map((day) => [day, false]))
    return builder.build('edit', uncompletePeriod, id, { id, name: text, from, to: today, at }, fields)
  }
  if (action !== 'delete habit') return undefined
  deleted.push(habit)
  return builder.build('delete', deleteHabit, id, { id, name: text, at })
}

function sessionChange(
  { action, which, value }: Intent,
  builder: ChangeBuilder,
  sessions: FocusSession[] | undefined,
  deleted: FocusSession[],
): QueueableChange | undefined {
  const { at, text: label, today } = builder
  if (action === 'record session') {
    const id = builder.newId()
    const duration = 60 * (value + 1)
    const started_at = instantToWire(builder.instant - duration * 1000)
    const session = { id, duration, started_at, ended_at: at, days: [{ day: today, seconds: duration }] }
    return builder.build('add', recordFocusSession, id, { session, label, at }, { duration })
  }
  if (action === 'restore session') {
    const session = pick(deleted, which)
    return session && builder.build('restore', restoreFocusSession, session.id, { session, label, at })
  }
  const session = pick(sessions, which)
  if (!session || action !== 'delete session') return undefined
  deleted.push(session)
  return builder.build('delete', deleteFocusSession, session.id, { id: session.id, label, at })
}

const zones = ['Europe/Copenhagen', 'America/New_York', 'Asia/Tokyo', 'UTC'] as const
const themes = ['system', 'light', 'dark'] as const
const weekStarts = [1, 6, 7] as const

function preferencesChange(
  { action, value }: Intent,
  builder: ChangeBuilder,
  preferences: Preferences[] | undefined,
): QueueableChange | undefined {
  if (!preferences) return undefined
  const change = (change: PreferencesChange, fields: Record<string, unknown> = { ...change }) =>
    builder.build('edit', changePreferences, 'all', { change, at: builder.at }, fields)
  if (action === 'change theme') return change({ theme: pick(themes, value) })
  if (action === 'change week start') return change({ week_start: pick(weekStarts, value) })
  if (action === 'change day start') return change({ day_start: 30 * value })
  if (action !== 'change zone') return undefined
  const time_zone = pick(zones, value)
  if (value < 5) return change({ time_zone }, { zone: `${time_zone}, fixed` })
  return change({ time_zone, time_zone_follows_browser: true }, { zone: `${time_zone}, followed` })
}

function pick<Thing>(things: readonly [Thing, ...Thing[]], which: number): Thing
function pick<Thing>(things: readonly Thing[] | undefined, which: number): Thing | undefined
function pick<Thing>(things: readonly Thing[] | undefined, which: number): Thing | undefined {
  return things?.[which % Math.max(1, things.length)]
}
