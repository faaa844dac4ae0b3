import type { List } from '#features/lists/list/list.ts'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import type { ListToMake } from '#platform/browser/screen-services.ts'
import type { Day } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import type { Placed } from '#platform/order/position.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { formatDay, inSentence } from '../dates/web/format-due.ts'
import { dueOf } from '../todo/shown-todo.ts'
import type { Todo } from '../todo/todo.ts'
import { prioritySchema } from '../todo/todo-row.ts'
import type { NewTask } from '../todo/web/new-task.ts'
import { priorityNames } from '../todo/web/priority-sign.tsx'
import { type TodoActions, taskWith } from '../todo/web/todo-actions.ts'
import type { TodoFields } from '../todo/web/todo-queries.ts'
import type { RowActions, RowMenuRequest } from './row-actions.ts'

interface Board {
  /** Where new ones go, and which tag they get. */
  shown: { list: string | undefined; tag: string | undefined }
  hold(todo: Todo): void
  release(todo: Todo): void
  /** To be called before rows move. */
  glide(): void
  /** Moves the focus on to the next row that can be completed. */
  focusNext(): void
  showDetails(todo: Todo, at?: DetailsEntry['at']): void
  askForDates: RowActions['askForDates']
  openMenu(request: RowMenuRequest): void
}

/** Where the focus goes once the details are shown; without it, it stays where it is. */
export interface DetailsEntry {
  at: 'title' | 'new subtask' | undefined
}

export interface BoardActions extends RowActions {
  /** Resolves with false if the device could not store it; the person has been told. `list`: one that is made for it, and undone with it. */
  add(task: NewTask, list?: ListToMake): Promise<boolean>
  /** Adds several, which then stand in this order. `onUndo`: called when the person has taken them back. */
  addAll(titles: readonly string[], dueDay: Day | null, onUndo: () => void): void
  edit(todo: Todo, changes: Partial<TodoFields>): void
  /** Gives it the next higher priority, and after the highest none. */
  raisePriority(todo: Todo): void
  /** Gives a row, and another one to part it from, the positions that a move needs; none if it stands there already. */
  move(moved: Todo, to: readonly Placed[]): void
  moveToList(todo: Todo, move: { from: List | undefined; to: List | undefined }): void
}

/** What a person does in the rows of a board, which keeps them in place meanwhile, or lets them glide to another one. */
export function boardActions(actions: TodoActions, board: Board): BoardActions {
  const { shown, hold, release, glide, askForDates, openMenu } = board
  const { edit, offer } = actions
  /** Its row stays open, for the next time: so the person is told that it was completed. */
  const offerReopening = (todo: Todo) => {
    const today = actions.today()
    const next = dueOf(todo, undefined, today)?.next
    offer(`Task completed${next ? `, next ${inSentence(formatDay(next, today))}` : ''}`, todo)
  }
  return {
    async add(task, list) {
      glide()
      const added = await actions.add([task], { shown, list })
      if (added) announce('Task added')
      return added
    },
    addAll(titles, dueDay, onUndo) {
      glide()
      const due = dueDay && { due_day: dueDay }
      void actions.add(
        titles.map((title) => ({ title, ...due })),
        {
          shown,
          onAdd: (first) => offer(`${counted(titles.length, 'task')} added`, first, { onUndone: onUndo }),
        },
      )
    },
    hold,
    askForDates,
    openMenu,
    showDetails: (todo, byKey) => board.showDetails(todo, byKey ? 'title' : undefined),
    edit(todo, changes) {
      if (Object.keys(changes).length === 0) return
      release(todo)
      glide()
      edit(todo, changes)
    },
    move(moved, to) {
      if (to.length === 0) return
      release(moved)
      glide()
      actions.place(to)
      offer('Task moved', moved)
    },
    moveToList(todo, lists) {
      actions.moveToList(todo, {
        ...lists,
        onMove() {
          if (shown.list !== undefined) moveFocusFromRows((id) => id === todo.id)
          release(todo)
          glide()
        },
      })
    },
    setCompleted(todo, completed, byKey = false) {
      hold(todo)
      // At once, and not when the row leaves: until then, the next press would undo this one.
      if (completed && byKey) board.focusNext()
      const { kind, along } = actions.complete(todo, completed)
      if (completed && kind === 'occurrence' && todo.repeat) offerReopening(todo)
      if (along > 0) offer(`${taskWith(along)} completed`, todo)
    },
    raisePriority(todo) {
      const priority = prioritySchema.parse((todo.priority + 1) % 4)
      hold(todo)
      edit(todo, { priority })
      announce(`Priority: ${priorityNames[priority]}`)
    },
    rename: actions.rename,
    remove(todo) {
      const along = actions.subtasks(todo).length
      moveFocusFromRows((id) => id === todo.id)
      glide()
      actions.remove(todo)
      offer(`${taskWith(along)} deleted`, todo)
    },
  }
}
