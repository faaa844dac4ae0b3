import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import {
  countPeriods,
  currentStreak,
  type Earlier,
  isCompleted,
  longestStreak,
  rateRange,
  rhythmOf,
  sumUpBefore,
} from '../streak.ts'
import { habitRows } from './habit-rows.ts'

/** The habit as it is sent. `days` are the days completed since `earlier.from`, in order. */
export function showHabit(
  row: Tables['habits'],
  days: readonly Day[],
  earlier: Earlier,
  { today, weekStart }: { today: Day; weekStart: WeekStart },
): Habit {
  const rhythm = rhythmOf(row, { weekStart })
  const firstRecent = addDays(today, -6)
  // One day more: on a device whose clock runs behind it may still be yesterday, and its last seven days start a day earlier.
  const beforeRecent = sumUpBefore(days, addDays(firstRecent, -1), rhythm, earlier)
  const since = days.filter((day) => day >= beforeRecent.from)
  const range = rateRange(today, rhythm)
  const inRange = days.filter((day) => day >= range.from)
  const { done, due } = countPeriods(inRange, range, row.start_day, today, rhythm)
  return {
    ...habitRows.toWire(row),
    completed: isCompleted(since, today, rhythm),
    current_streak: currentStreak(since, today, rhythm, beforeRecent),
    longest_streak: longestStreak(since, rhythm, beforeRecent),
    completion_rate: due === 0 ? null : done / due,
    recent: since.filter((day) => day >= firstRecent && day <= today),
    earlier: beforeRecent,
    since,
  }
}
