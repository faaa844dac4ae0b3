import * as z from 'zod/mini'
import type { Reminder } from '#features/reminders/reminder.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { List } from '#platform/sync/list.ts'
import type { AnyWrite, Write } from '#platform/sync/write.ts'
import {
  factsOf,
  type HabitFacts,
  type History,
  setDay,
  withDay,
  withFrequency,
  withoutDays,
} from '../counted-habit.ts'
import { completionsSchema, habitSchema } from '../habit.ts'
import { type Frequency, periodStart } from '../streak.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC) and a `date` the day it counts for, both decided when they
// made it: it is sent later, and again. A `name` beside them is only there to tell what could not be saved.

/** The habits without their numbers: those are counted when they are shown, for the day that it is then. */
export const habitList: List<HabitFacts> = {
  name: 'habits',
  path: '/api/habits',
  rows: (answer) => listSchema.parse(answer).habits.map(factsOf),
}

/** A list that was kept on the device before habits had reminders is one without any, and can be read without a connection. */
const listSchema = z.object({
  habits: z.array(z.extend(habitSchema, { reminder: z._default(habitSchema.shape.reminder, null) })),
})

export const addHabit: Write<
  HabitFacts,
  {
    id: string
    name: string
    description: string
    frequency: Frequency
    start_date: Day
    weekStart: WeekStart
    at: string
  }
> = {
  name: 'habits.add',
  version: 1,
  list: habitList,
  apply: (rows, { id, name, description, frequency, start_date, weekStart, at }) => {
    if (rows.some((habit) => habit.id === id)) return [...rows]
    const from = periodStart(addDays(start_date, -7), { frequency, weekStart })
    const earlier = { from, run: 0, longest: 0 }
    const facts = { id, name, description, frequency, start_date, summed: frequency, earlier }
    return [...rows, { ...facts, reminder: null, since: [], created_at: at }]
  },
  request: ({ id, name, description, frequency, start_date, at }) => ({
    method: 'POST',
    path: '/api/habits',
    body: { id, name, description, frequency, start_date, at },
  }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to add habit',
  text: ({ name, description }) => inLines(name, description),
  typed: true,
}

/** `changes` holds what the person changed and nothing else; `history` belongs to a new frequency. */
export const changeHabit: Write<
  HabitFacts,
  {
    id: string
    name: string
    changes: { name?: string; description?: string; frequency?: Frequency }
    history?: History
    at: string
  }
> = {
  name: 'habits.change',
  version: 1,
  list: habitList,
  apply: (rows, { id, changes: { frequency, ...texts }, history }) =>
    rows.map((habit) => {
      if (habit.id !== id) return habit
      const changed = { ...habit, ...texts }
      return frequency === undefined ? changed : withFrequency(changed, frequency, history)
    }),
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/habits/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name, changes }) => inLines(name, changes.description),
  typed: true,
}

/** A write of its own: one that was queued before there were reminders is still what it was. */
export const setHabitReminder: Write<
  HabitFacts,
  { id: string; name: string; reminder: Reminder | null; at: string }
> = {
  name: 'habits.remind',
  version: 1,
  list: habitList,
  apply: (rows, { id, reminder }) => rows.map((habit) => (habit.id === id ? { ...habit, reminder } : habit)),
  request: ({ id, reminder, at }) => ({ method: 'PUT', path: `/api/habits/${id}`, body: { reminder, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

export const deleteHabit: Write<HabitFacts, { id: string; name: string; at: string }> = {
  name: 'habits.delete',
  version: 1,
  list: habitList,
  apply: (rows, { id }) => rows.filter((habit) => habit.id !== id),
  request: ({ id, at }) => ({ method: 'DELETE', path: `/api/habits/${id}?at=${encodeURIComponent(at)}` }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to delete habit',
  text: ({ name }) => name,
}

/** Takes a deletion back: `habit` as it was when it was deleted. One that has waited for long may have no reminder. */
export const restoreHabit: Write<
  HabitFacts,
  { habit: Omit<HabitFacts, 'reminder'> & Partial<Pick<HabitFacts, 'reminder'>>; at: string }
> = {
  name: 'habits.restore',
  version: 1,
  list: habitList,
  apply: (rows, { habit }) =>
    rows.some(({ id }) => id === habit.id)
      ? [...rows]
      : [...rows, { reminder: null, ...habit }].sort(asListed),
  request: ({ habit, at }) => ({
    method: 'POST',
    path: `/api/habits/${habit.id}/restore?at=${encodeURIComponent(at)}`,
  }),
  subject: ({ habit }) => habit.id,
  refusal: 'Failed to restore habit',
  text: ({ habit }) => habit.name,
}

interface HabitDay {
  id: string
  name: string
  date: Day
  completed: boolean
  /** For a day that lies before the `earlier.from` of its row. */
  history?: History
  at: string
}

export const completeHabitDay: Write<HabitFacts, HabitDay> = {
  name: 'habits.complete',
  version: 1,
  list: habitList,
  apply: (rows, { id, ...day }) => rows.map((habit) => (habit.id === id ? withDay(habit, day) : habit)),
  request: ({ id, date, completed, at }) => ({
    method: 'POST',
    path: `/api/habits/${id}/complete`,
    body: { date, completed, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

/** It never lies before the `earlier.from` of its row. */
interface HabitPeriod {
  id: string
  name: string
  from: Day
  to: Day
  at: string
}

/** Unchecks the current period: a week may have been done on any of its days. */
export const uncompletePeriod: Write<HabitFacts, HabitPeriod> = {
  name: 'habits.uncomplete',
  version: 1,
  list: habitList,
  apply: (rows, { id, ...range }) =>
    rows.map((habit) => (habit.id === id ? withoutDays(habit, range) : habit)),
  request: ({ id, from, to, at }) => ({
    method: 'DELETE',
    path: `/api/habits/${id}/completions?from=${from}&to=${to}&at=${encodeURIComponent(at)}`,
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

/** For the provider: every write to habits that may be waiting on a device. */
export const habitWrites = [
  addHabit,
  changeHabit,
  setHabitReminder,
  deleteHabit,
  restoreHabit,
  completeHabitDay,
  uncompletePeriod,
]

/** Every day on which a habit was completed, in order. Read by whoever opens it; nothing is written to it by itself. */
export function completionList(id: string): List<Day> {
  return {
    name: `completions-${id}`,
    path: `/api/habits/${id}/completions?from=1900-01-01&to=9999-12-31`,
    rows: (answer) => completionsSchema.parse(answer).days,
  }
}

/** How the writes of the habits look from the completions of one of them. */
export function completionWrites(list: List<Day>): AnyWrite[] {
  const day: Write<Day, HabitDay> = {
    ...completeHabitDay,
    list,
    apply: (days, { date, completed }) => setDay(days, date, completed),
  }
  const period: Write<Day, HabitPeriod> = {
    ...uncompletePeriod,
    list,
    apply: (days, { from, to }) => days.filter((other) => other < from || other > to),
  }
  return [day, period]
}

/** All that was typed. */
function inLines(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n')
}

/** The order in which the server lists them. */
function asListed(a: HabitFacts, b: HabitFacts): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
