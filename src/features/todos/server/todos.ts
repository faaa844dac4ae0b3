import { tagEndpoints } from '../tags/server/tag-routes.ts'
import { todoRows } from '../todo/server/todo-rows.ts'
import { exportTodos, todoImporter } from './exported-todo-store.ts'
import { todoEndpoints } from './todo-routes.ts'

/** What the to-do feature contributes to the app. */
export const todos = {
  rows: todoRows,
  endpoints: (parts: Parameters<typeof todoEndpoints>[0]) => [
    ...todoEndpoints(parts),
    ...tagEndpoints(parts),
  ],
  exported: exportTodos,
  importer: () => todoImporter,
}
