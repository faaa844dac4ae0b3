import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { isHidden, listStoodIn } from '#features/todos/todo/server/subtask-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countWalked } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { CompletedTodos } from '../completed-todos.ts'
import {
  type CompletedScope,
  type CompletedTasks,
  type Matching,
  matcherOf,
  type Place,
  pageLength,
  storedMatching,
} from './completed-filter.ts'

/** Literals instead of parameters, so that SQLite sees that the partial indexes of completed occurrences apply. */
const isDone = sql<boolean>`state = 'done'`
const wasDone = sql<boolean>`times_done > 0`

/**
 * The completed occurrences of repeating to-dos and of their subtasks. Reads all repeating to-dos, because there are few of them,
 * even if each has many completions.
 */
export async function completedOccurrences(
  of: CompletedScope,
  range: DayRange | 'all',
  { last, ...matching }: { last: Place | undefined } & Matching,
): Promise<CompletedTasks> {
  const todos = await todosWithOccurrences(of, matching)
  const counts = new Map<Day, number>()
  const newest: CompletedTodos['todos'] = []
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches([...todos.keys()])) {
    await yieldPoint()
    const onDays = await doneRows(of, batch, range)
      .select(({ fn }) => ['done_on', fn.countAll<number>().as('count')])
      .groupBy('done_on')
      .execute()
    for (const { done_on, count } of onDays) {
      if (done_on !== null) counts.set(done_on, (counts.get(done_on) ?? 0) + count)
    }
    const rows = await doneRows(of, batch, range)
      .$if(last !== undefined, (query) => query.where((eb) => isOlder(eb, last)))
      .select(['todo_id', 'day', 'done_on', 'changed_at'])
      .orderBy('changed_at', 'desc')
      .orderBy('todo_id', 'desc')
      .orderBy('day', 'desc')
      .limit(pageLength)
      .execute()
    for (const { todo_id, day, done_on, changed_at } of rows) {
      const todo = todos.get(todo_id)
      if (!todo || done_on === null) continue
      const completed = {
        completed: 1,
        completed_at: instantToWire(changed_at),
        completed_on: done_on,
      } as const
      newest.push({ ...todo, ...completed, day })
    }
  }
  const count = counts.values().reduce((sum, each) => sum + each, 0)
  // Each row was read twice: to count the occurrences, and to find the latest.
  countWalked(2 * count)
  return { count, newest, countOn: async () => counts }
}

/** When an occurrence was completed; undefined if it was not. */
export async function completedAtOf(
  { db, user }: CompletedScope,
  id: string,
  day: Day,
): Promise<Instant | undefined> {
  const row = await db.read
    .selectFrom('todo_days')
    .select('changed_at')
    .where('user_id', '=', user)
    .where('todo_id', '=', id)
    .where('day', '=', day)
    .where(isDone)
    .executeTakeFirst()
  return row?.changed_at
}

function isOlder(eb: ExpressionBuilder<Tables, 'todo_days'>, last: Place | undefined) {
  const { completed_at = 0, id = '', day = null } = last ?? {}
  const whole = eb(eb.refTuple('changed_at', 'todo_id'), '<', eb.tuple(completed_at, id))
  if (day === null) return whole
  return eb(eb.refTuple('changed_at', 'todo_id', 'day'), '<', eb.tuple(completed_at, id, day))
}

async function todosWithOccurrences(of: CompletedScope, matching: Matching) {
  const ids = await idsDone(of.db.read, { user: of.user })
  const isSought = matcherOf(matching.search)
  const todos = new Map<string, ReturnType<typeof todoRows.toWire>>()
  for (const batch of inBatches(ids)) {
    const rows = await storedMatching(of, matching)
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .selectAll()
      .execute()
    for (const row of rows) if (isSought(row)) todos.set(row.id, todoRows.toWire(row))
  }
  return todos
}

function doneRows({ db, user }: CompletedScope, ids: readonly string[], range: DayRange | 'all') {
  const done = db.read
    .selectFrom('todo_days')
    .where('user_id', '=', user)
    .where('todo_id', 'in', ids)
    .where(isDone)
  return range === 'all' ? done : done.where('done_on', '>=', range.from).where('done_on', '<=', range.to)
}

/** How many occurrences of each to-do are completed, with the to-do's list. */
export async function countCompletedOccurrences(
  read: Kysely<Tables>,
  user: string,
): Promise<{ list_id: string | null; count: number }[]> {
  const rows = await completedCounts(read, { user })
  countWalked(rows.length)
  return rows
}

const completedCounts = compiledOnce<{ user: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select([listStoodIn.as('list_id'), 'times_done as count'])
    .where('user_id', '=', param('user'))
    .where(wasDone)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.not(isHidden(eb))),
)

const idsDone = compiledOnce<{ user: string }>()((db, param) =>
  db.selectFrom('todos').select('id').where('user_id', '=', param('user')).where(wasDone),
)
