import { dayOf, instantToWire } from '#platform/calendar/day.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import type { Moment } from '#platform/sync/undo/undoing.ts'
import { occurrenceToSet } from '../shown-todo.ts'
import { parentOf } from '../subtasks.ts'
import type { Todo } from '../todo.ts'
import { openSubtasks, setTodoCompleted, settleOccurrence } from './todo-queries.ts'

/** What was completed or reopened: the to-do, an occurrence of it, or none because none is open. */
export type CompletedThing = 'todo' | 'occurrence' | 'none'

/** Completes a to-do with its open subtasks, or reopens it; of one that repeats, or of its subtask, the occurrence. */
export function writeCompletion(
  write: QueueWrite,
  todo: Todo,
  { completed, all, moment }: { completed: boolean; all: readonly Todo[]; moment: Moment },
): CompletedThing {
  const { id, title } = todo
  const { now, timeZone, dayStart } = moment
  const at = instantToWire(now)
  const today = dayOf(now, timeZone, dayStart)
  const parent = parentOf(todo, new Map(all.map((each) => [each.id, each])))
  if ((parent ?? todo).repeat === null) {
    void write(setTodoCompleted, {
      ...{ id, title, completed: completed ? 1 : 0, day: today, at },
      ...(completed && { subtasks: openSubtasks(all, id) }),
    })
    return 'todo'
  }
  const day = occurrenceToSet(todo, parent, { completed, today })
  if (day === undefined) return 'none'
  const settled = completed ? ({ state: 'done', done_on: today } as const) : reopened
  void write(settleOccurrence, { id, title, day, ...settled, at })
  return 'occurrence'
}

const reopened = { state: 'open', done_on: null } as const
