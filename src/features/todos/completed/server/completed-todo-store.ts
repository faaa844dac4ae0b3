import type { SelectQueryBuilder } from 'kysely'
import { hiddenTodos } from '#features/todos/todo/server/subtask-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { type Day, daysFrom } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { stretchesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches, countWalked } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { CompletedTodos } from '../completed-todos.ts'
import {
  type Chosen,
  type CompletedScope,
  type CompletedTasks,
  type Matching,
  matcherOf,
  type Place,
  pageLength,
  stored,
  storedMatching,
} from './completed-filter.ts'
import { completedAtOf, completedOccurrences } from './completed-occurrence-store.ts'

type Row = Tables['todos']

/**
 * How many to-dos one statement of a search reads. SQLite blocks the process during a statement, so short statements let other
 * requests in between.
 */
const searchedAtOnce = 1_000

/**
 * How many to-dos were completed on each day of a range, zeros included, and the latest 50 completions, or the latest 50 before
 * the completion `before`. With the range 'all', only the days of those 50 are counted. Each completed occurrence of a repeating
 * to-do counts. Undefined if `before` does not exist, is deleted or is open.
 */
export async function completedTodos(
  db: Database,
  user: string,
  range: DayRange | 'all',
  { before, search, list_id }: Chosen = {},
): Promise<CompletedTodos | undefined> {
  const of = { db, user, hides: (await hiddenTodos(db.read, user)).size > 0 }
  const last = before === undefined ? undefined : await placeOf(of, before)
  if (before !== undefined && last === undefined) return undefined
  // The statements below may see different data. That is harmless: a change in between gives the user a new revision, and the
  // client requests this again.
  const isChosen = search !== undefined || list_id !== undefined
  // To-dos of archived lists are shown only in their list and in a search.
  const notIn = range === 'all' && !isChosen ? await archivedLists(db, user) : []
  const matching = { search, list_id, notIn }
  const isPlain = !isChosen && notIn.length === 0
  const whole = isPlain
    ? await plainTodos(of, range, last)
    : await chosenTodos(of, range, { last, ...matching })
  const occurrences = await completedOccurrences(of, range, { last, ...matching })
  const newest = [...whole.newest, ...occurrences.newest].sort(latestFirst).slice(0, pageLength)
  const days = range === 'all' ? daysOf(newest) : daysFrom(range.from, range.to)
  const counts = [await whole.countOn(days), await occurrences.countOn(days)]
  return {
    count: whole.count + occurrences.count,
    days: days.map((day) => ({ day, count: counts.reduce((sum, on) => sum + (on.get(day) ?? 0), 0) })),
    todos: newest,
  }
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

async function placeOf(
  of: CompletedScope,
  { id, day }: NonNullable<Chosen['before']>,
): Promise<Place | undefined> {
  const row = await stored(of).select('completed_at').where('id', '=', id).executeTakeFirst()
  const completed_at = day === null ? row?.completed_at : row && (await completedAtOf(of, id, day))
  return completed_at == null ? undefined : { completed_at, id, day }
}

async function plainTodos(
  of: CompletedScope,
  range: DayRange | 'all',
  last: Place | undefined,
): Promise<CompletedTasks> {
  const yieldPoint = createYieldPoint()
  if (range !== 'all') {
    const counts = await countByDay(
      stored(of).where('completed_on', '>=', range.from).where('completed_on', '<=', range.to),
    )
    const count = sumOf(counts)
    countWalked(count)
    await yieldPoint()
    const newest = count === 0 ? [] : await newestRows(of, range, last)
    return { count, newest, countOn: async () => counts }
  }
  const { count } = await stored(of)
    .where('completed_on', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  countWalked(count)
  await yieldPoint()
  const newest = await newestRows(of, 'all', last)
  return {
    count,
    newest,
    async countOn(days) {
      if (days.length === 0) return new Map()
      await yieldPoint()
      const counts = await countByDay(stored(of).where('completed_on', 'in', days))
      countWalked(sumOf(counts))
      return counts
    },
  }
}

function sumOf(counts: ReadonlyMap<Day, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

function latestFirst(one: CompletedTodos['todos'][number], other: CompletedTodos['todos'][number]): number {
  const key = ({ completed_at, id, day }: typeof one) => [completed_at ?? '', id, day ?? '']
  const [ofOne, ofOther] = [key(one), key(other)]
  const place = ofOne.findIndex((part, nth) => part !== ofOther[nth])
  return place < 0 ? 0 : (ofOne[place] ?? '') < (ofOther[place] ?? '') ? 1 : -1
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

/** The days of completion, the earliest first. */
function daysOf(todos: readonly { completed_on: Day }[]): Day[] {
  return [...new Set(todos.map(({ completed_on }) => completed_on))].toSorted()
}

async function newestRows(
  of: CompletedScope,
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
 * Filters by the day of completion. `coalesce` keeps the planner from using the index by day, which would have to sort the whole
 * range. The other index has the newest rows first, so the query stops after one page.
 */
function inRange<Selected>(query: SelectQueryBuilder<Tables, 'todos', Selected>, range: DayRange | 'all') {
  if (range === 'all') return query
  return query
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '>=', range.from))
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '<=', range.to))
}

function toCompleted(row: Row): CompletedTodos['todos'] {
  return row.completed_on === null
    ? []
    : [{ ...todoRows.toWire(row), completed_on: row.completed_on, day: null }]
}

/** Goes through all completed to-dos, the newest first, and keeps those that match. */
async function chosenTodos(
  of: CompletedScope,
  range: DayRange | 'all',
  { last, ...chosen }: { last: Place | undefined } & Matching,
): Promise<CompletedTasks> {
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
  const newest = page.flatMap((id) => {
    const row = rows.get(id)
    return row ? toCompleted(row) : []
  })
  return { count: sumOf(counts), newest, countOn: async () => counts }
}

function isOlder(one: Omit<Place, 'day'>, other: Place): boolean {
  if (one.completed_at !== other.completed_at) return one.completed_at < other.completed_at
  return one.id < other.id
}

async function* matchesOf(
  of: CompletedScope,
  range: DayRange | 'all',
  chosen: Matching,
): AsyncGenerator<Pick<Row, 'id' | 'completed_at' | 'completed_on'>[]> {
  const isSought = matcherOf(chosen.search)
  const yieldPoint = createYieldPoint()
  const endAfter = (after?: Key) =>
    completedBefore(after, stored(of))
      .select(['completed_at', 'id'])
      .orderBy('completed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(searchedAtOnce - 1)
      .executeTakeFirst()
  for await (const { after, end } of stretchesByKey(endAfter, betweenStretches)) {
    const rest = completedBefore(after, storedMatching(of, chosen))
    const matches = inRange(rest, range).$if(end !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('completed_at', 'id'), '>=', eb.tuple(end?.completed_at ?? null, end?.id ?? '')),
      ),
    )
    const rows = await matches
      .select(['id', 'completed_at', 'completed_on'])
      .$if(chosen.search !== undefined, (query) => query.select(['title', 'note', 'tags']))
      .orderBy('completed_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const sought: typeof rows = []
    for (const row of rows) {
      // Searching long notes takes a while, so let other requests in between.
      await yieldPoint()
      const { title = '', note = '', tags = null } = row
      if (isSought({ title, note, tags })) sought.push(row)
    }
    yield sought
    // Each row was read twice: to find the end of the batch, and to search the row.
    countWalked(2 * searchedAtOnce)
  }
}

type Key = Pick<Row, 'completed_at' | 'id'>

/** The to-dos that were completed before the to-do with this key; without a key, all completed to-dos. */
function completedBefore<Selected>(
  key: Key | undefined,
  todos: SelectQueryBuilder<Tables, 'todos', Selected>,
) {
  return todos
    .where('completed_at', 'is not', null)
    .$if(key !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('completed_at', 'id'), '<', eb.tuple(key?.completed_at ?? null, key?.id ?? '')),
      ),
    )
}
