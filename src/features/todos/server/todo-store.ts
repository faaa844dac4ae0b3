import type { Transaction } from 'kysely'
import { type Day, daysFrom, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChangeStamp } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countWalked } from '#platform/database/work.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import type { EditOf, NewOf } from '#platform/wire/synced-row.ts'
import type { CompletedTodos, Todo } from '../todo.ts'
import type { todoRow } from '../todo-row.ts'
import { planAlarm } from './todo-reminder-store.ts'
import { todoRows } from './todo-rows.ts'

type Row = Tables['todos']

/** A completion is stored with the user's day on which it happened. */
type Completion = { completed: 0; day?: Day | undefined } | { completed: 1; day: Day }

type Addition = Completion & NewOf<typeof todoRow> & { at: Instant }

type Change = (Completion | { completed?: undefined; day?: Day | undefined }) &
  EditOf<typeof todoRow> &
  ChangeStamp

/** Few enough that other requests hardly wait for one read, however long the titles are. */
const readAtOnce = 100
/** How many completed todos one response lists. */
const pageLength = 50

/** Newest first, without the deleted ones, a hundred at a time. A todo that changes meanwhile is still included. */
export async function* listTodos(db: Database, user: string): AsyncGenerator<Todo[]> {
  let rows = await newestRows(db.read, { user, limit: readAtOnce })
  for (;;) {
    yield rows.map(todoRows.toWire)
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) return
    const { created_at, id } = last
    rows = await rowsAfter(db.read, { user, created_at, id, limit: readAtOnce })
  }
}

/** The first rows of the list, newest first. */
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

/** The rows that follow the one with this instant and id, neither of which ever changes. */
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

/**
 * How many todos were completed on each day of a range, zeros included, and the 50 that were completed last, or last before the
 * todo `before`. Undefined if that todo does not exist, is deleted or is open.
 */
export async function completedTodos(
  db: Database,
  user: string,
  range: DayRange,
  before?: string,
): Promise<CompletedTodos | undefined> {
  const stored = db.read.selectFrom('todos').where('user_id', '=', user).where('deleted_at', 'is', null)
  const last =
    before === undefined
      ? undefined
      : await stored.select('completed_at').where('id', '=', before).executeTakeFirst()
  const lastAt = last?.completed_at ?? null
  if (before !== undefined && lastAt === null) return undefined

  // A change between two of the statements gives the user a new revision, so that the client requests this again.
  const yieldPoint = createYieldPoint()
  const counted = await stored
    .where('completed_on', '>=', range.from)
    .where('completed_on', '<=', range.to)
    .select(({ fn }) => ['completed_on', fn.countAll<number>().as('count')])
    .groupBy('completed_on')
    .execute()
  const counts = new Map(counted.map(({ completed_on, count }) => [completed_on, count]))
  const days = daysFrom(range.from, range.to).map((day) => ({ day, count: counts.get(day) ?? 0 }))
  const count = days.reduce((sum, each) => sum + each.count, 0)
  countWalked(count)
  if (count === 0) return { count, days, todos: [] }
  await yieldPoint()

  const completed = stored
    .where('completed_at', 'is not', null)
    .$if(before !== undefined, (query) =>
      query
        .where('completed_at', '<=', lastAt)
        .where(({ eb, or }) => or([eb('completed_at', '<', lastAt), eb('id', '<', before ?? '')])),
    )
  // Wrapping the column keeps the query planner from going by day, which would have to sort the whole range. In the other index
  // the newest come first, and are walked until there are enough.
  const newest = await completed
    .selectAll()
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '>=', range.from))
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '<=', range.to))
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageLength)
    .execute()
  await yieldPoint()
  const end = newest[pageLength - 1]
  const { walked } = await completed
    .select(({ fn }) => fn.countAll<number>().as('walked'))
    .$if(end !== undefined, (query) => query.where('completed_at', '>=', end?.completed_at ?? null))
    .executeTakeFirstOrThrow()
  countWalked(walked)
  return {
    count,
    days,
    todos: newest.flatMap((row) =>
      row.completed_on === null ? [] : [{ ...todoRows.toWire(row), completed_on: row.completed_on }],
    ),
  }
}

/** Adding the same id again changes nothing and returns the stored todo, or 'deleted' if it has been deleted since. */
export async function addTodo(
  db: Database,
  user: string,
  id: string,
  { at, day, ...fields }: Addition,
): Promise<{ todo: Todo; created: boolean } | 'deleted' | TooManyRows> {
  return writeWithinLimits(db, user, [todoRows.collection], async (tx, adding) => {
    const completion = fields.completed ? { completed_at: instantToWire(at), completed_on: day } : {}
    const added = await todoRows.add(tx, adding, user, id, { ...fields, ...completion }, at)
    if (added === 'deleted') return added
    const { row, created } = added
    if (created && row.remind_at !== null) await planAlarm(tx, row, at)
    return { todo: todoRows.toWire(row), created }
  })
}

/** Returns the todo as it is then, or undefined if there is none or it was deleted later. */
export async function changeTodo(
  db: Database,
  user: string,
  id: string,
  { at, revives, completed, day, ...edit }: Change,
): Promise<Todo | undefined> {
  return db.writeFor(user, [todoRows.collection], async (tx) => {
    const row = await todoRows.lock(tx, user, id)
    const changed = row && todoRows.changes(row, edit, { at, revives })
    if (!changed) return undefined
    const completion = completed === undefined ? {} : completionChange(row, completed, day, at)
    return unlessDeleted(await updateRow(tx, row, { ...changed, ...completion }, at))
  })
}

/**
 * Reminds of the todo at an instant, unless it is completed or has a later reminder, which was set since. Returns the todo as
 * it is then, or undefined if it does not exist or is deleted.
 */
export async function snoozeTodo(
  db: Database,
  user: string,
  id: string,
  { at, now }: { at: Instant; now: Instant },
): Promise<Todo | undefined> {
  return db.writeFor(user, ['todos'], async (tx) => {
    const row = await todoRows.lock(tx, user, id)
    if (row === undefined || row.deleted_at !== null) return undefined
    if (row.completed || (row.remind_at !== null && row.remind_at > at)) return todoRows.toWire(row)
    return todoRows.toWire(await updateRow(tx, row, { remind_at: at, remind_changed_at: now }, now))
  })
}

/** Returns false if there is no such todo or it is already deleted. A deletion older than another change is ignored, but returns true. */
export function deleteTodo(db: Database, user: string, id: string, at: Instant): Promise<boolean> {
  return todoRows.remove(db, user, id, at, replanning(at))
}

/** Returns the todo, or undefined if there is none or it was deleted later than `at`. */
export async function restoreTodo(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<Todo | undefined> {
  const row = await todoRows.restore(db, user, id, at, replanning(at))
  return row && todoRows.toWire(row)
}

/** Sets the alarms of todos that were added another way, as of now. */
export async function planAlarms(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  const yieldPoint = createYieldPoint()
  for (const id of ids) {
    await yieldPoint()
    const row = await todoRows.lock(tx, user, id)
    if (row?.remind_at != null) await planAlarm(tx, row, now)
  }
}

function replanning(at: Instant) {
  return {
    async after(tx: Transaction<Tables>, is: Row, was: Row) {
      if (is !== was && is.remind_at !== null) await planAlarm(tx, is, at)
    },
  }
}

async function updateRow(
  tx: Transaction<Tables>,
  row: Row,
  changed: Partial<Row>,
  at: Instant,
): Promise<Row> {
  const updated = await todoRows.update(tx, row, changed, at)
  // A todo that neither had a reminder nor has one now has no alarm.
  const reminds = row.remind_at !== null || updated.remind_at !== null
  const decides = ['completed', 'remind_at', 'deleted_at'].some((field) => field in changed)
  if (reminds && decides) await planAlarm(tx, updated, at)
  return updated
}

function completionChange(row: Row, completed: 0 | 1, day: Day | undefined, at: Instant): Partial<Row> {
  if (at < row.completed_changed_at) return {}
  // Completing a completed todo keeps its instant and day, but counts as the last change.
  if (completed === row.completed) return { completed_changed_at: at }
  return {
    completed,
    completed_on: completed ? day : null,
    completed_at: completed ? at : null,
    completed_changed_at: at,
  }
}

function unlessDeleted(row: Row): Todo | undefined {
  return row.deleted_at === null ? todoRows.toWire(row) : undefined
}
