import { useMemo } from 'react'
import type { List } from '#features/lists/list.ts'
import type { ListToMake } from '#features/lists/list-to-make.ts'
import { moveFocusFromRows } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { newestFirst, type Placed } from '#platform/order/position.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { dueOf, movedBy } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { prioritySchema } from '../todo-row.ts'
import { closeReminderOf } from './close-reminder.ts'
import { formatDay, inSentence } from './format-due.ts'
import type { NewTask } from './new-task.ts'
import { priorityNames } from './priority-sign.tsx'
import { addTodo, deleteTodo, editTodo, renameTodo, type TodoFields, todoList } from './todo-queries.ts'
import type { RowMenuRequest, TodoActions } from './todo-row.tsx'
import { useMoveToList } from './use-move-to-list.ts'
import { writeCompletion } from './write-completion.ts'

interface Surroundings {
  /** Every to-do that this device has, whether it is shown or not. */
  allTodos(): readonly Todo[]
  /** The list that is shown, where new ones go. */
  listShown: string | undefined
  /** The tag that is shown, which new ones get. */
  tagShown: string | undefined
  /** Whether a new one is seen where it is added; otherwise the person is told, with an Undo. */
  showsNew: boolean
  hold(todo: Todo): void
  release(todo: Todo): void
  /** To be called before rows move. */
  glide(): void
  /** Moves the focus on to the next row that can be completed. */
  focusNext(): void
  showDetails(todo: Todo, at?: DetailsEntry['at']): void
  askForDates: TodoActions['askForDates']
  openMenu(request: RowMenuRequest): void
}

/** Where the focus goes once the details are shown; without it, it stays where it is. */
export interface DetailsEntry {
  at: 'title' | 'new subtask' | undefined
}

export interface BoardActions extends TodoActions {
  /** Resolves with false if the device could not store it; the person has been told. `list`: one that is made for it, and undone with it. */
  add(task: NewTask, list?: ListToMake): Promise<boolean>
  /** Adds several, which then stand in this order. `onUndo`: called when the person has taken them back. */
  addAll(titles: readonly string[], dueDay: Day | null, onUndo: () => void): void
  setDates(todo: Todo, changes: Partial<TodoFields>): void
  /** Gives it the next higher priority, and after the highest none. */
  raisePriority(todo: Todo): void
  /** Gives a row, and another one to part it from, the positions that a move needs; none if it stands there already. */
  move(moved: Todo, to: readonly Placed[]): void
  moveToList(todo: Todo, move: { from: List | undefined; to: List | undefined }): void
}

/** What a person can do to their to-dos, each action shown at once. The same object until their calendar changes. */
export function useTodoActions(surroundings: Surroundings): BoardActions {
  const {
    allTodos,
    listShown,
    tagShown,
    showsNew,
    hold,
    release,
    glide,
    focusNext,
    showDetails,
    askForDates,
    openMenu,
  } = surroundings
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const moveToList = useMoveToList()
  const { timeZone, dayStart } = useUserCalendar()
  return useMemo(() => {
    const todayIs = (now: number) => dayOf(now, timeZone, dayStart)
    const edit = (todo: Todo, changes: Partial<TodoFields>) => {
      const { id, title } = todo
      const now = Date.now()
      write(editTodo, { id, changes, title, at: instantToWire(now), ...movedBy(todo, changes, todayIs(now)) })
    }
    const place = (moved: Todo, to: readonly Placed[]) => {
      release(moved)
      glide()
      const todos = new Map(allTodos().map((todo) => [todo.id, todo]))
      for (const { id, position } of to) {
        const todo = todos.get(id)
        if (todo) edit(todo, { position })
      }
    }
    /** Answers them in this order, in which they stand, and whether the device could store them. */
    const addInOrder = async (
      tasks: readonly NewTask[],
      { list, offer }: { list?: ListToMake | undefined; offer?: (first: string) => void },
    ) => {
      const now = Date.now()
      // The first is the newest.
      const adding = tasks.map((task, place) => {
        const created = now - place
        return { id: newRowId(created, crypto.getRandomValues(new Uint8Array(10))), task, created }
      })
      const positions = await positionsOfNew(adding.map(newestFirst), allTodos())
      const writing = adding.map(({ id, task, created }, place) => {
        const position = positions?.[place]
        const tags = [...(tagShown === undefined ? [] : [tagShown]), ...(task.tags ?? [])]
        return {
          id,
          ...(listShown !== undefined && { list_id: listShown }),
          ...task,
          ...(list && { list_id: list.id }),
          ...(tags.length > 0 && { tags }),
          ...(position !== undefined && { position }),
          at: instantToWire(created),
        }
      })
      void list?.make()
      // The last one first, for a later change never gets an earlier instant.
      const kept = writing.toReversed().map((vars) => write(addTodo, vars))
      if (writing[0]) offer?.(writing[0].id)
      return (await Promise.all(kept)).some(Boolean)
    }
    /** Its row stays open, for the next time: so the person is told that it was completed. */
    const offerReopening = (todo: Todo) => {
      const now = Date.now()
      const next = dueOf(todo, undefined, todayIs(now))?.next
      offerUndo(
        next === undefined
          ? 'Task completed'
          : `Task completed, next ${inSentence(formatDay(next, todayIs(now)))}`,
        {
          row: { list: todoList.name, subject: todo.id },
          description: todo.title,
        },
      )
    }
    const subtasksOf = ({ id, parent_id }: Todo) =>
      parent_id === null ? allTodos().filter((todo) => todo.parent_id === id) : []
    return {
      async add(task, list) {
        glide()
        if (!showsNew) {
          return addInOrder([task], {
            list,
            offer: (first) =>
              offerUndo('Task added', {
                row: { list: todoList.name, subject: first },
                description: task.title,
              }),
          })
        }
        const added = await addInOrder([task], { list })
        if (added) announce('Task added')
        return added
      },
      async addAll(titles, dueDay, onUndo) {
        glide()
        const due = dueDay && { due_day: dueDay }
        await addInOrder(
          titles.map((title) => ({ title, ...due })),
          {
            offer: (first) =>
              offerUndo(`${counted(titles.length, 'task')} added`, {
                row: { list: todoList.name, subject: first },
                description: titles[0] ?? '',
                onUndone: onUndo,
              }),
          },
        )
      },
      hold,
      showDetails: (todo, byKey) => showDetails(todo, byKey ? 'title' : undefined),
      askForDates,
      openMenu,
      setDates(todo, changes) {
        if (Object.keys(changes).length === 0) return
        release(todo)
        glide()
        edit(todo, changes)
      },
      move(moved, to) {
        if (to.length === 0) return
        place(moved, to)
        offerUndo('Task moved', {
          row: { list: todoList.name, subject: moved.id },
          description: moved.title,
        })
      },
      moveToList(todo, lists) {
        moveToList(todo, {
          ...lists,
          onMove() {
            if (listShown !== undefined) moveFocusFromRows((id) => id === todo.id)
            release(todo)
            glide()
          },
        })
      },
      setCompleted(todo, completed, byKey = false) {
        hold(todo)
        // At once, and not when the row leaves: until then, the next press would undo this one.
        if (completed && byKey) focusNext()
        const all = allTodos()
        const along = subtasksOf(todo).filter((subtask) => subtask.completed === 0)
        const moment = { now: Date.now(), timeZone, dayStart }
        const done = writeCompletion(write, todo, { completed, all, moment })
        if (!completed) return
        closeReminderOf(todo)
        if (done === 'occurrence' && todo.repeat) offerReopening(todo)
        if (done !== 'todo' || along.length === 0) return
        offerUndo(`Task and ${counted(along.length, 'subtask')} completed`, {
          row: { list: todoList.name, subject: todo.id },
          description: todo.title,
        })
      },
      raisePriority(todo) {
        const priority = prioritySchema.parse((todo.priority + 1) % 4)
        hold(todo)
        edit(todo, { priority })
        announce(`Priority: ${priorityNames[priority]}`)
      },
      rename(todo, title) {
        write(renameTodo, { id: todo.id, title, at: instantToWire(Date.now()) })
      },
      remove(todo) {
        const along = subtasksOf(todo)
        moveFocusFromRows((id) => id === todo.id)
        glide()
        write(deleteTodo, { id: todo.id, title: todo.title, at: instantToWire(Date.now()) })
        closeReminderOf(todo)
        const what = along.length === 0 ? 'Task' : `Task and ${counted(along.length, 'subtask')}`
        offerUndo(`${what} deleted`, {
          row: { list: todoList.name, subject: todo.id },
          description: todo.title,
        })
      },
    }
  }, [
    write,
    offerUndo,
    moveToList,
    allTodos,
    listShown,
    tagShown,
    showsNew,
    hold,
    release,
    glide,
    focusNext,
    showDetails,
    askForDates,
    openMenu,
    timeZone,
    dayStart,
  ])
}

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
