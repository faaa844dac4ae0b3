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
  /** The list and the tag that new to-dos get. */
  shown: { list: string | undefined; tag: string | undefined }
  hold(todo: Todo): void
  release(todo: Todo): void
  /** Call this before rows move, so that they glide to their new places. */
  glide(): void
  focusNext: RowActions['focusNext']
  showDetails(todo: Todo, at?: DetailsEntry['at']): void
  askForDates: RowActions['askForDates']
  openMenu(request: RowMenuRequest): void
}

/** Where to put the focus once the details are shown; undefined leaves it where it is. */
export interface DetailsEntry {
  at: 'title' | 'new subtask' | undefined
}

export interface BoardActions extends RowActions {
  /**
   * Adds a task. Resolves with false if the device could not store the task; the person has then been told. `list`: a list to
   * create for the task, and to undo with it.
   */
  add(task: NewTask, list?: ListToMake): Promise<boolean>
  /** Adds several tasks, which appear in this order. `onUndo` is called when the person undoes that. */
  addAll(titles: readonly string[], dueDay: Day | null, onUndo: () => void): void
  edit(todo: Todo, changes: Partial<TodoFields>): void
  /** Sets the next higher priority. After the highest comes no priority. */
  raisePriority(todo: Todo): void
  /** Moves a row. `to`: the new positions of the row and of other rows that make room for it; empty if nothing changes. */
  move(moved: Todo, to: readonly Placed[]): void
  moveToList(todo: Todo, move: { from: List | undefined; to: List | undefined }): void
}

/** The actions on the rows of a board. Each either holds the row in place for a moment or lets rows glide to their new places. */
export function boardActions(actions: TodoActions, board: Board): BoardActions {
  const { shown, hold, release, glide, askForDates, openMenu } = board
  const { edit, offer } = actions
  /** The row of a repeating task stays open for the next occurrence, so tell the person that this one was completed. */
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
    focusNext: board.focusNext,
    setCompleted(todo, completed) {
      hold(todo)
      const { kind, along } = actions.complete(todo, completed)
      if (completed && kind === 'occurrence' && todo.repeat) offerReopening(todo)
      else if (along > 0) offer(`${taskWith(along)} completed`, todo)
      else if (kind !== 'none')
        announce(`${todo.title} ${completed ? 'completed' : 'reopened'}`, { after: true })
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
