import type { Kysely } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { isAmong, listOf } from '#platform/database/among.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches, countWalked } from '#platform/database/pacing/work.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countCompletedOccurrences } from '../completed/server/completed-occurrence-store.ts'
import {
  completedSubtasks,
  type firstParents,
  hiddenTodos,
  todosAlong,
} from '../todo/server/subtask-store.ts'
import { todoRows } from '../todo/server/todo-rows.ts'
import type { CompletedTotals, Todo } from '../todo/todo.ts'

type Row = Tables['todos']

/** To-dos per read: few enough that other requests hardly wait, however long the titles are. */
const readAtOnce = 100

/**
 * The to-dos that are neither deleted nor hidden with a deleted parent, newest first, a hundred at a time. A to-do that changes
 * meanwhile is still included.
 */
export async function* listTodos(
  db: Database,
  user: string,
  known?: ReadonlySet<string>,
): AsyncGenerator<Todo[]> {
  const hidden = known ?? (await hiddenTodos(db.read, user))
  for await (const rows of allRows(db, user)) {
    yield rows.filter(({ id }) => !hidden.has(id)).map(todoRows.toWire)
  }
}

function allRows(db: Database, user: string): AsyncGenerator<Row[]> {
  return pagesByKey(readAtOnce, (last?: Pick<Row, 'created_at' | 'id'>) =>
    last
      ? rowsAfter(db.read, { user, created_at: last.created_at, id: last.id, limit: readAtOnce })
      : newestRows(db.read, { user, limit: readAtOnce }),
  )
}

/** The first rows, newest first. */
const newestRows = compiledOnce<{ user: string; limit: number }>()((db, param) =>
  db
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
)

/** The rows that follow the row with this creation instant and id, neither of which ever changes. */
const rowsAfter = compiledOnce<{ user: string; created_at: Instant; id: string; limit: number }>()(
  (db, param) =>
    db
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', param('user'))
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(param('created_at'), param('id'))))
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit')),
)

/** The most to-dos that are looked up by id. If there are more, all rows are read and filtered instead. */
const mostLookedUp = 5_000

/** Which to-dos are open or were completed since a day, which belong to them, and which are hidden. */
export async function findRecentTodos(
  db: Database,
  user: string,
  since: Day,
  known?: {
    parents: Awaited<ReturnType<typeof firstParents>>
    recent: Awaited<ReturnType<typeof recentTodos>>
  },
) {
  // One after the other, since each may walk through many pages: a request keeps to one connection.
  const recent = known?.recent ?? (await recentTodos(db.read, user, since))
  const hidden = await hiddenTodos(db.read, user, known?.parents)
  const along = await todosAlong(db.read, user, since, known?.parents)
  return { recent, hidden, along }
}

/** One statement, so that a to-do that is completed or reopened meanwhile is still included. */
export function recentTodos(read: Kysely<Tables>, user: string, since: Day) {
  return recentKeys(read, { user, since, limit: mostLookedUp + 1 })
}

/** The open to-dos and those completed since a day, with all of their subtasks and parents, in the order of `listTodos`. */
export async function* listRecentTodos(
  db: Database,
  user: string,
  since: Day,
  known?: Awaited<ReturnType<typeof findRecentTodos>>,
): AsyncGenerator<Todo[]> {
  const { recent, hidden, along } = known ?? (await findRecentTodos(db, user, since))
  // A subtask that repeats by a rule of its own can be in both.
  const recentIds = new Set(along.length === 0 ? [] : recent.map(({ id }) => id))
  const keys = [...recent, ...along.filter(({ id }) => !recentIds.has(id))].filter(
    ({ id }) => !hidden.has(id),
  )
  if (keys.length > mostLookedUp) {
    const belongs = new Set(along.map(({ id }) => id))
    for await (const rows of allRows(db, user)) {
      yield rows
        .filter((row) => !hidden.has(row.id) && (isRecent(row, since) || belongs.has(row.id)))
        .map(todoRows.toWire)
      await betweenStretches()
    }
    return
  }
  const newest = keys.toSorted(byCreation)
  for (let next = 0; next < newest.length; next += readAtOnce) {
    const ids = newest.slice(next, next + readAtOnce).map(({ id }) => id)
    const rows = await liveRowsAmong(db.read, { user, ids: listOf(db.read, ids) })
    yield rows.toSorted(byCreation).map(todoRows.toWire)
  }
}

const liveRowsAmong = compiledOnce<{ user: string; ids: ReturnType<typeof listOf> }>()((db, param) =>
  db
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where(isAmong(db, 'id', param('ids')))
    .where('deleted_at', 'is', null),
)

const recentKeys = compiledOnce<{ user: string; since: Day; limit: number }>()((db, param) => {
  const keys = db
    .selectFrom('todos')
    .select(['id', 'created_at'])
    .where('user_id', '=', param('user'))
    .where('deleted_at', 'is', null)
  return (
    keys
      .where('completed_at', 'is', null)
      .unionAll(keys.where('completed_on', '>=', param('since')))
      // Wrapped in `coalesce`, so that the planner starts from the few repeating to-dos and not from the many completed ones.
      .unionAll(
        keys
          .where('repeat', 'is not', null)
          .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('9999')), '<', param('since'))),
      )
      .limit(param('limit'))
  )
})

/** Whether `recentTodos` finds the to-do. */
export function isRecent(
  { completed_on, repeat }: Pick<Row, 'completed_on' | 'repeat'>,
  since: Day,
): boolean {
  return completed_on === null || completed_on >= since || repeat !== null
}

/** Sorts newest first. */
export function byCreation(
  one: Pick<Row, 'created_at' | 'id'>,
  other: Pick<Row, 'created_at' | 'id'>,
): number {
  return other.created_at - one.created_at || (one.id < other.id ? 1 : -1)
}

/** How many to-dos are completed, in total and per list. Each done occurrence of a repeating to-do counts. */
export async function completedTotals(
  db: Database,
  user: string,
  known?: {
    parents: Awaited<ReturnType<typeof firstParents>>
    counts: Awaited<ReturnType<typeof completedCounts>>
  },
): Promise<CompletedTotals> {
  const [rows, ofOccurrences] = known?.counts ?? (await completedCounts(db.read, user))
  const ofSubtasks = await completedSubtasks(db.read, user, known?.parents)
  countWalked(rows.reduce((sum, { count }) => sum + count, 0))
  const counts = new Map(rows.map(({ list_id, count }) => [list_id, count]))
  const add = (list_id: string | null, count: number) =>
    counts.set(list_id, (counts.get(list_id) ?? 0) + count)
  for (const { list_id, parents_list, hidden, count } of ofSubtasks) {
    add(list_id, -count)
    if (!hidden) add(parents_list, count)
  }
  for (const { list_id, count } of ofOccurrences) add(list_id, count)
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  const inLists = [...counts].filter(([list_id, count]) => list_id !== null && count > 0)
  return { total, by_list: Object.fromEntries(inLists) }
}

/** How many to-dos and occurrences are completed, by list, as if there were no subtasks. */
export function completedCounts(read: Kysely<Tables>, user: string) {
  return Promise.all([completedByList(read, { user }), countCompletedOccurrences(read, user)])
}

const completedByList = compiledOnce<{ user: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select(({ fn }) => ['list_id', fn.countAll<number>().as('count')])
    .where('user_id', '=', param('user'))
    .where('deleted_at', 'is', null)
    .where('completed_at', 'is not', null)
    .groupBy('list_id'),
)
