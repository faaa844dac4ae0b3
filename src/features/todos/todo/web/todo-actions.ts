import type { List } from '#features/lists/list/list.ts'
import type { Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import type { ListToMake } from '#platform/browser/screen-services.ts'
import { type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { newestFirst, type Placed } from '#platform/order/position.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import type { OfferUndo } from '#platform/sync/react/offer-undo.ts'
import { movedBy, occurrenceToSet } from '../shown-todo.ts'
import { parentOf, parentsIn } from '../subtasks.ts'
import type { Todo } from '../todo.ts'
import { closeReminderOf } from './close-reminder.ts'
import type { NewTask } from './new-task.ts'
import {
  addTodo,
  deleteTodo,
  editTodo,
  openSubtasks,
  renameTodo,
  setTodoCompleted,
  settleOccurrence,
  subtasksIn,
  type TodoChanges,
  todoCollection,
} from './todo-queries.ts'

interface Given {
  write: QueueWrite
  offerUndo: OfferUndo
  /** Announces rows that are about to change by an action outside the rows, so that a screen can move them. */
  announceRows(ids: readonly string[]): void
  /** Every to-do on this device, shown or not. */
  allTodos(): readonly Todo[]
  timeZone: string
  /** When the person's day begins, in minutes after midnight. */
  dayStart: number
  now(): Instant
  newId(created: Instant): string
}

export interface Settlement {
  state: Occurrence['state']
  done_on: Day | null
}

interface ListMove {
  from: List | undefined
  /** Undefined to take the to-do out of its list. */
  to: List | undefined
  /** Called just before the rows change. */
  onMove?(): void
}

interface Adding {
  /** The list and the tag that the screen shows. New tasks get both. */
  shown?: { list: string | undefined; tag: string | undefined }
  /** A list to create for the tasks. Undo removes it with them. */
  list?: ListToMake | undefined
  /** Called with the first task, in the turn of the event loop in which the tasks are written. */
  onAdd?(first: Pick<Todo, 'id' | 'title'>): void
}

/**
 * What was completed or reopened: the to-do, one of its occurrences, or nothing because no occurrence is open. `along`: how many
 * subtasks were completed with it.
 */
interface Completion {
  kind: 'todo' | 'occurrence' | 'none'
  along: number
}

export type TodoActions = ReturnType<typeof todoActions>

/** Everything that can be done to to-dos, for all screens. Each action queues its write and shows at once. */
export function todoActions(given: Given) {
  const { write, offerUndo, allTodos, timeZone, dayStart, now } = given
  const today = (made = now()) => dayOf(made, timeZone, dayStart)
  const at = (made = now()) => instantToWire(made)
  /** Tells the person what was just done, in this turn of the event loop, and offers to undo it. */
  const offer = (
    what: string,
    { id, title }: Pick<Todo, 'id' | 'title'>,
    more?: Partial<Parameters<OfferUndo>[1]>,
  ) => offerUndo(what, { row: { list: todoCollection.name, subject: id }, description: title, ...more })
  const subtasks = ({ id }: Todo) => subtasksIn(allTodos(), id)
  const edit = (todo: Todo, changes: TodoChanges) => {
    const { id, title } = todo
    const made = now()
    void write(editTodo, { id, title, changes, at: at(made), ...movedBy(todo, changes, today(made)) })
  }
  /** Stores the new positions of to-dos after a move. */
  const place = (to: readonly Placed[]) => {
    const todos = new Map(allTodos().map((todo) => [todo.id, todo]))
    for (const { id, position } of to) {
      const todo = todos.get(id)
      if (todo) edit(todo, { position })
    }
  }
  /**
   * Completes, skips or reopens one occurrence. `was`: the occurrence's state before, given because this device may not know it.
   */
  const settle = (
    { id, title }: Todo,
    day: Day,
    settled: Settlement,
    was?: { was: Occurrence['state']; was_on: Day | null },
  ) => void write(settleOccurrence, { id, title, day, ...settled, ...was, at: at() })

  return {
    ...given,
    today,
    at,
    offer,
    subtasks,
    edit,
    place,
    settle,

    /**
     * Completes a to-do with its open subtasks, or reopens it. For a repeating to-do or its subtask, settles the occurrence
     * instead. `known`: given for a to-do that this device may not store and that is completed as a whole, not by occurrence.
     */
    complete(todo: Todo, completed: boolean, known?: { was_on: Day; elsewhere: Todo }): Completion {
      const { id, title } = todo
      const made = now()
      const day = today(made)
      const parent = parentOf(todo, parentsIn(allTodos()))
      if (known || (parent ?? todo).repeat === null) {
        const along = completed ? openSubtasks(allTodos(), id) : []
        void write(setTodoCompleted, {
          id,
          title,
          completed: completed ? 1 : 0,
          day,
          at: at(made),
          ...(completed && { subtasks: along }),
          ...known,
        })
        if (completed) closeReminderOf(todo)
        return { kind: 'todo', along: along.length }
      }
      const occurrence = occurrenceToSet(todo, parent, { completed, today: day })
      if (occurrence === undefined) return { kind: 'none', along: 0 }
      settle(todo, occurrence, completed ? { state: 'done', done_on: day } : reopened)
      if (completed) closeReminderOf(todo)
      return { kind: 'occurrence', along: 0 }
    },

    rename({ id }: Todo, title: string) {
      void write(renameTodo, { id, title, at: at() })
    },

    /** Deletes a to-do with its subtasks. `elsewhere`: the to-do, if this device may not have it. */
    remove(todo: Todo, elsewhere?: Todo) {
      const { id, title } = todo
      void write(deleteTodo, { id, title, ...(elsewhere && { elsewhere }), at: at() })
      closeReminderOf(todo)
    },

    /** Moves a to-do to another list and offers to undo that. */
    moveToList(todo: Todo, { from, to, onMove }: ListMove) {
      if (from?.id === to?.id) return
      onMove?.()
      edit(todo, { list_id: to?.id ?? null })
      offer(to ? `Moved to ${to.name}` : `Taken out of ${from?.name}`, todo)
    },

    /**
     * Adds tasks before all others, in this order. Resolves with false if the device could store none; the person has been told.
     */
    async add(tasks: readonly NewTask[], { shown, list, onAdd }: Adding): Promise<boolean> {
      const begun = now()
      // The first task gets the latest instant, because the newest task comes first.
      const adding = tasks.map((task, place) => {
        const created = begun - place
        return { id: given.newId(created), task, created }
      })
      const positions = await positionsOfNew(adding.map(newestFirst), allTodos())
      const writing = adding.map(({ id, task, created }, place) => {
        const tags = [shown?.tag ?? [], task.tags ?? []].flat()
        return {
          id,
          ...(shown?.list && { list_id: shown.list }),
          ...task,
          ...(list && { list_id: list.id }),
          ...(tags.length > 0 && { tags }),
          ...(positions && { position: positions[place] }),
          at: at(created),
        }
      })
      void list?.make()
      // Write in reverse order: the first task has the latest instant, and a later write never gets an earlier instant.
      const kept = writing.toReversed().map((vars) => write(addTodo, vars))
      if (writing[0]) onAdd?.(writing[0])
      return (await Promise.all(kept)).some(Boolean)
    },
  }
}

/** 'Task', 'Task and 2 subtasks'. `subtasks`: their number. */
export function taskWith(subtasks: number): string {
  return subtasks === 0 ? 'Task' : `Task and ${counted(subtasks, 'subtask')}`
}

const reopened = { state: 'open', done_on: null } as const

/**
 * The positions that put new tasks first. Undefined if their creation instants do so already, which is the case unless another
 * device's clock is ahead.
 */
async function positionsOfNew(
  ofCreation: readonly string[],
  rows: readonly Placed[],
): Promise<readonly string[] | undefined> {
  const last = ofCreation.at(-1) ?? ''
  if (rows.every(({ position }) => last < position)) return undefined
  const { firstPositions } = await import('#platform/order/move.ts')
  return firstPositions(rows, ofCreation)
}
