import { addDays, type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Habit } from '../habit.ts'
import {
  currentStreak,
  type Earlier,
  type Frequency,
  isCompleted,
  keptBetween,
  longestStreak,
  rateRange,
  rhythmOf,
  sumUpBefore,
} from '../streak.ts'
import { reminderOf } from './habit-reminder-store.ts'

interface StoredHabit {
  id: string
  name: string
  description: string
  frequency: Frequency
  start_day: Day
  reminder_time: number | null
  reminder_weekdays: string | null
  created_at: Instant
}

/** The habit as it travels. `days` are those completed since `earlier.from`, in order. */
export function showHabit(
  row: StoredHabit,
  days: readonly Day[],
  earlier: Earlier,
  { today, weekStart }: { today: Day; weekStart: WeekStart },
): Habit {
  const rhythm = rhythmOf(row, { weekStart })
  const firstRecent = addDays(today, -6)
  // A day more: on a device whose clock runs behind it may still be yesterday, and its last seven days begin with that one.
  const beforeRecent = sumUpBefore(days, addDays(firstRecent, -1), rhythm, earlier)
  const since = days.filter((day) => day >= beforeRecent.from)
  const range = rateRange(today, rhythm)
  const inRange = days.filter((day) => day >= range.from)
  const { done, due } = keptBetween(inRange, range, row.start_day, today, rhythm)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    frequency: row.frequency,
    start_date: row.start_day,
    reminder: reminderOf(row),
    completed: isCompleted(since, today, rhythm),
    current_streak: currentStreak(since, today, rhythm, beforeRecent),
    longest_streak: longestStreak(since, rhythm, beforeRecent),
    completion_rate: due === 0 ? null : done / due,
    recent: since.filter((day) => day >= firstRecent && day <= today),
    earlier: beforeRecent,
    since,
    created_at: instantToWire(row.created_at),
  }
}
