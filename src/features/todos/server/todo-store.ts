import type { Transaction } from 'kysely'
import { type Day, daysFrom, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { deletionOf, type Made, restorationOf, revivalOf, takesChange } from '#platform/database/deletion.ts'
import { lettingOthersIn } from '#platform/database/letting-others-in.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countWalked } from '#platform/database/work.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import type { CompletedTodos, Todo } from '../todo.ts'
import { planAlarm } from './todo-reminder-store.ts'
import { insertRow, lockRow, newestRows, type Row, rowsAfter, storeRow } from './todo-row-store.ts'

// How changes from several devices merge stands in `docs/merging.md`: each field, and being deleted, has the instant of
// its last change, and a change of that field with an earlier instant is let go.

/** What is completed is stored with the user's day on which it was. */
type Completion = { completed: 0; day?: Day | undefined } | { completed: 1; day: Day }

interface Due {
  due_day?: Day | null | undefined
  remind_at?: Instant | null | undefined
}

type Addition = Completion & Due & { title: string; at: Instant }

type Change = (Completion | { completed?: undefined; day?: Day | undefined }) &
  Due &
  Made & { title?: string | undefined }

/** Few enough that others hardly wait for one reading, however long the titles are. */
const readAtOnce = 100
/** Completed ones that are named in one answer. */
const pageLength = 50

/** Newest first, without the deleted ones, a hundred at a time. One that is changed meanwhile is there all the same. */
export async function* listTodos(db: Database, user: string): AsyncGenerator<Todo[]> {
  let rows = await newestRows(db.read, { user, limit: readAtOnce })
  for (;;) {
    yield rows.map(toTodo)
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) return
    const { created_at, id } = last
    rows = await rowsAfter(db.read, { user, created_at, id, limit: readAtOnce })
  }
}

/**
 * How many were completed on each day of a range, zeros included, and the 50 of them that were completed last, or last
 * before the todo `before`. Undefined when that one is not there, deleted or open.
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

  // What is changed between two of the statements gives the user another revision, so that what was answered is asked for
  // again.
  const letOthersIn = lettingOthersIn()
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
  await letOthersIn()

  const completed = stored
    .where('completed_at', 'is not', null)
    .$if(before !== undefined, (query) =>
      query
        .where('completed_at', '<=', lastAt)
        .where(({ eb, or }) => or([eb('completed_at', '<', lastAt), eb('id', '<', before ?? '')])),
    )
  // What is no bare column is no reason to go by day, where all of the range would have to be sorted: the newest stand
  // first in an index, and are walked along until there are enough.
  const newest = await completed
    .selectAll()
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '>=', range.from))
    .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('')), '<=', range.to))
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageLength)
    .execute()
  await letOthersIn()
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
      row.completed_on === null ? [] : [{ ...toTodo(row), completed_on: row.completed_on }],
    ),
  }
}

/** Adding an id again changes nothing and answers what is stored, or 'deleted' when it was deleted since. */
export async function addTodo(
  db: Database,
  user: string,
  id: string,
  { title, due_day = null, remind_at = null, at, ...completion }: Addition,
): Promise<{ todo: Todo; created: boolean } | 'deleted' | TooManyRows> {
  return writeWithinLimits(db, user, ['todos'], async (tx, adding) => {
    const added = await insertRow(tx, {
      user_id: user,
      id,
      title,
      completed: completion.completed,
      completed_on: completion.completed ? completion.day : null,
      completed_at: completion.completed ? at : null,
      due_day,
      remind_at,
      at,
    })
    if (added) {
      adding.rows('todos', 1)
      if (added.remind_at !== null) await planAlarm(tx, added, at)
      return { todo: toTodo(added), created: true }
    }

    const stored = await tx
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', user)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return stored.deleted_at === null ? { todo: toTodo(stored), created: false } : 'deleted'
  })
}

/** Answers the todo as it is then, or undefined when it is not there or was deleted later. */
export async function changeTodo(
  db: Database,
  user: string,
  id: string,
  { title, due_day, remind_at, at, revives, ...completion }: Change,
): Promise<Todo | undefined> {
  return db.writeFor(user, ['todos'], async (tx) => {
    const row = await lockRow(tx, user, id)
    if (row === undefined || !takesChange(row, { at, revives })) return undefined
    const changed = {
      ...revivalOf(row, { at }),
      ...(title === undefined ? {} : titleChange(row, title, at)),
      ...(completion.completed === undefined ? {} : completionChange(row, completion, at)),
      ...(due_day === undefined || at < row.due_day_at ? {} : { due_day, due_day_at: at }),
      ...(remind_at === undefined ? {} : reminderChange(row, remind_at, at)),
    }
    return ifThere(await updateRow(tx, row, changed, at))
  })
}

/**
 * Reminds of the todo at an instant, unless it is completed or has a reminder after that: that one was set since. Answers
 * the todo as it is then, or undefined when it is not there or deleted.
 */
export async function putOffTodo(
  db: Database,
  user: string,
  id: string,
  { at, now }: { at: Instant; now: Instant },
): Promise<Todo | undefined> {
  return db.writeFor(user, ['todos'], async (tx) => {
    const row = await lockRow(tx, user, id)
    if (row === undefined || row.deleted_at !== null) return undefined
    if (row.completed || (row.remind_at !== null && row.remind_at > at)) return toTodo(row)
    return toTodo(await updateRow(tx, row, { remind_at: at, remind_changed_at: now }, now))
  })
}

/** False when it is not there or already deleted. A deletion older than another change is let go, and answered with true. */
export async function deleteTodo(db: Database, user: string, id: string, at: Instant): Promise<boolean> {
  return db.writeFor(user, ['todos'], async (tx) => {
    const row = await lockRow(tx, user, id)
    if (row) await updateRow(tx, row, deletionOf(row, at), at)
    return row?.deleted_at === null
  })
}

/** Answers the todo, or undefined when it is not there or was deleted later than `at`. */
export async function restoreTodo(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<Todo | undefined> {
  return db.writeFor(user, ['todos'], async (tx) => {
    const row = await lockRow(tx, user, id)
    if (row === undefined) return undefined
    return ifThere(await updateRow(tx, row, restorationOf(row, at), at))
  })
}

/** Sets the alarms of todos that came in otherwise, as of now. */
export async function planAlarms(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  const letOthersIn = lettingOthersIn()
  for (const id of ids) {
    await letOthersIn()
    const row = await lockRow(tx, user, id)
    if (row?.remind_at != null) await planAlarm(tx, row, now)
  }
}

async function updateRow(
  tx: Transaction<Tables>,
  row: Row,
  changed: Partial<Row>,
  at: Instant,
): Promise<Row> {
  if (Object.keys(changed).length === 0) return row
  const values = { ...changed, updated_at: Math.max(row.updated_at, at) }
  const updated = { ...row, ...values }
  await storeRow(tx, updated, Object.keys(values))
  // One that neither had a reminder nor has one now has no alarm.
  const reminds = row.remind_at !== null || updated.remind_at !== null
  const decides = ['completed', 'remind_at', 'deleted_at'].some((field) => field in changed)
  if (reminds && decides) await planAlarm(tx, updated, at)
  return updated
}

function titleChange(row: Row, title: string, at: Instant): Partial<Row> {
  return at < row.title_at ? {} : { title, title_at: at }
}

function reminderChange(row: Row, remindAt: Instant | null, at: Instant): Partial<Row> {
  if (at < row.remind_changed_at) return {}
  // The same again sets no alarm, but is the last word on it.
  return { ...(remindAt !== row.remind_at && { remind_at: remindAt }), remind_changed_at: at }
}

function completionChange(row: Row, completion: Completion, at: Instant): Partial<Row> {
  if (at < row.completed_changed_at) return {}
  // Completing what is completed keeps its instant and day, but is the last word on it.
  if (completion.completed === row.completed) return { completed_changed_at: at }
  return {
    completed: completion.completed,
    completed_on: completion.completed ? completion.day : null,
    completed_at: completion.completed ? at : null,
    completed_changed_at: at,
  }
}

function ifThere(row: Row): Todo | undefined {
  return row.deleted_at === null ? toTodo(row) : undefined
}

function toTodo(row: Row): Todo {
  return {
    id: row.id,
    title: row.title,
    completed: row.completed,
    completed_at: row.completed_at === null ? null : instantToWire(row.completed_at),
    due_day: row.due_day,
    remind_at: row.remind_at === null ? null : instantToWire(row.remind_at),
    created_at: instantToWire(row.created_at),
    updated_at: instantToWire(row.updated_at),
  }
}
