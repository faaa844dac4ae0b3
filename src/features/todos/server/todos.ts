import { exportTodos, todoImporter } from './exported-todo-store.ts'
import { tagEndpoints } from './tag-routes.ts'
import { todoEndpoints } from './todo-routes.ts'
import { todoRows } from './todo-rows.ts'

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
