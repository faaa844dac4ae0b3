import * as z from 'zod/mini'
import type { Reminder } from '#features/reminders/reminder.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { changed, deletion, restoration } from '#platform/sync/collections/row-writes.ts'
import type { AnyWrite, Write } from '#platform/sync/collections/write.ts'
import { type EditOf, localShape, valuesWhenMissing } from '#platform/wire/synced-row.ts'
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
import { habitRow } from '../habit-row.ts'
import { type Frequency, periodStart } from '../streak.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC) and a `date` the day it counts for, both set when they made it: the
// change is sent later, and may be sent again. A `name` beside them only tells the person what could not be saved.

/** The habits without their numbers: those are computed when they are shown, for the current day. */
export const habitList: Collection<HabitFacts> = {
  name: 'habits',
  path: '/api/habits',
  rows: (response) => listSchema.parse(response).habits.map(factsOf),
}

/** As stored on the device, possibly by an older build: it must be readable without a connection. */
const listSchema = z.object({
  habits: z.array(
    z.object({
      ...localShape(habitRow),
      earlier: habitSchema.shape.earlier,
      since: habitSchema.shape.since,
    }),
  ),
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
  collection: habitList,
  apply: (rows, { id, name, description, frequency, start_date, weekStart, at }) => {
    if (rows.some((habit) => habit.id === id)) return [...rows]
    const from = periodStart(addDays(start_date, -7), { frequency, weekStart })
    const earlier = { from, run: 0, longest: 0 }
    const fields = { id, name, description, frequency, start_date, created_at: at }
    return [...rows, { ...valuesWhenMissing(habitRow), ...fields, summed: frequency, earlier, since: [] }]
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

/** `changes` holds only what the person changed; `history` goes with a new frequency. */
export const changeHabit: Write<
  HabitFacts,
  {
    id: string
    name: string
    changes: Partial<Omit<EditOf<typeof habitRow>, 'reminder'>>
    history?: History
    at: string
  }
> = {
  name: 'habits.change',
  version: 1,
  collection: habitList,
  apply: (rows, { id, changes: { frequency, ...texts }, history }) =>
    changed(rows, id, texts).map((habit) =>
      habit.id !== id || frequency === undefined ? habit : withFrequency(habit, frequency, history),
    ),
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/habits/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name, changes }) => inLines(name, changes.description),
  typed: true,
}

/** A write of its own, so that a change queued before reminders existed keeps its meaning. */
export const setHabitReminder: Write<
  HabitFacts,
  { id: string; name: string; reminder: Reminder | null; at: string }
> = {
  name: 'habits.remind',
  version: 1,
  collection: habitList,
  apply: (rows, { id, reminder }) => changed(rows, id, { reminder }),
  request: ({ id, reminder, at }) => ({ method: 'PUT', path: `/api/habits/${id}`, body: { reminder, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

export const deleteHabit = deletion<HabitFacts, { id: string; name: string; at: string }>({
  name: 'habits.delete',
  collection: habitList,
  refusal: 'Failed to delete habit',
  text: ({ name }) => name,
})

/** Undoes a deletion: `habit` is as it was when it was deleted. A write queued long ago may have no reminder. */
export const restoreHabit = restoration<
  HabitFacts,
  { habit: Omit<HabitFacts, 'reminder'> & Partial<Pick<HabitFacts, 'reminder'>>; at: string }
>({
  name: 'habits.restore',
  collection: habitList,
  rowOf: ({ habit }) => ({ ...valuesWhenMissing(habitRow), ...habit }),
  order: asListed,
  refusal: 'Failed to restore habit',
  text: ({ habit }) => habit.name,
})

interface HabitDay {
  id: string
  name: string
  date: Day
  completed: boolean
  /** For a day before the `earlier.from` of its row. */
  history?: History
  at: string
}

export const completeHabitDay: Write<HabitFacts, HabitDay> = {
  name: 'habits.complete',
  version: 1,
  collection: habitList,
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

/** Never before the `earlier.from` of its row. */
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
  collection: habitList,
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

/** Every day on which a habit was completed, in order. Read when the habit is opened; it has no writes of its own. */
export function completionList(id: string): Collection<Day> {
  return {
    name: `completions-${id}`,
    path: `/api/habits/${id}/completions?from=1900-01-01&to=9999-12-31`,
    rows: (response) => completionsSchema.parse(response).days,
  }
}

/** The habit writes, as they apply to the completions of one habit. */
export function completionWrites(list: Collection<Day>): AnyWrite[] {
  const day: Write<Day, HabitDay> = {
    ...completeHabitDay,
    collection: list,
    apply: (days, { date, completed }) => setDay(days, date, completed),
  }
  const period: Write<Day, HabitPeriod> = {
    ...uncompletePeriod,
    collection: list,
    apply: (days, { from, to }) => days.filter((other) => other < from || other > to),
  }
  return [day, period]
}

/** Everything that was typed. */
function inLines(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n')
}

/** The order in which the server lists them. */
function asListed(a: HabitFacts, b: HabitFacts): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
