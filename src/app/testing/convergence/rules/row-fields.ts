import type { DayEntry, HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { positionOf } from '#features/habits/habit/habit-row.ts'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import { unmoved as unmovedPosition } from '#platform/order/position-field.ts'

// Names and values by which the rules refer to parts of rows that are not single columns.

/**
 * Stands for the position of a row that nobody has moved. That position follows from the row's id and creation instant. Since the
 * outbox corrects the instant, undoing a move may restore the position that follows from the uncorrected instant.
 */
export const unmoved = 'as created'

export function movedHabitTo(habit: Pick<HabitFacts, 'id' | 'position' | 'created_at'>): string {
  return movedFrom(positionOf({ ...habit, position: unmovedPosition }), habit.position)
}

export function movedTodoTo({ id, position, created_at }: Pick<Todo, 'id' | 'position' | 'created_at'>) {
  return movedFrom(newestFirst({ id, created: instantFromWire(created_at) }), position)
}

/** In a position from creation, the first nine characters contain the instant, and the rest the id. */
function movedFrom(created: string, position: string): string {
  const ofId = (text: string) => text.slice(9)
  return ofId(position) === ofId(created) && position[0] === created[0] ? unmoved : position
}

/** The fields of a rhythm row, as the rule checks them. */
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

/**
 * The field for the entries that a set (the amount of a whole day) was sent to replace. A response leaves out the entries that
 * the server does not have, so no row shows all of them.
 */
export function settlesField(id: string): string {
  return `settled by ${id}`
}

/** The value of an entry, whose parts never change. */
export function entryText({ day, value, set }: Pick<DayEntry, 'day' | 'value' | 'set'>): string {
  return JSON.stringify({ day, value, set })
}

/** An entry that was deleted in a tab, with its habit. */
export interface DeletedEntry {
  habit: string
  entry: DayEntry
}
