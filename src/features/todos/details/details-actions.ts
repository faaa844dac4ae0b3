import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { lastPosition, moveAfter } from '#platform/order/move.ts'
import { byPosition, type Placed } from '#platform/order/position.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { settleUndoably } from '../dates/web/due-actions.ts'
import type { Todo } from '../todo/todo.ts'
import type { Settlement, TodoActions } from '../todo/web/todo-actions.ts'
import { addTodo, writeNote } from '../todo/web/todo-queries.ts'
import { copiedTodo } from './copied-todo.ts'

export type DetailsActions = ReturnType<typeof detailsActions>

/** Actions that the details of a task offer and its row does not. */
export function detailsActions(actions: TodoActions) {
  const { write, allTodos, edit, place, offer, now, at } = actions
  const newId = () => actions.newId(now())
  /** Clears the to-do's `parent_id`, even if that parent no longer exists: a to-do with a `parent_id` cannot have subtasks. */
  const standAlone = (todo: Todo) => {
    if (todo.parent_id !== null) edit(todo, { parent_id: null })
  }
  /** The position for the new row `id`, right after the row `above`. Moves other rows to make room if needed. */
  const placeAfter = (all: readonly Placed[], id: string, above: string) => {
    // Any position will do here, as the row is moved right away.
    const to = moveAfter([...all, { id, position: lastPosition(all) }], id, above)
    place(to.filter((row) => row.id !== id))
    return to.find((row) => row.id === id)?.position ?? lastPosition(all)
  }

  return {
    edit,

    settle(todo: Todo, day: Day, state: Settlement['state'], was?: Settlement) {
      settleUndoably(actions, todo, day, state, was)
    },

    writeNote(todo: Todo, note: string) {
      void write(writeNote, { id: todo.id, note, title: todo.title, at: at() })
    },

    /** Adds a subtask, which is shown at once. `kept` resolves with false if the device could not store the subtask. */
    addSubtask(
      parent: Todo,
      title: string,
      { after, subtasks }: { after: Todo | undefined; subtasks: readonly Todo[] },
    ): { id: string; kept: Promise<boolean> } {
      standAlone(parent)
      const id = newId()
      const position = after ? placeAfter(subtasks, id, after.id) : lastPosition(subtasks)
      const kept = write(addTodo, { id, title, parent_id: parent.id, position, at: at() })
      void kept.then((isKept) => isKept && announce('Subtask added'))
      return { id, kept }
    },

    moveSubtask(subtask: Todo, to: number, subtasks: readonly Todo[]) {
      const others = subtasks.filter(({ id }) => id !== subtask.id)
      place(moveAfter(subtasks, subtask.id, others[to - 1]?.id))
      announce(
        `${subtask.title}, ${integerFormat.format(to + 1)} of ${integerFormat.format(subtasks.length)}`,
      )
    },

    /** Adds an open copy with all fields and subtasks right below the to-do. Returns the id of the copy. */
    duplicate(todo: Todo, subtasks: readonly Todo[]): string {
      const id = newId()
      const position = placeAfter(allTodos(), id, todo.id)
      const copies = [
        { ...copiedTodo(todo, now()), id, position },
        ...subtasks.toSorted(byPosition).map((subtask) => ({
          ...copiedTodo(subtask, now()),
          id: newId(),
          parent_id: id,
          position: subtask.position,
        })),
      ]
      for (const copy of copies) void write(addTodo, { ...copy, at: at() })
      offer('Task duplicated', { id, title: todo.title })
      return id
    },

    makeSubtask(todo: Todo, parent: Todo, siblings: readonly Todo[]) {
      standAlone(parent)
      edit(todo, { parent_id: parent.id, position: lastPosition(siblings) })
      offer(`Now a subtask of ${parent.title}`, todo)
    },

    /** Turns a subtask into a task of its own, in the list of its parent and right below the parent. */
    makeTask(todo: Todo, parent: Todo) {
      const [moved] = moveAfter(
        allTodos().map(({ id, position }) => ({ id, position })),
        todo.id,
        parent.id,
      ).filter(({ id }) => id === todo.id)
      edit(todo, {
        parent_id: null,
        list_id: parent.list_id,
        ...(moved && { position: moved.position }),
      })
      offer('Now a task of its own', todo)
    },
  }
}
