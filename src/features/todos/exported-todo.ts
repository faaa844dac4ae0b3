import * as z from 'zod/mini'
import { positionSchema } from '#platform/order/position.ts'
import { type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { todoRow, unmoved } from './todo-row.ts'

/** In files of version 1, nobody had moved any. */
const positionInFileSchema = z.union([positionSchema, z.literal(unmoved)], 'Expected a position, such as a0')

/** A to-do as it is exported and imported, including the person's own day on which it was completed. */
export const exportedTodoSchema = z
  .object({ ...fileShape(todoRow), position: z._default(positionInFileSchema, unmoved) })
  .check(
    z.refine(
      ({ completed, completed_at, completed_on }) =>
        completed
          ? completed_at !== null && completed_on !== null
          : completed_at === null && completed_on === null,
      {
        path: ['completed_at'],
        message: 'Expected a completion time and day only for a completed task',
      },
    ),
  )
export type ExportedTodo = z.infer<typeof exportedTodoSchema>

export const todosInFiles = {
  row: exportedTodoSchema,
  importLists: {
    todos: {
      row: exportedTodoSchema,
      one: 'task',
      days: (todo: ExportedTodo) => [['completed_on', todo.completed_on]] as const,
      response: importCountsSchema,
    },
  },
  split: (todo: ExportedTodo) => [['todos', todo]] as const,
} satisfies FileRows
