import type { Todo } from '../todo/todo.ts'

/** The place of what is typed in the title of a row. */
export const rowDraft = (id: string) => `row of ${id}`

/** The actions of a row. Pass the same object each time: with a new one, every row would render again. */
export interface RowActions {
  /** Keeps the row in its place, whatever happens to the to-do elsewhere. */
  hold(todo: Todo): void
  setCompleted(todo: Todo, completed: boolean): void
  /** Moves the focus to the next row that can be completed, after a key has completed the one with the focus. */
  focusNext(): void
  rename(todo: Todo, title: string): void
  /** Shows the details of the to-do beside the list. */
  showDetails(todo: Todo, byKey: boolean): void
  /** Opens the picker of the due day and reminder beside the pressed element. */
  askForDates(todo: Todo, anchor: HTMLElement): void
  remove(todo: Todo): void
  /** Opens the menu of further actions on the row. */
  openMenu(request: RowMenuRequest): void
}

export interface RowMenuRequest {
  todo: Todo
  /** The element at which the menu opens, and to which the focus returns. */
  button: HTMLElement
  /** Whether a key opened the menu, so that the first item gets the focus. */
  byKey: boolean
  /** Opens the field for the title of the to-do. */
  edit?(): void
  /** Set if the menu was opened on the row itself: it then has the actions of the row's buttons, too. */
  onRow?: true
  /** Where the menu opens in the window, if not at `button`. */
  at?: { x: number; y: number }
  /** Set if the menu should open with the lists to move the to-do to. */
  choosingList?: true
}
