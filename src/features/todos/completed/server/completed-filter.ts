import { isHidden, listStoodIn } from '#features/todos/todo/server/subtask-store.ts'
import { storedTags } from '#features/todos/todo/tags.ts'
import { todoSearch } from '#features/todos/todo/todo-search.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { wantedOf } from '#platform/search/match.ts'
import type { CompletedTodos } from '../completed-todos.ts'

// Shared by the queries for completed to-dos and for completed occurrences of repeating to-dos.

/** How many completed tasks one response contains. */
export const pageLength = 50

export interface Chosen {
  /** Only tasks completed before this one. */
  before?: Pick<Place, 'id' | 'day'> | undefined
  /** Only to-dos that match this text (`todoSearch`). */
  search?: string | undefined
  /** Only to-dos in this list. */
  list_id?: string | undefined
}

/** Where a completed task stands when they are sorted by time. */
export interface Place {
  completed_at: Instant
  id: string
  /** The occurrence that was completed; null for a whole to-do. */
  day: Day | null
}

/** Completed tasks of one kind: whole to-dos, or occurrences. */
export interface CompletedTasks {
  count: number
  /** How many were completed per day: for the whole range or, with the range 'all', for at least these `days`. */
  countOn(days: readonly Day[]): Promise<ReadonlyMap<Day, number>>
  /** Those completed last, at most one page. */
  newest: CompletedTodos['todos']
}

/** The person whose to-dos are read. */
export interface CompletedScope {
  db: Database
  user: string
  /** Whether the person has subtasks that are hidden because their parent was deleted. If not, rows need no check. */
  hides: boolean
}

/** `notIn`: the lists to leave out. */
export type Matching = Pick<Chosen, 'search' | 'list_id'> & { notIn: readonly string[] }

/** The to-dos that are neither deleted nor hidden with a deleted parent. */
export function stored({ db, user, hides }: CompletedScope) {
  return db.read
    .selectFrom('todos')
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .$if(hides, (query) => query.where((eb) => eb.not(isHidden(eb))))
}

/** The to-dos in the chosen lists. Searching their text is up to `matcherOf`. */
export function storedMatching(of: CompletedScope, { list_id, notIn }: Pick<Matching, 'list_id' | 'notIn'>) {
  return (
    stored(of)
      // Wrapped in `coalesce` to keep the planner from choosing another index, as in `inRange`.
      .$if(list_id !== undefined, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), '=', list_id ?? '')),
      )
      .$if(notIn.length > 0, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), 'not in', notIn)),
      )
  )
}

/**
 * Returns a function that tells whether a to-do matches the search text. Runs here and not in SQL, because neither SQLite nor
 * PostgreSQL handles the letters of every script reliably. This way the server finds the same to-dos as the devices.
 */
export function matcherOf(
  search: string | undefined,
): (row: Pick<Tables['todos'], 'title' | 'note' | 'tags'>) => boolean {
  if (search === undefined) return () => true
  const wanted = wantedOf(search)
  return (row) =>
    wanted !== undefined &&
    todoSearch.matches({ title: row.title, note: row.note, tags: storedTags.fromColumns(row) }, wanted)
}
