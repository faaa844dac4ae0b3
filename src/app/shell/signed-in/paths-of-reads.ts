import { focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import { pauseCollection } from '#features/habits/pauses/web/pause-queries.ts'
import { lists } from '#features/lists/list/web/list-queries.ts'
import { preferencesCollection } from '#features/preferences/web/preferences-queries.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { readPathOf } from '#platform/sync/collections/collection.ts'

const collections = [todoCollection, lists, habitCollection, pauseCollection, focusSessionCollection]

/**
 * The addresses of the collections that a screen reads, and of the preferences. The build writes them into the screen's
 * page.
 */
export function pathsOfReads(reads: readonly string[] = []): string[] {
  const read = reads.map((name) => collections.find((each) => each.name === name))
  return [...read, preferencesCollection].map((collection) => {
    // public/session.js can request only a path, without headers.
    if (!collection || 'headers' in collection) throw new Error(`A page cannot ask for one of ${reads}`)
    return readPathOf(collection)
  })
}
