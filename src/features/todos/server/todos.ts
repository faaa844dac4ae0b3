import { exportTodos, todoImporter } from './exported-todo-store.ts'
import { todoEndpoints } from './todo-routes.ts'
import { todoRows } from './todo-rows.ts'

/** What the to-do feature contributes to the app. */
export const todos = {
  rows: todoRows,
  endpoints: todoEndpoints,
  exported: exportTodos,
  importer: () => todoImporter,
}
