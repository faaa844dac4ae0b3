import { useMemo } from 'react'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { lastPosition, moveAfter } from '#platform/order/move.ts'
import { byPosition, type Placed } from '#platform/order/position.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { movedBy } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { copiedTodo } from './copied-todo.ts'
import { type Settlement, settleUndoably } from './settle-undoably.ts'
import { addTodo, editTodo, type TodoChanges, todoList, writeNote } from './todo-queries.ts'

/** What a person can do in the details of a task beyond what its row does. */
export function useDetailsActions(todos: readonly Todo[]) {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { timeZone, dayStart } = useUserCalendar()
  return useMemo(() => {
    const now = () => instantToWire(Date.now())
    const newId = () => newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
    const edit = (todo: Todo, changes: TodoChanges) => {
      const { id, title } = todo
      const today = dayOf(Date.now(), timeZone, dayStart)
      void write(editTodo, { id, changes, title, at: now(), ...movedBy(todo, changes, today) })
    }
    /** One that names a parent, though that is gone, could have no subtasks. */
    const standAlone = (todo: Todo) => {
      if (todo.parent_id !== null) edit(todo, { parent_id: null })
    }
    const placeAll = (places: readonly Placed[]) => {
      for (const { id, position } of places) {
        const todo = todos.find((each) => each.id === id)
        if (todo) edit(todo, { position })
      }
    }
    /** The position of a new row right after another one, for which others may have to make room. */
    const placeAfter = (all: readonly Placed[], id: string, above: string) => {
      // Anywhere: it is about to be moved.
      const to = moveAfter([...all, { id, position: lastPosition(all) }], id, above)
      placeAll(to.filter((row) => row.id !== id))
      return to.find((row) => row.id === id)?.position ?? lastPosition(all)
    }

    return {
      edit,

      settle(todo: Todo, day: Day, state: Settlement['state'], was?: Settlement) {
        settleUndoably({ write, offerUndo, timeZone, dayStart }, todo, day, state, was)
      },

      writeNote(todo: Todo, note: string) {
        void write(writeNote, { id: todo.id, note, title: todo.title, at: now() })
      },

      /** Shown at once; `kept` resolves with false if the device could not store it. */
      addSubtask(
        parent: Todo,
        title: string,
        { after, subtasks }: { after: Todo | undefined; subtasks: readonly Todo[] },
      ): { id: string; kept: Promise<boolean> } {
        standAlone(parent)
        const id = newId()
        const position = after ? placeAfter(subtasks, id, after.id) : lastPosition(subtasks)
        const kept = write(addTodo, { id, title, parent_id: parent.id, position, at: now() })
        void kept.then((isKept) => isKept && announce('Subtask added'))
        return { id, kept }
      },

      moveSubtask(subtask: Todo, to: number, subtasks: readonly Todo[]) {
        const others = subtasks.filter(({ id }) => id !== subtask.id)
        placeAll(moveAfter(subtasks, subtask.id, others[to - 1]?.id))
        announce(
          `${subtask.title}, ${integerFormat.format(to + 1)} of ${integerFormat.format(subtasks.length)}`,
        )
      },

      /** Right below it, with all that it has, but open. Answers the id of the copy. */
      duplicate(todo: Todo, subtasks: readonly Todo[]): string {
        const id = newId()
        const position = placeAfter(todos, id, todo.id)
        const copies = [
          { ...copiedTodo(todo, Date.now()), id, position },
          ...subtasks.toSorted(byPosition).map((subtask) => ({
            ...copiedTodo(subtask, Date.now()),
            id: newId(),
            parent_id: id,
            position: subtask.position,
          })),
        ]
        for (const copy of copies) void write(addTodo, { ...copy, at: now() })
        offerUndo('Task duplicated', {
          row: { list: todoList.name, subject: id },
          description: todo.title,
        })
        return id
      },

      makeSubtask(todo: Todo, parent: Todo, siblings: readonly Todo[]) {
        standAlone(parent)
        edit(todo, { parent_id: parent.id, position: lastPosition(siblings) })
        offerUndo(`Now a subtask of ${parent.title}`, {
          row: { list: todoList.name, subject: todo.id },
          description: todo.title,
        })
      },

      /** In the list of its parent, right below that. */
      makeTask(todo: Todo, parent: Todo) {
        const [moved] = moveAfter(
          todos.map(({ id, position }) => ({ id, position })),
          todo.id,
          parent.id,
        ).filter(({ id }) => id === todo.id)
        edit(todo, {
          parent_id: null,
          list_id: parent.list_id,
          ...(moved && { position: moved.position }),
        })
        offerUndo('Now a task of its own', {
          row: { list: todoList.name, subject: todo.id },
          description: todo.title,
        })
      },
    }
  }, [write, offerUndo, todos, timeZone, dayStart])
}

export type DetailsActions = ReturnType<typeof useDetailsActions>
