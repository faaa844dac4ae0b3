import { listWrites } from '#features/lists/web/list-queries.ts'
import { preferencesWrites } from '#features/preferences/web/preferences-queries.ts'
import { todoWrites } from '#features/todos/web/todo-queries.ts'

/** The declared writes of what the frame and the first screens show. The others are in `other-writes.ts`. */
export const firstWrites = {
  todos: todoWrites,
  lists: listWrites,
  preferences: preferencesWrites,
}
