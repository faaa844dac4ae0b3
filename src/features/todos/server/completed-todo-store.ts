import { type SelectQueryBuilder, sql } from 'kysely'
import { type Day, daysFrom, type Instant } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { betweenStretches, countWalked } from '#platform/database/work.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import type { CompletedTodos } from '../todo.ts'
import { hiddenTodos, isHidden, listStoodIn } from './subtask-store.ts'
import { todoRows } from './todo-rows.ts'

type Row = Tables['todos']

/** How many completed todos one response lists. */
const pageLength = 50
/** How many SQLite looks at in one statement when they are searched: other requests are served in between. */
const searchedAtOnce = 1_000

interface Chosen {
  /** Only those that were completed before this one. */
  before?: string | undefined
  /** Only those whose title contains this. */
  search?: string | undefined
  /** Only those that stand in this list. */
  list_id?: string | undefined
}

/** The place of a completed todo in the order of completion. */
interface Place {
  completed_at: Instant
  id: string
}

/**
 * How many todos were completed on each day of a range, zeros included, and the 50 that were completed last, or last before the
 * todo `before`. Of all days, only those are counted on which one of the 50 was completed. Undefined if `before` does not exist,
 * is deleted or is open.
 */
export async function completedTodos(
  db: Database,
  user: string,
  range: DayRange | 'all',
  { before, search, list_id }: Chosen = {},
): Promise<CompletedTodos | undefined> {
  const of = { db, user, hides: (await hiddenTodos(db, user)).size > 0 }
  const last = before === undefined ? undefined : await placeOf(of, before)
  if (before !== undefined && last === undefined) return undefined
  // A change between two of the statements gives the user a new revision, so that the client requests this again.
  if (search !== undefined || list_id !== undefined) {
    return chosenTodos(of, range, { last, search, list_id, notIn: [] })
  }
  if (range === 'all') {
    // Of an archived list they are shown only there and in a search.
    const archived = await archivedLists(db, user)
    if (archived.length > 0) return chosenTodos(of, range, { last, notIn: archived })
  }
  return range === 'all' ? newestOfAllDays(of, last) : ofRange(of, range, last)
}

async function archivedLists(db: Database, user: string): Promise<string[]> {
  const lists = await db.read
    .selectFrom('lists')
    .select('id')
    .where('user_id', '=', user)
    .where('archived_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  return lists.map(({ id }) => id)
}

async function placeOf(of: Of, id: string): Promise<Place | undefined> {
  const row = await stored(of).select('completed_at').where('id', '=', id).executeTakeFirst()
  const completed_at = row?.completed_at ?? null
  return completed_at === null ? undefined : { completed_at, id }
}

/** Whose to-dos are read. */
interface Of {
  db: Database
  user: string
  /** Whether a deletion hides any: only then each has to be looked at. */
  hides: boolean
}

function stored({ db, user, hides }: Of) {
  return db.read
    .selectFrom('todos')
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .$if(hides, (query) => query.where((eb) => eb.not(isHidden(eb))))
}

async function ofRange(of: Of, range: DayRange, last: Place | undefined): Promise<CompletedTodos> {
  const yieldPoint = createYieldPoint()
  const counts = await countByDay(
    stored(of).where('completed_on', '>=', range.from).where('completed_on', '<=', range.to),
  )
  const { count, days } = counted(range, counts)
  countWalked(count)
  if (count === 0) return { count, days, todos: [] }
  await yieldPoint()
  return { count, days, todos: await newestRows(of, range, last) }
}

async function newestOfAllDays(of: Of, last: Place | undefined): Promise<CompletedTodos> {
  const yieldPoint = createYieldPoint()
  const { count } = await stored(of)
    .where('completed_on', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  countWalked(count)
  await yieldPoint()
  const todos = await newestRows(of, 'all', last)
  if (todos.length === 0) return { count, days: [], todos }
  await yieldPoint()
  const shown = daysOf(todos)
  const counts = await countByDay(stored(of).where('completed_on', 'in', shown))
  const days = shown.map((day) => ({ day, count: counts.get(day) ?? 0 }))
  countWalked(days.reduce((sum, each) => sum + each.count, 0))
  return { count, days, todos }
}

async function countByDay(query: SelectQueryBuilder<Tables, 'todos', object>): Promise<Map<Day, number>> {
  const rows = await query
    .select(({ fn }) => ['completed_on', fn.countAll<number>().as('count')])
    .groupBy('completed_on')
    .execute()
  return new Map(
    rows.flatMap(({ completed_on, count }) => (completed_on === null ? [] : [[completed_on, count]])),
  )
}

/** Every day of a range with its count. */
function counted(range: DayRange, counts: ReadonlyMap<Day, number>): Pick<CompletedTodos, 'count' | 'days'> {
  const days = daysFrom(range.from, range.to).map((day) => ({ day, count: counts.get(day) ?? 0 }))
  return { count: days.reduce((sum, each) => sum + each.count, 0), days }
}

/** The days of completion, the earliest first. */
function daysOf(todos: readonly { completed_on: Day }[]): Day[] {
  return [...new Set(todos.map(({ completed_on }) => completed_on))].toSorted()
}

async function newestRows(
  of: Of,
  range: DayRange | 'all',
  last: Place | undefined,
): Promise<CompletedTodos['todos']> {
  const completed = stored(of)
    .where('completed_at', 'is not', null)
    .$if(last !== undefined, (query) =>
      query
        .where('completed_at', '<=', last?.completed_at ?? null)
        .where(({ eb, or }) =>
          or([eb('completed_at', '<', last?.completed_at ?? null), eb('id', '<', last?.id ?? '')]),
        ),
    )
  const newest = await inRange(completed, range)
    .selectAll()
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageLength)
    .execute()
  const end = newest[pageLength - 1]
  const { walked } = await completed
    .select(({ fn }) => fn.countAll<number>().as('walked'))
    .$if(end !== undefined, (query) => query.where('completed_at', '>=', end?.completed_at ?? null))
    .executeTakeFirstOrThrow()
  countWalked(walked)
  return newest.flatMap(toCompleted)
}

/**
 * Wrapping the column keeps the query planner from going by day, which would have to sort the whole range. In the other index the
 * newest come first, and are walked until there are enough.
 */
function inRange<Selected>(query: SelectQueryBuilder<Tables, 'todos', Selected>, range: DayRange | 'all') {
  if (range === 'all') return query
  return query
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '>=', range.from))
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '<=', range.to))
}

function toCompleted(row: Row): CompletedTodos['todos'] {
  return row.completed_on === null ? [] : [{ ...todoRows.toWire(row), completed_on: row.completed_on }]
}

/** Looks at all of them for what was chosen, the newest first. */
async function chosenTodos(
  of: Of,
  range: DayRange | 'all',
  { last, ...chosen }: { last: Place | undefined } & Matching,
): Promise<CompletedTodos> {
  const counts = new Map<Day, number>()
  const page: string[] = []
  for await (const rows of matchesOf(of, range, chosen)) {
    for (const { id, completed_at, completed_on } of rows) {
      if (completed_at === null || completed_on === null) continue
      counts.set(completed_on, (counts.get(completed_on) ?? 0) + 1)
      if (page.length < pageLength && (!last || isOlder({ completed_at, id }, last))) page.push(id)
    }
  }
  const rows = new Map<string, Row>()
  for (const ids of inBatches(page)) {
    const found = await stored(of).where('id', 'in', ids).selectAll().execute()
    for (const row of found) rows.set(row.id, row)
  }
  const todos = page.flatMap((id) => {
    const row = rows.get(id)
    return row ? toCompleted(row) : []
  })
  if (range !== 'all') return { ...counted(range, counts), todos }
  const count = counts.values().reduce((sum, each) => sum + each, 0)
  return { count, days: daysOf(todos).map((day) => ({ day, count: counts.get(day) ?? 0 })), todos }
}

/** `notIn`: the lists whose to-dos are left out. */
type Matching = Pick<Chosen, 'search' | 'list_id'> & { notIn: readonly string[] }

function isOlder(one: Place, other: Place): boolean {
  if (one.completed_at !== other.completed_at) return one.completed_at < other.completed_at
  return one.id < other.id
}

async function* matchesOf(
  of: Of,
  range: DayRange | 'all',
  { search, list_id, notIn }: Matching,
): AsyncGenerator<Pick<Row, 'id' | 'completed_at' | 'completed_on'>[]> {
  const completed = stored(of).where('completed_at', 'is not', null)
  for (let after: Place | undefined; ; ) {
    const last = after
    const rest = completed.$if(last !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('completed_at', 'id'), '<', eb.tuple(last?.completed_at ?? null, last?.id ?? '')),
      ),
    )
    const end = await rest
      .select(['completed_at', 'id'])
      .orderBy('completed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(searchedAtOnce - 1)
      .executeTakeFirst()
    const matches = inRange(rest, range)
      .$if(end !== undefined, (query) =>
        query.where((eb) =>
          eb(eb.refTuple('completed_at', 'id'), '>=', eb.tuple(end?.completed_at ?? null, end?.id ?? '')),
        ),
      )
      // Wrapped for the same reason as the day.
      .$if(list_id !== undefined, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), '=', list_id ?? '')),
      )
      .$if(notIn.length > 0, (query) =>
        query.where(({ eb, fn, val }) => eb(fn.coalesce(listStoodIn, val('')), 'not in', notIn)),
      )
      .$if(search !== undefined, (query) => query.where(contains(of.db, search ?? '')))
    yield await matches
      .select(['id', 'completed_at', 'completed_on'])
      .orderBy('completed_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    // Once to find the end, and once to look at each.
    countWalked(2 * searchedAtOnce)
    if (!end || end.completed_at === null) return
    after = { completed_at: end.completed_at, id: end.id }
    await betweenStretches()
  }
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
