import * as z from 'zod/mini'
import { type Rhythm, rhythmOfFrequency, type Target } from '#features/habits/rhythm/rhythm.ts'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { byPosition } from '#platform/order/position.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { changed, deletion, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { type EditOf, localShape, nonesOf, valuesWhenMissing } from '#platform/wire/synced-row.ts'
import type { Habit } from '../habit.ts'
import {
  type ChosenState,
  type DayEntry,
  factsOfResponse,
  type HabitFacts,
  sumOfNothing,
  type WithHistory,
  withArchiving,
  withEntry,
  withoutAmount,
  withoutDays,
  withoutEntry,
  withRhythm,
  withStart,
  withState,
} from '../habit-facts.ts'
import { historyNones, historyShape } from '../habit-history.ts'
import { habitRow, positionOf } from '../habit-row.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC), and `date` the day that it counts for. Both are set when the
// person makes the change, since it may be sent later and more than once. `name` is only used to tell the person what could not
// be saved.

/** The habits in their order. Their numbers are computed when they are shown, for the current day. */
export const habitCollection: Collection<HabitFacts> = {
  name: 'habits',
  path: '/api/habits',
  rows: (response) => readKnown(listSchema, response, { habits: nones }).habits.map(factsOf).sort(byPosition),
  order: byPosition,
}

type Frequency = Habit['frequency']

/** A habit as the server sent it and this device stored it. It must stay readable offline. */
const storedSchema = z.object({
  ...localShape(habitRow),
  ...historyShape,
  chosen_start: z.optional(historyShape.chosen_start),
  frequency: z.enum(['daily', 'weekly']),
})
const nones = { ...nonesOf(habitRow), ...historyNones, frequency: 'daily' }
const listSchema = z.object({ habits: z.array(storedSchema) })

/**
 * Converts a stored habit. If this build does not know the format of the rhythms or the start, the nearest known values replace
 * them.
 */
function factsOf({ frequency, ...stored }: z.infer<typeof storedSchema>): HabitFacts {
  const rhythms =
    stored.rhythms.length > 0
      ? stored.rhythms
      : [{ from_day: stored.start_date, rhythm: rhythmOfFrequency(frequency), target: 'yes' as const }]
  const { chosen_start = { day: stored.start_date, at: stored.created_at } } = stored
  return factsOfResponse({ ...stored, chosen_start, rhythms, position: positionOf(stored) })
}

interface NewHabit {
  id: string
  name: string
  description: string
  frequency: Frequency
  /** `rhythm` and `target` are left out if the frequency fully describes them. */
  rhythm?: Rhythm
  target?: Target
  start_date: Day
  weekStart: WeekStart
  at: string
}

export const addHabit: Write<HabitFacts, NewHabit> = {
  name: 'habits.add',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, name, description, frequency, rhythm, target = 'yes', start_date, at }) => {
    if (rows.some((habit) => habit.id === id)) return [...rows]
    const habit = factsOf({
      ...valuesWhenMissing(habitRow),
      id,
      name,
      description,
      start_date,
      created_at: at,
      chosen_start: { day: start_date, at },
      frequency,
      rhythms: [{ from_day: start_date, rhythm: rhythm ?? rhythmOfFrequency(frequency), target }],
      earlier: sumOfNothing(addDays(start_date, -7)),
      since: [],
      skipped: [],
      amounts: [],
      entries: [],
      sessions: [],
    })
    return [...rows, habit].sort(byPosition)
  },
  request: ({ weekStart: _, ...habit }) => ({ method: 'POST', path: '/api/habits', body: habit }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to add habit',
  text: ({ name, description }) => inLines(name, description),
  typed: true,
}

export type HabitEdit = Partial<Omit<EditOf<typeof habitRow>, 'reminder'>>

/** `changes` holds only what the person changed. */
export const changeHabit: Write<HabitFacts, { id: string; name: string; changes: HabitEdit; at: string }> = {
  name: 'habits.change',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, changes: { archived_at, start_date, ...changes }, at }) => {
    const next = ofHabit(changed(rows, id, changes), id, (habit) => {
      const begun = start_date === undefined ? habit : withStart(habit, { day: start_date, at })
      return archived_at === undefined ? begun : withArchiving(begun, archived_at)
    })
    return changes.position === undefined ? next : next.sort(byPosition)
  },
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/habits/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name, changes }) => inLines(name, changes.description),
  typed: true,
}

/** Sets the rhythm or target from a day on; earlier days keep the old one. */
export const setHabitRhythm: Write<
  HabitFacts,
  { id: string; name: string; from_day: Day; rhythm?: Rhythm; target?: Target; at: string } & WithHistory
> = {
  name: 'habits.rhythm',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, ...change }) => ofHabit(rows, id, (habit) => withRhythm(habit, change)),
  request: ({ id, from_day, rhythm, target, at }) => ({
    method: 'PUT',
    path: `/api/habits/${id}`,
    body: { ...(rhythm && { rhythm }), ...(target && { target }), from_day, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

export const setHabitReminder: Write<
  HabitFacts,
  { id: string; name: string; reminder: Reminder | null; at: string }
> = {
  name: 'habits.remind',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, reminder }) => changed(rows, id, { reminder }),
  request: ({ id, reminder, at }) => ({ method: 'PUT', path: `/api/habits/${id}`, body: { reminder, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

export const deleteHabit = deletion<HabitFacts, { id: string; name: string; at: string }>({
  name: 'habits.delete',
  collection: habitCollection,
  refusal: 'Failed to delete habit',
  text: ({ name }) => name,
})

/**
 * Restores a deleted habit: `habit` is its state before the deletion. A write that the previous version queued may lack new
 * fields and, for a new habit, most of the sum. The fallback for the sum can be removed in the next version.
 */
export const restoreHabit = restoration<HabitFacts, { habit: HabitFacts; at: string }>({
  name: 'habits.restore',
  collection: habitCollection,
  rowOf: ({ habit }) => ({
    ...valuesWhenMissing(habitRow),
    ...habit,
    earlier: { ...sumOfNothing(habit.earlier.from), ...habit.earlier },
  }),
  restores: (habit, at) => ({ habit, at }),
  order: byPosition,
  refusal: 'Failed to restore habit',
  text: ({ habit }) => habit.name,
})

/** `history` is given for a day before the row's `earlier.from`. */
interface OfDay extends WithHistory {
  id: string
  name: string
  at: string
}

interface CompletedDay extends OfDay {
  date: Day
  completed: boolean
}

export const completeHabitDay: Write<HabitFacts, CompletedDay> = {
  name: 'habits.complete',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, date, completed, history }) =>
    ofHabit(rows, id, (habit) =>
      withState(habit, { day: date, state: completed ? 'done' : 'none', history }),
    ),
  request: ({ id, date, completed, at }) => ({
    method: 'POST',
    path: `/api/habits/${id}/complete`,
    body: { date, completed, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

/** A range of days that never begins before the row's `earlier.from`, the first day that is not summed up. */
interface HabitPeriod {
  id: string
  name: string
  from: Day
  to: Day
  at: string
}

/** Unticks every day of the current period: in a week, the tick may be on any day. */
export const uncompletePeriod: Write<HabitFacts, HabitPeriod> = {
  name: 'habits.uncomplete',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, ...range }) => ofHabit(rows, id, (habit) => withoutDays(habit, range)),
  request: ({ id, from, to, at }) => ({
    method: 'DELETE',
    path: `/api/habits/${id}/completions?from=${from}&to=${to}&at=${encodeURIComponent(at)}`,
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

interface HabitDayChange extends OfDay {
  day: Day
  /** For a limit, `none` removes the day's entries. */
  state?: ChosenState
  isLimit?: boolean
  /** Set if `none` only takes back a skip. */
  keepsAmount?: boolean
  note?: string
}

/** Skips a day or takes the skip back, and sets the day's note. */
export const setHabitDay: Write<HabitFacts, HabitDayChange> = {
  name: 'habits.day',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, day, state, isLimit, history }) =>
    ofHabit(rows, id, (habit) => {
      if (state === undefined) return habit
      const set = withState(habit, { day, state, history })
      return state === 'none' && isLimit ? withoutAmount(set, { day, history }) : set
    }),
  request: ({ id, day, state, keepsAmount, note, at }) => ({
    method: 'PUT',
    path: `/api/habits/${id}/days/${day}`,
    body: {
      ...(state !== undefined && { state }),
      ...(keepsAmount && { keeps_amount: true }),
      ...(note !== undefined && { note }),
      at,
    },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name, note }) => inLines(name, note),
  typed: true,
}

interface HabitAmount<Entry> extends OfDay {
  entry: Entry
  /** The amount of the day including the entry. */
  makes: number
}

type NewEntry = Omit<DayEntry, 'at'>

/** Adds to the amount of a day, or sets it. If two devices each add, both entries count. */
export const enterAmount: Write<HabitFacts, HabitAmount<NewEntry>> = {
  name: 'habits.amount',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, entry, at, ...entered }) =>
    ofHabit(rows, id, (habit) => withEntry(habit, { entry: { ...entry, at }, ...entered })),
  request: ({ id, entry, at }) => ({
    method: 'POST',
    path: `/api/habits/${id}/amounts`,
    body: { ...entry, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

interface DeletedAmount extends OfDay {
  entry: string
  day: Day
  /** The amount of the day without the entry. */
  rest: number | null
}

export const deleteAmount: Write<HabitFacts, DeletedAmount> = {
  name: 'habits.amount.delete',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, entry, ...deleted }) =>
    ofHabit(rows, id, (habit) => withoutEntry(habit, { id: entry, ...deleted })),
  request: ({ id, entry, at }) => ({
    method: 'DELETE',
    path: `/api/habits/${id}/amounts/${entry}?at=${encodeURIComponent(at)}`,
  }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

/** Undoes the deletion of an entry. */
export const restoreAmount: Write<HabitFacts, HabitAmount<DayEntry>> = {
  name: 'habits.amount.restore',
  version: 1,
  collection: habitCollection,
  apply: (rows, { id, ...entered }) => ofHabit(rows, id, (habit) => withEntry(habit, entered)),
  request: ({ id, entry, at }) => ({
    method: 'POST',
    path: `/api/habits/${id}/amounts/${entry.id}/restore?at=${encodeURIComponent(at)}`,
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update habit',
  text: ({ name }) => name,
}

/** Every write to habits that may be queued on a device. The sync provider needs them all. */
export const habitWrites = [
  addHabit,
  changeHabit,
  setHabitRhythm,
  setHabitReminder,
  deleteHabit,
  restoreHabit,
  completeHabitDay,
  uncompletePeriod,
  setHabitDay,
  enterAmount,
  deleteAmount,
  restoreAmount,
]

function ofHabit(
  rows: readonly HabitFacts[],
  id: string,
  change: (habit: HabitFacts) => HabitFacts,
): HabitFacts[] {
  return rows.map((habit) => (habit.id === id ? change(habit) : habit))
}

/** Joins all typed texts, each on its own line. */
function inLines(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n')
}
