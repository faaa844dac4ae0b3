import { isHidden, listStoodIn } from '#features/todos/todo/server/subtask-store.ts'
import { storedTags } from '#features/todos/todo/tags.ts'
import { todoSearch } from '#features/todos/todo/todo-search.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { wantedOf } from '#platform/search/match.ts'
import type { CompletedTodos } from '../completed-todos.ts'

// What completions of whole to-dos and those of occurrences have in common.

/** How many completions one response lists. */
export const pageLength = 50

export interface Chosen {
  /** Only those that were completed before this one. */
  before?: Pick<Place, 'id' | 'day'> | undefined
  /** Only those that are found by this (`todoSearch`). */
  search?: string | undefined
  /** Only those that stand in this list. */
  list_id?: string | undefined
}

/** The place of a completion in the order of completion. */
export interface Place {
  completed_at: Instant
  id: string
  /** Null: it is none of an occurrence. */
  day: Day | null
}

/** Completions of one kind. */
export interface Completions {
  count: number
  /** How many there were on days of the range, or of all days on these. */
  countOn(days: readonly Day[]): Promise<ReadonlyMap<Day, number>>
  /** The latest ones, as many as one response lists. */
  newest: CompletedTodos['todos']
}

/** Whose to-dos are read. */
export interface CompletionScope {
  db: Database
  user: string
  /** Whether a deletion hides any: only then each has to be looked at. */
  hides: boolean
}

/** `notIn`: the lists whose to-dos are left out. */
export type Matching = Pick<Chosen, 'search' | 'list_id'> & { notIn: readonly string[] }

/** Those that are neither deleted nor hidden. */
export function stored({ db, user, hides }: CompletionScope) {
  return db.read
    .selectFrom('todos')
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .$if(hides, (query) => query.where((eb) => eb.not(isHidden(eb))))
}

/** Those that stand where was chosen; which of them are searched for, `matcherOf` says. */
export function storedMatching(of: CompletionScope, { list_id, notIn }: Pick<Matching, 'list_id' | 'notIn'>) {
  return (
    stored(of)
      // Wrapped for the same reason as the day.
      .$if(list_id !== undefined, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), '=', list_id ?? '')),
      )
      .$if(notIn.length > 0, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), 'not in', notIn)),
      )
  )
}

/**
 * Whether a to-do is one of those that were searched for. Neither engine knows the letters of every script, or not in every
 * installation: so this is said here, and the same for both, and for the devices.
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
