import type { List } from '#features/lists/list/list.ts'
import type { Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import type { ListToMake } from '#platform/browser/screen-services.ts'
import { type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { newestFirst, type Placed } from '#platform/order/position.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import type { OfferUndo } from '#platform/sync/react/offer-undo.ts'
import { movedBy, occurrenceToSet } from '../shown-todo.ts'
import { parentOf, subtasksOf } from '../subtasks.ts'
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
  type TodoChanges,
  todoList,
} from './todo-queries.ts'

interface Given {
  write: QueueWrite
  offerUndo: OfferUndo
  /** Lets a screen move the rows that are about to change by what is done elsewhere than in them. */
  announceRows(ids: readonly string[]): void
  /** Every to-do that this device has, whether it is shown or not. */
  allTodos(): readonly Todo[]
  timeZone: string
  /** In minutes after midnight. */
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
  /** Undefined to take it out of its list. */
  to: List | undefined
  /** Called just before the rows change. */
  onMove?(): void
}

interface Adding {
  /** Where they are added: the list and the tag that are shown. */
  shown?: { list: string | undefined; tag: string | undefined }
  /** One that is made for them, and undone with them. */
  list?: ListToMake | undefined
  /** Called with the first of them, in the turn in which they are written. */
  onAdd?(first: Pick<Todo, 'id' | 'title'>): void
}

/** What was completed or reopened: the to-do, an occurrence of it, or none because none is open. `along`: how many subtasks with it. */
interface Completion {
  kind: 'todo' | 'occurrence' | 'none'
  along: number
}

export type TodoActions = ReturnType<typeof todoActions>

/** What can be done to to-dos, wherever that is offered: each is written here alone, and shown at once. */
export function todoActions(given: Given) {
  const { write, offerUndo, allTodos, timeZone, dayStart, now } = given
  const today = (made = now()) => dayOf(made, timeZone, dayStart)
  const at = (made = now()) => instantToWire(made)
  /** Says what was just done, in this turn of the event loop, and offers to undo it. */
  const offer = (
    what: string,
    { id, title }: Pick<Todo, 'id' | 'title'>,
    more?: Partial<Parameters<OfferUndo>[1]>,
  ) => offerUndo(what, { row: { list: todoList.name, subject: id }, description: title, ...more })
  const subtasks = ({ id }: Todo) => subtasksOf(allTodos()).byParent.get(id) ?? []
  const edit = (todo: Todo, changes: TodoChanges) => {
    const { id, title } = todo
    const made = now()
    void write(editTodo, { id, title, changes, at: at(made), ...movedBy(todo, changes, today(made)) })
  }
  /** Gives each the position that a move needs. */
  const place = (to: readonly Placed[]) => {
    const todos = new Map(allTodos().map((todo) => [todo.id, todo]))
    for (const { id, position } of to) {
      const todo = todos.get(id)
      if (todo) edit(todo, { position })
    }
  }
  /** Completes, skips or reopens one occurrence. `was`: what it was before, which this device may not know. */
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
     * Completes a to-do with its open subtasks, or reopens it; of one that repeats, or of its subtask, the occurrence. `known`: of one
     * that this device may not have, and that is completed itself.
     */
    complete(todo: Todo, completed: boolean, known?: { was_on: Day; elsewhere: Todo }): Completion {
      const { id, title } = todo
      const made = now()
      const day = today(made)
      const parent = parentOf(todo, new Map(allTodos().map((each) => [each.id, each])))
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

    /** Its subtasks go with it. `elsewhere`: the to-do, if this device may not have it. */
    remove(todo: Todo, elsewhere?: Todo) {
      const { id, title } = todo
      void write(deleteTodo, { id, title, ...(elsewhere && { elsewhere }), at: at() })
      closeReminderOf(todo)
    },

    /** Offers to undo that. */
    moveToList(todo: Todo, { from, to, onMove }: ListMove) {
      if (from?.id === to?.id) return
      onMove?.()
      edit(todo, { list_id: to?.id ?? null })
      offer(to ? `Moved to ${to.name}` : `Taken out of ${from?.name}`, todo)
    },

    /** Adds them before all others, in this order. Resolves with false if the device could store none; the person has been told. */
    async add(tasks: readonly NewTask[], { shown, list, onAdd }: Adding): Promise<boolean> {
      const begun = now()
      // The first is the newest.
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
      // The last one first, for a later change never gets an earlier instant.
      const kept = writing.toReversed().map((vars) => write(addTodo, vars))
      if (writing[0]) onAdd?.(writing[0])
      return (await Promise.all(kept)).some(Boolean)
    },
  }
}

/** 'Task', 'Task and 2 subtasks'. `subtasks`: how many. */
export function taskWith(subtasks: number): string {
  return subtasks === 0 ? 'Task' : `Task and ${counted(subtasks, 'subtask')}`
}

const reopened = { state: 'open', done_on: null } as const

/** Undefined if their creation puts them first, as it does unless another device's clock is ahead. */
async function positionsOfNew(
  ofCreation: readonly string[],
  rows: readonly Placed[],
): Promise<readonly string[] | undefined> {
  const last = ofCreation.at(-1) ?? ''
  if (rows.every(({ position }) => last < position)) return undefined
  const { firstPositions } = await import('#platform/order/move.ts')
  return firstPositions(rows, ofCreation)
}
