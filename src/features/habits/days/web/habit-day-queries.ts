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

/** What is known of one day of a habit. */
export interface HabitDay {
  day: Day
  /** What a person made of it; what else it is follows from the habit. */
  state: ChosenState
  amount: number | null
  note: string
}

/** All days of a habit. Read when the habit is opened; it has no writes of its own. */
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

/** Everything about all days: of those that the row covers, the row's are used. */
export function allDays(
  habit: HabitFacts,
  rows: readonly HabitDay[],
  { calendar, pauses }: Omit<CountedFor, 'today'>,
): HabitDays {
  const known = daysOfFacts(habit, calendar, pauses)
  const spans = spansOf(habit.rhythms)
  const earlier = rows.filter(({ day }) => day < habit.earlier.from)
  // Of an amount, its entries say whether a day was done.
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

/** In days: no response is for more. */
const mostDays = 366

/**
 * The days that are read of a habit, the newest first: all since its start, and those of the year in which days before that can
 * be set. One more than today: before a flight west it was tomorrow.
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

/** In days: 53 weeks. */
const yearShown = 371

/** The habit writes, as they apply to the days of one habit. */
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
