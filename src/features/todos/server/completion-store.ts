import { sql } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { CompletedTodos } from '../todo.ts'
import { isHidden, listStoodIn } from './subtask-store.ts'

// What completions of whole to-dos and those of occurrences have in common.

/** How many completions one response lists. */
export const pageLength = 50

export interface Chosen {
  /** Only those that were completed before this one. */
  before?: Pick<Place, 'id' | 'day'> | undefined
  /** Only those whose title contains this. */
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
export interface Of {
  db: Database
  user: string
  /** Whether a deletion hides any: only then each has to be looked at. */
  hides: boolean
}

/** `notIn`: the lists whose to-dos are left out. */
export type Matching = Pick<Chosen, 'search' | 'list_id'> & { notIn: readonly string[] }

/** Those that are neither deleted nor hidden. */
export function stored({ db, user, hides }: Of) {
  return db.read
    .selectFrom('todos')
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .$if(hides, (query) => query.where((eb) => eb.not(isHidden(eb))))
}

/** Those that match what was chosen. */
export function storedMatching(of: Of, { search, list_id, notIn }: Matching) {
  return (
    stored(of)
      // Wrapped for the same reason as the day.
      .$if(list_id !== undefined, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), '=', list_id ?? '')),
      )
      .$if(notIn.length > 0, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), 'not in', notIn)),
      )
      .$if(search !== undefined, (query) => query.where(contains(of.db, search ?? '')))
  )
}

/**
 * Whether the title contains a text, whichever letters are capitals. Neither engine knows the capitals of every script, or not in
 * every installation: so each letter is looked for in all of its forms.
 */
function contains(db: Database, text: string) {
  const forms = [...text].map(formsOf)
  if (db.engine === 'sqlite') return sql<boolean>`title glob ${`*${forms.map(globOf).join('')}*`}`
  return sql<boolean>`title ~ ${forms.map(regexOf).join('')}`
}

/** A character and what it is as a capital and as a small letter. */
function formsOf(character: string): string[] {
  const [small, capital] = [character.toLowerCase(), character.toUpperCase()]
  const forms = [character, small, capital, capital.toLowerCase(), small.toUpperCase()]
  // The one letter that is written in another way at the end of a word.
  if (capital === 'Σ') forms.push('ς', 'σ')
  // A capital of more than one letter, such as that of ß, is none that can be typed for it.
  return [...new Set(forms)].filter((form) => [...form].length === 1)
}

/** In brackets nothing has another meaning, except what no letter is: `^` in front, and `]` behind something else. */
function globOf(forms: string[]): string {
  const [only] = forms
  if (forms.length > 1 || (only !== undefined && '*?['.includes(only))) return `[${forms.join('')}]`
  return forms.join('')
}

function regexOf(forms: string[]): string {
  const [only = ''] = forms
  if (forms.length > 1) return `[${forms.join('')}]`
  return /[!-/:-@[-`{-~]/.test(only) ? `\\${only}` : only
}
