import { type Day, dayNumber, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import {
  type HabitNumbers,
  type HabitSummary,
  nameOfSummary,
  numbersOf,
  resultsSince,
  sumUpTrack,
} from '../past/habit-summary.ts'
import type { PauseRow } from '../pauses/pause.ts'
import { isCompletedOn } from '../rhythm/day-state.ts'
import { type HabitDays, type HabitTrack, trackOf } from '../rhythm/habit-track.ts'
import { type Rhythm, rhythmOn, type Target } from '../rhythm/rhythm.ts'
import { type StrengthSum, strengthSum } from '../strength/strength.ts'
import { type HabitFacts, type History, hasNothingEarlier, isOfNothing } from './habit-facts.ts'
import { amountsOf } from './known-amounts.ts'

/** The settings that decide which day and which week it is. */
export interface HabitCalendar {
  timeZone: string
  dayStart: number
  weekStart: WeekStart
}

/** What the numbers of a habit depend on besides the habit. */
export interface CountedFor {
  today: Day
  calendar: HabitCalendar
  /** The pauses of all habits, including this one. */
  pauses: readonly PauseRow[]
}

export interface CountedHabit extends Pick<HabitNumbers, 'now'> {
  track: HabitTrack
  /** The rhythm and target that hold today. */
  rhythm: Rhythm
  target: Target
  completed: boolean
  /**
   * Undefined if the stored sum of earlier days was made for another rhythm, so that the streaks are unknown. The same is true of
   * `strength`.
   */
  streaks: HabitNumbers['streaks'] | undefined
  strength: number | null | undefined
}

/** Computes on the device what the server would return for the habit on that day. */
export function countHabit(facts: HabitFacts, counted: CountedFor): CountedHabit {
  const { today } = counted
  const { track, isKnown } = trackOfFacts(facts, counted)
  const { streaks, strength, now } = numbersOf(track, today, summaryOf(facts.earlier))
  return {
    track,
    ...rhythmOn(facts.rhythms, today),
    completed: isCompletedOn(track, today),
    streaks: isKnown ? streaks : undefined,
    strength: isKnown && (!isOfNothing(facts.earlier) || hasNothingEarlier(facts)) ? strength : undefined,
    now,
  }
}

/** How the displayed strength was computed. */
export function strengthOfFacts(facts: HabitFacts, track: HabitTrack, today: Day): StrengthSum {
  const summary = summaryOf(facts.earlier)
  return strengthSum(track, resultsSince(track, today, summary), dayNumber(today), summary.strength)
}

/**
 * The track: the habit's days, prepared for counting. It contains the pauses that concern the habit, and uses the week start with
 * which its earlier days were summed up.
 */
function trackOfFacts(facts: HabitFacts, { calendar, pauses }: CountedFor) {
  const track = trackOf(daysOfFacts(facts, calendar, pauses), facts.earlier.first_entry)
  const weekStart = weekStartOfSum(facts, track)
  return {
    track: weekStart === undefined ? track : { ...track, weekStart },
    isKnown: weekStart !== undefined,
  }
}

/** All that the device knows about the habit's days. */
export function daysOfFacts(
  facts: HabitFacts,
  { timeZone, dayStart, weekStart }: HabitCalendar,
  pauses: readonly PauseRow[],
): HabitDays {
  const { archived_at, skipped, since } = facts
  return {
    rows: facts.rhythms,
    startDay: facts.start_date,
    archivedOn: archived_at === null ? null : dayOf(instantFromWire(archived_at), timeZone, dayStart),
    states: new Map([
      ...skipped.map((day) => [day, 'skipped'] as const),
      ...since.map((day) => [day, 'done'] as const),
    ]),
    amounts: amountsOf(facts),
    pauses: pausesOf(facts, pauses),
    weekStart,
  }
}

/** The pauses that apply today, of this habit and of all habits. */
export function pausesOn(habit: Pick<HabitFacts, 'id'>, { today, pauses }: CountedFor): PauseRow[] {
  return pausesOf(habit, pauses).filter(
    ({ from_day, to_day }) => from_day <= today && (to_day === null || today <= to_day),
  )
}

function pausesOf({ id }: Pick<HabitFacts, 'id'>, pauses: readonly PauseRow[]): PauseRow[] {
  return pauses.filter(({ habit_id }) => habit_id === null || habit_id === id)
}

/**
 * The week start that the earlier days were summed up with. Right after the person changes their week start, a habit keeps
 * counting in its old weeks, so that its numbers stay consistent until it is read again. Undefined if the earlier days were
 * summed up for another rhythm.
 */
function weekStartOfSum(facts: HabitFacts, track: HabitTrack): HabitTrack['weekStart'] | undefined {
  const { earlier } = facts
  if (hasNothingEarlier(facts) || isOfNothing(earlier)) return track.weekStart
  return [track.weekStart, ...everyWeekStart].find(
    (weekStart) => nameOfSummary({ ...track, weekStart }, earlier.from) === earlier.name,
  )
}

const everyWeekStart: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]

/** Whether the earlier days were summed up with another week start than the person's current one. */
export function isInOtherWeeks(facts: HabitFacts, counted: CountedFor): boolean {
  return trackOfFacts(facts, counted).track.weekStart !== counted.calendar.weekStart
}

function summaryOf({ from, run, records, strength, first_entry }: HabitFacts['earlier']): HabitSummary {
  return { from, run, records, strength, firstEntry: first_entry }
}

/** Sums up the days before the period that contains `from`. `days` must be all days of the habit. */
export function historyOf(days: HabitDays, from: Day): History {
  const track = trackOf(days)
  const { firstEntry, unarchived, ...sum } = sumUpTrack(track, from)
  const isSince = (day: Day) => day >= sum.from
  const inState = (wanted: 'done' | 'skipped') =>
    [...days.states].flatMap(([day, state]) => (state === wanted && isSince(day) ? [day] : [])).sort()
  return {
    earlier: {
      ...sum,
      longest: Math.max(...Object.values(sum.records)),
      first_entry: firstEntry,
      ...(unarchived && { unarchived }),
      name: nameOfSummary(track, sum.from),
    },
    start: days.startDay,
    since: inState('done'),
    skipped: inState('skipped'),
    amounts: [...days.amounts].flatMap(([day, amount]) => (isSince(day) ? [{ day, amount }] : [])),
  }
}
