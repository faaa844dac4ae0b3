import { notificationTag } from '#features/reminders/notification-tag.ts'
import { closeNotifications } from '#platform/browser/notifications.ts'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { offerUndo } from '#platform/sync/react/offer-undo.ts'
import type { QueueWrite } from '#platform/sync/react/use-collection.ts'
import type { Occurrence } from '../repeat.ts'
import { settledOn } from '../settled-on.ts'
import { dueOf } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { settleOccurrence, todoList } from './todo-queries.ts'

export interface Settlement {
  state: Occurrence['state']
  done_on: Day | null
}

interface Given {
  write: QueueWrite
  timeZone: string
  dayStart: number
}

/** Completes, skips or reopens one occurrence, whichever is open. `was`: as it is, unless it is open. */
export function settleUndoably(
  { write, timeZone, dayStart }: Given,
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
  const set = (to: Settlement, from: Settlement) =>
    void write(settleOccurrence, {
      ...{ id, day, title, ...to, was: from.state },
      at: instantToWire(Date.now()),
    })
  set({ state, done_on }, was)
  // It would ask for something that is no longer to be done.
  if (open?.day === day && state !== 'open') void closeNotifications(notificationTag('todo', id))
  offerUndo(`${words[state]} ${shortDay(day, today)}`, {
    row: { list: todoList.name, subject: id },
    description: title,
    undo: () => set(was, { state, done_on }),
  })
}

const reopened: Settlement = { state: 'open', done_on: null }
const words = { done: 'Completed', skipped: 'Skipped', open: 'Reopened' } as const
