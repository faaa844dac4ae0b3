import { addDays, type Day } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import type { WireOf } from '#platform/wire/synced-row.ts'
import type { Habit } from './habit.ts'
import type { habitRow } from './habit-row.ts'
import {
  currentStreak,
  type Earlier,
  type Frequency,
  isCompleted,
  longestStreak,
  type Rhythm,
  sumUpBefore,
} from './streak.ts'

/**
 * What is known about a habit, whatever day it is. The numbers that a person sees are computed from it for the current
 * day, so neither midnight nor an unsent change can leave an outdated number on the screen.
 */
export interface HabitFacts extends WireOf<typeof habitRow>, Pick<Habit, 'earlier' | 'since'> {
  /** What `earlier` was summed up for. Another frequency than the habit's: its streaks are not known here. */
  summed: Frequency
}

export function factsOf(habit: Omit<HabitFacts, 'summed'>): HabitFacts {
  return { ...habit, summed: habit.frequency }
}

export interface CountedHabit {
  completed: boolean
  /** Undefined while unknown; see `summed`. */
  streaks: { current: number; longest: number } | undefined
  /** The completed days among the last seven. */
  recent: Day[]
}

/** What the server would return for the habit on that day, computed here. */
export function countHabit(facts: HabitFacts, today: Day, weekStart: WeekStart): CountedHabit {
  const rhythm = rhythmOfFacts(facts, weekStart)
  const { since, earlier } = facts
  return {
    completed: isCompleted(since, today, rhythm),
    streaks:
      facts.summed === facts.frequency
        ? {
            current: currentStreak(since, today, rhythm, earlier),
            longest: longestStreak(since, rhythm, earlier),
          }
        : undefined,
    recent: since.filter((day) => day >= addDays(today, -6) && day <= today),
  }
}

/**
 * Weeks begin where they began when the completions were summed up: right after the week start was changed, a row stays
 * with the old weeks, complete and consistent, until it is read again.
 */
export function rhythmOfFacts({ frequency, summed, earlier }: HabitFacts, weekStart: WeekStart): Rhythm {
  return { frequency, weekStart: summed === 'weekly' ? weekdayOf(earlier.from) : weekStart }
}

/** What all completions of a habit add up to, in the form of `HabitFacts`. */
export type History = Pick<HabitFacts, 'earlier' | 'since'>

/** Sums up the completed days, which must be in order, that come before the period of `from`. */
export function historyOf(completedDays: readonly Day[], from: Day, rhythm: Rhythm): History {
  const earlier = sumUpBefore(completedDays, from, rhythm)
  return { earlier, since: completedDays.filter((day) => day >= earlier.from) }
}

/**
 * The habit with one day set. For a day before `earlier.from` the row alone does not show what becomes of the streaks:
 * `history` is the total of all completions including the change, from a caller who knew them all.
 */
export function withDay(
  facts: HabitFacts,
  { date, completed, history }: { date: Day; completed: boolean; history?: History | undefined },
): HabitFacts {
  const start_date = completed && date < facts.start_date ? date : facts.start_date
  if (date >= facts.earlier.from) return { ...facts, start_date, since: setDay(facts.since, date, completed) }
  return { ...facts, start_date, ...(history ? joinHistory(facts, history) : {}) }
}

/** The habit without the completions in a range of days. */
export function withoutDays(facts: HabitFacts, { from, to }: { from: Day; to: Day }): HabitFacts {
  return { ...facts, since: facts.since.filter((day) => day < from || day > to) }
}

/** The habit with another frequency. `history` is what its completions add up to at that frequency. */
export function withFrequency(facts: HabitFacts, frequency: Frequency, history?: History): HabitFacts {
  if (facts.frequency === frequency && facts.summed === frequency) return facts
  if (!history) return { ...facts, frequency }
  return { ...facts, frequency, summed: frequency, ...joinHistory(facts, history) }
}

export function setDay(days: readonly Day[], day: Day, completed: boolean): Day[] {
  const others = days.filter((other) => other !== day)
  return completed ? [...others, day].sort() : others
}

/** The total of `history`, and the days since then: where the row covers them too, the row's are used. */
function joinHistory(facts: HabitFacts, history: History): { earlier: Earlier; since: Day[] } {
  const { earlier, since } = history
  return {
    earlier,
    since: [
      ...since.filter((day) => day < facts.earlier.from),
      ...facts.since.filter((day) => day >= earlier.from),
    ],
  }
}
