import type { DayEntry, HabitFacts } from '#features/habits/habit-facts.ts'
import { positionOf } from '#features/habits/habit-row.ts'
import type { Rhythm, Target } from '#features/habits/rhythm.ts'
import type { Day } from '#platform/calendar/day.ts'
import { unmoved as unmovedPosition } from '#platform/order/position-field.ts'

// How the rule knows the parts of rows that have no column of their own.

/** The position of a row that nobody has moved follows from the instant of its creation, which the outbox corrects. */
export const unmoved = 'as created'

export function movedHabitTo(habit: Pick<HabitFacts, 'id' | 'position' | 'created_at'>): string {
  return habit.position === positionOf({ ...habit, position: unmovedPosition }) ? unmoved : habit.position
}

/** The parts of a row of rhythms, as the rule checks them. */
export function rhythmFields(
  from_day: Day,
  { rhythm, target }: { rhythm?: Rhythm | null | undefined; target?: Target | null | undefined },
): Record<string, string> {
  return {
    ...(rhythm && { [`rhythm from ${from_day}`]: JSON.stringify(rhythm) }),
    ...(target && { [`target from ${from_day}`]: JSON.stringify(target) }),
  }
}

export function entryField(id: string): string {
  return `entry ${id}`
}

/** What a set was sent to replace. An answer leaves out what it does not hold, so no row shows all of it. */
export function settlesField(id: string): string {
  return `settled by ${id}`
}

/** The parts of an entry, which never change. */
export function entryText({ day, value, set }: Pick<DayEntry, 'day' | 'value' | 'set'>): string {
  return JSON.stringify({ day, value, set })
}

/** An entry that was deleted in a tab, with its habit. */
export interface DeletedEntry {
  habit: string
  entry: DayEntry
}
