import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { shortDay } from '#platform/format/short-day.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import type { OfferUndo } from '#platform/sync/react/offer-undo.ts'
import type { Occurrence } from '../repeat.ts'
import { settledOn } from '../settled-on.ts'
import { dueOf } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { closeReminderOf } from './close-reminder.ts'
import { settleOccurrence, todoList } from './todo-queries.ts'

export interface Settlement {
  state: Occurrence['state']
  done_on: Day | null
}

interface Given {
  write: QueueWrite
  offerUndo: OfferUndo
  timeZone: string
  dayStart: number
}

/** Completes, skips or reopens one occurrence, whichever is open. `was`: as it is, unless it is open. */
export function settleUndoably(
  { write, offerUndo, timeZone, dayStart }: Given,
  todo: Todo,
  day: Day,
  state: Settlement['state'],
  was: Settlement = reopened,
): void {
  const { id, title } = todo
  const today = dayOf(Date.now(), timeZone, dayStart)
  const open = dueOf(todo, undefined, today)?.open
  const due = open?.day === day ? open.due : day
  const done_on = settledOn(state, { was, due, today })
  void write(settleOccurrence, {
    ...{ id, day, title, state, done_on, was: was.state, was_on: was.done_on },
    at: instantToWire(Date.now()),
  })
  // It would ask for something that is no longer to be done.
  if (open?.day === day && state !== 'open') closeReminderOf(todo)
  offerUndo(`${words[state]} ${shortDay(day, today)}`, {
    row: { list: todoList.name, subject: id },
    description: title,
  })
}

const reopened: Settlement = { state: 'open', done_on: null }
const words = { done: 'Completed', skipped: 'Skipped', open: 'Reopened' } as const
