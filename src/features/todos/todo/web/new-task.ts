import type { TodoFields } from './todo-queries.ts'

/** A task that is to be added. */
export interface NewTask extends Partial<TodoFields> {
  /** Made where it is needed before the task is there. */
  id?: string
  title: string
  tags?: string[]
}
