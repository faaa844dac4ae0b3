import { type CountedFor, daysOfFacts } from '#features/habits/habit/counted-habit.ts'
import { habitDaysSchema } from '#features/habits/habit/habit.ts'
import type { ChosenState, HabitFacts } from '#features/habits/habit/habit-facts.ts'
import {
  completeHabitDay,
  deleteAmount,
  enterAmount,
  restoreAmount,
  setHabitDay,
  uncompletePeriod,
} from '#features/habits/habit/web/habit-queries.ts'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import { spanOn, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import type { AnyWrite, Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'

/** What the device knows about one day of a habit. */
export interface HabitDay {
  day: Day
  /** What the person chose for the day; its other states, such as missed, are computed from the habit. */
  state: ChosenState
  amount: number | null
  note: string
}

/** All days of a habit. They are read when the habit is opened, and have no writes of their own. */
export function dayList(id: string): Collection<HabitDay> {
  return {
    name: `habit-days-${id}`,
    path: `/api/habits/${id}/days`,
    rows: (response) =>
      readKnown(habitDaysSchema, response, { days: dayNones }).days.map(({ state, ...day }) => ({
        ...day,
        state: state === 'done' || state === 'skipped' ? state : 'none',
      })),
  }
}

const dayNones = { state: 'unknown', amount: null, note: '' }

/** Combines all days of a habit: the days that the habit's row covers come from the row, the older ones from `rows`. */
export function allDays(
  habit: HabitFacts,
  rows: readonly HabitDay[],
  { calendar, pauses }: Omit<CountedFor, 'today'>,
): HabitDays {
  const known = daysOfFacts(habit, calendar, pauses)
  const spans = spansOf(habit.rhythms)
  const earlier = rows.filter(({ day }) => day < habit.earlier.from)
  // If the target is an amount, the entries decide whether a day was done.
  const stateOf = ({ day, state }: HabitDay) =>
    state === 'done' && spanOn(spans, dayNumber(day)).target !== 'yes' ? 'none' : state
  return {
    ...known,
    states: new Map([
      ...earlier.flatMap((each) => {
        const state = stateOf(each)
        return state === 'none' ? [] : [[each.day, state] as const]
      }),
      ...known.states,
    ]),
    amounts: new Map([
      ...earlier.flatMap(({ day, amount }) => (amount === null ? [] : [[day, amount] as const])),
      ...known.amounts,
    ]),
  }
}

/** The most days that one response covers. */
const mostDays = 366

/**
 * The ranges of days to read for a habit, newest first. They begin at the habit's start, or a year ago if that is earlier, since
 * the person can set any day of that year. They end tomorrow: before a flight west, tomorrow may already have been done.
 */
export function daysToRead({ start_date }: HabitFacts, today: Day): DayRange[] {
  const firstShown = addDays(today, -yearShown)
  const first = start_date < firstShown ? start_date : firstShown
  const ranges: DayRange[] = []
  for (let to = addDays(today, 1); to >= first; to = addDays(to, -mostDays)) {
    const from = addDays(to, 1 - mostDays)
    ranges.push({ from: from > first ? from : first, to })
  }
  return ranges
}

/** The length of the year on the screen, in days: 53 weeks. */
const yearShown = 371

/** The writes to habits, applied to the days of one habit. */
export function dayWrites(collection: Collection<HabitDay>): AnyWrite[] {
  const as = <Vars>(
    write: Pick<Write<never, Vars>, 'name' | 'version' | 'request' | 'subject' | 'refusal' | 'text'>,
    apply: (days: readonly HabitDay[], vars: Vars) => HabitDay[],
  ): Write<HabitDay, Vars> => ({ ...write, collection, apply })
  return [
    as(completeHabitDay, (days, { date, completed }) =>
      onDay(days, date, { state: completed ? 'done' : 'none' }),
    ),
    as(uncompletePeriod, (days, { from, to }) =>
      days.map((each) => (each.day >= from && each.day <= to ? { ...each, state: 'none' } : each)),
    ),
    as(setHabitDay, (days, { day, state, isLimit, note }) =>
      onDay(days, day, {
        ...(state !== undefined && { state }),
        ...(note !== undefined && { note }),
        ...(state === 'none' && isLimit && { amount: null }),
      }),
    ),
    as(enterAmount, (days, { entry: { day }, makes }) => onDay(days, day, { amount: makes })),
    as(restoreAmount, (days, { entry: { day }, makes }) => onDay(days, day, { amount: makes })),
    as(deleteAmount, (days, { day, rest }) => onDay(days, day, { amount: rest })),
  ]
}

function onDay(days: readonly HabitDay[], day: Day, change: Partial<HabitDay>): HabitDay[] {
  const known = days.find((each) => each.day === day) ?? { day, state: 'none', amount: null, note: '' }
  return [...days.filter((each) => each !== known), { ...known, ...change }]
}
