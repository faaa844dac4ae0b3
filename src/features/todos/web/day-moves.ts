import type { Day } from '#platform/calendar/day.ts'
import type { Todo } from '../todo.ts'

/** How a row goes to another day, where each group of rows is a day. */
export interface DayMoves {
  moveTo(todo: Todo, day: Day): void
  /** To the next day, or to the previous one. */
  moveBy(todo: Todo, step: 1 | -1): void
}
