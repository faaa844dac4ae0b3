import type { Day } from '#platform/calendar/day.ts'
import { byPosition } from '#platform/order/position.ts'
import type { Todo } from '../todo/todo.ts'
import { reminderTime } from '../todo/todo-reminder.ts'

/** Sorts the to-dos of a day: those with a reminder on that day by its time, then the others by position. */
export function timedFirst(day: Day, zone: string, placeOf = (todo: Todo) => todo) {
  const timeOf = (todo: Todo) => {
    const reminder = reminderTime(placeOf(todo), zone)
    return reminder?.day === day ? reminder.time : Number.POSITIVE_INFINITY
  }
  return (one: Todo, other: Todo) => {
    const [a, b] = [timeOf(one), timeOf(other)]
    if (a !== b) return a < b ? -1 : 1
    return byPosition(placeOf(one), placeOf(other))
  }
}
