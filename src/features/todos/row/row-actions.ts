import type { Todo } from '../todo/todo.ts'

/** What can be done to a row. Must stay the same object, or every row renders whenever one of them does. */
export interface RowActions {
  /** Keeps the row where it is, whatever happens to the to-do elsewhere. */
  hold(todo: Todo): void
  /** `byKey`: with a key on the row, from which the focus then goes on. */
  setCompleted(todo: Todo, completed: boolean, byKey?: boolean): void
  rename(todo: Todo, title: string): void
  /** Shows its details beside the list. */
  showDetails(todo: Todo, byKey: boolean): void
  /** Opens the picker of its due day and reminder, beside what was pressed. */
  askForDates(todo: Todo, anchor: HTMLElement): void
  remove(todo: Todo): void
  /** Opens the menu of what else can be done to it. */
  openMenu(request: RowMenuRequest): void
}

export interface RowMenuRequest {
  todo: Todo
  /** Where the menu opens. */
  button: HTMLElement
  /** Pressed by a key, which moves the focus to the first item. */
  byKey: boolean
  /** Opens the field for its title. */
  edit?(): void
  /** It opens with the lists to move the to-do to. */
  choosingList?: true
}
