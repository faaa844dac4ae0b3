import type { DayEntry, HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { positionOf } from '#features/habits/habit/habit-row.ts'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import { unmoved as unmovedPosition } from '#platform/order/position-field.ts'

// How the rule knows the parts of rows that have no column of their own.

/**
 * The position of a row that nobody has moved follows from its id and the instant of its creation, which the outbox corrects: an
 * undo of a move may put it back to where an earlier instant had it.
 */
export const unmoved = 'as created'

export function movedHabitTo(habit: Pick<HabitFacts, 'id' | 'position' | 'created_at'>): string {
  return movedFrom(positionOf({ ...habit, position: unmovedPosition }), habit.position)
}

export function movedTodoTo({ id, position, created_at }: Pick<Todo, 'id' | 'position' | 'created_at'>) {
  return movedFrom(newestFirst({ id, created: instantFromWire(created_at) }), position)
}

/** An integer of one letter and eight digits is the instant; what is behind it, the id. */
function movedFrom(created: string, position: string): string {
  const ofId = (text: string) => text.slice(9)
  return ofId(position) === ofId(created) && position[0] === created[0] ? unmoved : position
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

/** What a set was sent to replace. A response leaves out what it does not hold, so no row shows all of it. */
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
