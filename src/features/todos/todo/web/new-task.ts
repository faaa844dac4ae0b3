import type { TodoFields } from './todo-queries.ts'

/** A task to be added. */
export interface NewTask extends Partial<TodoFields> {
  /** Given if the caller needs the id before the task exists. */
  id?: string
  title: string
  tags?: string[]
}
