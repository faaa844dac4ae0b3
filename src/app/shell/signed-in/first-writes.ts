import { listWrites } from '#features/lists/list/web/list-queries.ts'
import { preferencesWrites } from '#features/preferences/web/preferences-queries.ts'
import { todoWrites } from '#features/todos/todo/web/todo-queries.ts'
import type { AnyWrite } from '#platform/sync/collections/write.ts'

/** The writes (declared changes to collections) of the frame and the first screens. All other writes are in `other-writes.ts`. */
export const firstWrites = {
  todos: todoWrites,
  lists: listWrites,
  preferences: preferencesWrites,
}

/** The writes of other collections that a screen may show first, by collection name. They load with the screen's own files. */
export const writesOfScreens: Partial<Record<string, () => Promise<readonly AnyWrite[]>>> = {
  habits: () => import('#features/habits/habit/web/habit-queries.ts').then(({ habitWrites }) => habitWrites),
  pauses: () => import('#features/habits/pauses/web/pause-queries.ts').then(({ pauseWrites }) => pauseWrites),
  'focus-sessions': () =>
    import('#features/focus/sessions/web/focus-queries.ts').then(({ focusWrites }) => focusWrites),
}
