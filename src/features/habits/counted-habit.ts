import { addDays, type Day } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import type { Habit } from './habit.ts'
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
 * What is known of a habit, whatever day it is. The numbers that a person sees are counted from it for the day that it is
 * by then, so that neither midnight nor a change that waits to be sent can leave an old one standing.
 */
export interface HabitFacts
  extends Pick<
    Habit,
    | 'id'
    | 'name'
    | 'description'
    | 'frequency'
    | 'start_date'
    | 'reminder'
    | 'earlier'
    | 'since'
    | 'created_at'
  > {
  /** What `earlier` was summed up for. Another frequency than the habit's: its streaks are not known here. */
  summed: Frequency
}

export function factsOf(habit: Habit): HabitFacts {
  const { id, name, description, frequency, start_date, reminder, earlier, since, created_at } = habit
  return {
    id,
    name,
    description,
    frequency,
    start_date,
    reminder,
    earlier,
    since,
    created_at,
    summed: frequency,
  }
}

export interface CountedHabit {
  completed: boolean
  /** Undefined while not known; see `summed`. */
  streaks: { current: number; longest: number } | undefined
  /** The days completed among the last seven. */
  recent: Day[]
}

/** What the server answers of the habit on that day, counted here. */
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
 * Weeks begin where they began when the completions were summed up: right after the week start is changed, a row goes on
 * in the old weeks, whole and consistent, until it is read again.
 */
export function rhythmOfFacts({ frequency, summed, earlier }: HabitFacts, weekStart: WeekStart): Rhythm {
  return { frequency, weekStart: summed === 'weekly' ? weekdayOf(earlier.from) : weekStart }
}

/** What all completions of a habit come to, as `HabitFacts` keeps it. */
export type History = Pick<HabitFacts, 'earlier' | 'since'>

/** Of all the days completed, in order, those before the period of `from` summed up. */
export function historyOf(completedDays: readonly Day[], from: Day, rhythm: Rhythm): History {
  const earlier = sumUpBefore(completedDays, from, rhythm)
  return { earlier, since: completedDays.filter((day) => day >= earlier.from) }
}

/**
 * The habit with one day set. For a day before `earlier.from` the row alone cannot tell what becomes of the streaks:
 * `history` says what all completions come to with the change, by someone who knew them all.
 */
export function withDay(
  facts: HabitFacts,
  { date, completed, history }: { date: Day; completed: boolean; history?: History | undefined },
): HabitFacts {
  const start_date = completed && date < facts.start_date ? date : facts.start_date
  if (date >= facts.earlier.from) return { ...facts, start_date, since: setDay(facts.since, date, completed) }
  return { ...facts, start_date, ...(history ? joinHistory(facts, history) : {}) }
}

/** The habit with no completion left in a stretch of days. */
export function withoutDays(facts: HabitFacts, { from, to }: { from: Day; to: Day }): HabitFacts {
  return { ...facts, since: facts.since.filter((day) => day < from || day > to) }
}

/** The habit done in another rhythm. `history` says what its completions come to in that one. */
export function withFrequency(facts: HabitFacts, frequency: Frequency, history?: History): HabitFacts {
  if (facts.frequency === frequency && facts.summed === frequency) return facts
  if (!history) return { ...facts, frequency }
  return { ...facts, frequency, summed: frequency, ...joinHistory(facts, history) }
}

export function setDay(days: readonly Day[], day: Day, completed: boolean): Day[] {
  const others = days.filter((other) => other !== day)
  return completed ? [...others, day].sort() : others
}

/** The sum of `history`, and the days since then: those that the row knows too are the row's. */
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
