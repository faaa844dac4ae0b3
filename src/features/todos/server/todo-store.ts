import type { Transaction } from 'kysely'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChangeStamp } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { betweenStretches, countWalked } from '#platform/database/work.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import type { EditOf, NewOf } from '#platform/wire/synced-row.ts'
import type { TagsEdit } from '../tags.ts'
import type { CompletedTotals, Todo } from '../todo.ts'
import type { todoRow } from '../todo-row.ts'
import { countCompletedOccurrences } from './completed-occurrence-store.ts'
import {
  type DayAt,
  isRefused,
  moveOpen,
  type Refused,
  repeatingOf,
  settleByCompletion,
  withRule,
} from './repeating-todo-store.ts'
import { completedSubtasks, hiddenTodos, todosAlong } from './subtask-store.ts'
import { isTooLong, shortenPositions } from './todo-position-store.ts'
import { planAlarm } from './todo-reminder-store.ts'
import { todoRows } from './todo-rows.ts'
import { addTags, editTags, holdTagChanges } from './todo-tag-store.ts'

type Row = Tables['todos']

/** A completion is stored with the user's day on which it happened. */
type Completion = { completed: 0; day?: Day | undefined } | { completed: 1; day: Day }

type Addition = Completion & NewOf<typeof todoRow> & { at: Instant }

/**
 * `completedAt` is the instant of a completion; that of the change when left out. `day`: the person's day at `at`, which a change to
 * a to-do that repeats needs; `dayAt`: that at any other instant. `isSure`: the change says itself when it was made.
 */
type Change = (Completion | { completed?: undefined; day?: Day | undefined }) & {
  completedAt?: Instant
  isSure?: boolean
  dayAt?: DayAt | undefined
} & EditOf<typeof todoRow> & { tags?: TagsEdit | undefined } & ChangeStamp

/** Few enough that other requests hardly wait for one read, however long the titles are. */
const readAtOnce = 100

/** Newest first, without the deleted and the hidden ones, a hundred at a time. A todo that changes meanwhile is still included. */
export async function* listTodos(db: Database, user: string): AsyncGenerator<Todo[]> {
  const hidden = await hiddenTodos(db, user)
  for await (const rows of allRows(db, user)) {
    yield rows.filter(({ id }) => !hidden.has(id)).map(todoRows.toWire)
  }
}

async function* allRows(db: Database, user: string): AsyncGenerator<Row[]> {
  let rows = await newestRows(db.read, { user, limit: readAtOnce })
  for (;;) {
    yield rows
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

/** More than these are not looked up one by one. */
const mostLookedUp = 5_000

/** The open ones and those completed since a day, with all of their subtasks and parents, in the order of `listTodos`. */
export async function* listRecentTodos(db: Database, user: string, since: Day): AsyncGenerator<Todo[]> {
  // One statement, so that a todo that is completed or reopened meanwhile is still included.
  const recent = await recentKeys(db.read, { user, since, limit: mostLookedUp + 1 })
  const hidden = await hiddenTodos(db, user)
  const along = await todosAlong(db, user, since)
  const keys = [...recent, ...along].filter(({ id }) => !hidden.has(id))
  if (keys.length > mostLookedUp) {
    const belongs = new Set(along.map(({ id }) => id))
    for await (const rows of allRows(db, user)) {
      yield rows
        .filter(({ id }) => !hidden.has(id))
        .filter(({ id, completed_on }) => completed_on === null || completed_on >= since || belongs.has(id))
        .map(todoRows.toWire)
      await betweenStretches()
    }
    return
  }
  const newest = keys.toSorted(byCreation)
  for (const batch of inBatches(newest)) {
    const rows = await db.read
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', user)
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .where('deleted_at', 'is', null)
      .execute()
    yield rows.toSorted(byCreation).map(todoRows.toWire)
  }
}

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
      // Wrapped, because those that repeat are few, and the completed ones are not.
      .unionAll(
        keys
          .where('repeat', 'is not', null)
          .where(({ eb, fn, val }) => eb(fn.coalesce('completed_on', val('9999')), '<', param('since'))),
      )
      .limit(param('limit'))
  )
})

/** Newest first. */
function byCreation(one: Pick<Row, 'created_at' | 'id'>, other: Pick<Row, 'created_at' | 'id'>): number {
  return other.created_at - one.created_at || (one.id < other.id ? 1 : -1)
}

/** How many todos are completed in all, and in each list that they stand in; of those that repeat each time. */
export async function completedTotals(db: Database, user: string): Promise<CompletedTotals> {
  const rows = await completedByList(db.read, { user })
  countWalked(rows.reduce((sum, { count }) => sum + count, 0))
  const counts = new Map(rows.map(({ list_id, count }) => [list_id, count]))
  const add = (list_id: string | null, count: number) =>
    counts.set(list_id, (counts.get(list_id) ?? 0) + count)
  for (const { list_id, parents_list, hidden, count } of await completedSubtasks(db, user)) {
    add(list_id, -count)
    if (!hidden) add(parents_list, count)
  }
  for (const { list_id, count } of await countCompletedOccurrences(db, user)) add(list_id, count)
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  const inLists = [...counts].filter(([list_id, count]) => list_id !== null && count > 0)
  return { total, by_list: Object.fromEntries(inLists) }
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

/** Adding the same id again changes nothing and returns the stored todo, or 'deleted' if it has been deleted since. */
export async function addTodo(
  db: Database,
  user: string,
  id: string,
  { at, day, tags = [], ...fields }: Addition,
): Promise<{ todo: Todo; created: boolean } | 'deleted' | TooManyRows> {
  return writeWithinLimits(db, user, [todoRows.collection], async (tx, adding) => {
    if (tags.length > 0) await holdTagChanges(tx, user)
    const completion = fields.completed ? { completed_at: instantToWire(at), completed_on: day } : {}
    const added = await todoRows.add(tx, adding, user, id, { ...fields, ...completion }, at)
    if (added === 'deleted') return added
    const { row, created } = added
    if (!created) return { todo: todoRows.toWire(row), created }
    const tagged = tags.length > 0 && (await addTags(tx, adding, row, tags))
    // As if it had been completed first.
    const ruled =
      row.repeat === null ? {} : await withRule(tx, adding, { row, was: row }, { at, today: dayNeeded(day) })
    const finished = { ...tagged, ...(await completionOfParent(tx, row)), ...ruled }
    const todo = await updateRow(tx, row, finished, at)
    if (row.remind_at !== null) await planAlarm(tx, todo, at)
    return { todo: todoRows.toWire(todo), created }
  })
}

/** Returns the todo as it is then, or undefined if there is none or it was deleted later. */
export async function changeTodo(
  db: Database,
  user: string,
  id: string,
  { at, revives, completed, day, dayAt, completedAt = at, isSure = true, tags, ...edit }: Change,
): Promise<Todo | TooManyRows | Refused | undefined> {
  return writeWithinLimits(db, user, [todoRows.collection], async (tx, adding) => {
    if (tags !== undefined) await holdTagChanges(tx, user)
    // Before its subtask, as whoever completes it does: the two must not pass each other by, nor wait for each other.
    const parent = edit.parent_id ?? (completed === 0 ? await parentNamedBy(tx, { user, id }) : null)
    if (edit.parent_id != null) await lockFamily(tx, user, id, edit.parent_id)
    else if (parent !== null) await todoRows.lock(tx, user, parent)
    const row = await todoRows.lock(tx, user, id)
    const changed = row && todoRows.changes(row, edit, { at, revives })
    if (!changed) return undefined
    const repeating = completed === undefined ? undefined : await repeatingOf(tx, row)
    if (repeating && completed !== undefined) {
      const when = { at, today: dayNeeded(day), isSure }
      const settled = await settleByCompletion(tx, adding, { row, repeating }, completed, when)
      if (isRefused(settled)) return settled
      const bumped = { updated_at: row.updated_at, ...changed, ...settled }
      return unlessDeleted(await updateRow(tx, row, bumped, at))
    }
    const moved =
      edit.due_day !== undefined && edit.repeat === undefined && isRepeating(row)
        ? await moveOpen(tx, adding, row, edit.due_day, { at, today: dayNeeded(day) })
        : {}
    if (isRefused(moved)) return moved
    const ruled =
      'repeat_at' in changed
        ? await withRule(
            tx,
            adding,
            { row: { ...row, ...changed }, was: row },
            { at, today: dayNeeded(day), dayAt },
          )
        : {}
    const completion =
      completed === undefined ? {} : completionChange(row, { completed, day, completedAt }, at)
    const tagged = tags && (await editTags(tx, adding, row, tags, at))
    const updated = await updateRow(tx, row, { ...changed, ...completion, ...tagged, ...moved, ...ruled }, at)
    if (completion.completed_changed_at !== undefined && updated.completed) {
      await completeSubtasks(tx, updated, { day, completedAt }, at)
    }
    if (parent === null) return unlessDeleted(updated)
    return unlessDeleted(await updateRow(tx, updated, await completionOfParent(tx, updated), at))
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
      // A move that was made before the deletion may have arrived after it.
      await shortened(tx, is)
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
  return shortened(tx, updated)
}

/** The row with a position that is not too long. */
async function shortened(tx: Transaction<Tables>, row: Row): Promise<Row> {
  if (!isTooLong(row)) return row
  const positions = await shortenPositions(tx, row.user_id, [row.id])
  return { ...row, position: positions.get(row.id) ?? row.position }
}

/** Completing a to-do completes those of its subtasks that were opened before, on the same day and at the same instant. */
async function completeSubtasks(
  tx: Transaction<Tables>,
  { user_id, id, parent_id }: Row,
  { day, completedAt }: { day: Day | undefined; completedAt: Instant },
  at: Instant,
): Promise<void> {
  if (parent_id !== null) return
  const yieldPoint = createYieldPoint()
  for (const subtask of await openSubtasks(tx, { user: user_id, id })) {
    await yieldPoint()
    const row = await todoRows.lock(tx, user_id, subtask.id)
    // One that was given to it later was not open in it then.
    if (!row || row.completed || row.parent_id !== id || row.parent_id_at > at) continue
    // The subtask itself is not changed by anybody: a deletion of it, or of its parent, that was made before stands.
    const change = completionChange(row, { completed: 1, day, completedAt }, at)
    await updateRow(tx, row, change, row.updated_at)
  }
}

const openSubtasks = compiledOnce<{ user: string; id: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select('id')
    .where('user_id', '=', param('user'))
    .where('parent_id', '=', param('id'))
    .where('completed', '=', 0)
    // Also deleted ones: they may have been deleted later, and restored.
    .orderBy('id'),
)

const parentOfTodo = compiledOnce<{ user: string; id: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select('parent_id')
    .where('user_id', '=', param('user'))
    .where('id', '=', param('id')),
)

/**
 * Locks a to-do and the one that becomes its parent: whichever is the parent of the other already comes first, as everywhere, or
 * else the one with the lower id. So two that are given to each other do not wait for each other.
 */
async function lockFamily(
  tx: Transaction<Tables>,
  user: string,
  id: string,
  parent_id: string,
): Promise<void> {
  const ids = [id, parent_id].toSorted()
  const rows = await tx
    .selectFrom('todos')
    .select(['id', 'parent_id'])
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .execute()
  const first = rows.find((row) => row.parent_id !== null && ids.includes(row.parent_id))?.parent_id
  for (const each of first === ids[1] ? ids.toReversed() : ids) await todoRows.lock(tx, user, each)
}

async function parentNamedBy(
  tx: Transaction<Tables>,
  todo: { user: string; id: string },
): Promise<string | null> {
  const [row] = await parentOfTodo(tx, todo)
  return row?.parent_id ?? null
}

/**
 * A subtask that was given to its parent, or reopened, before the parent was completed, but arrives later, is completed with it:
 * also while the parent is deleted, because it may be restored.
 */
async function completionOfParent(tx: Transaction<Tables>, row: Row): Promise<Partial<Row>> {
  if (row.parent_id === null || row.completed) return {}
  const parent = await todoRows.lock(tx, row.user_id, row.parent_id)
  if (!parent?.completed || parent.parent_id !== null) return {}
  const { completed, completed_on, completed_at, completed_changed_at } = parent
  if (completed_changed_at < Math.max(row.parent_id_at, row.completed_changed_at)) return {}
  return { completed, completed_on, completed_at, completed_changed_at }
}

function completionChange(
  row: Row,
  { completed, day, completedAt }: { completed: 0 | 1; day: Day | undefined; completedAt: Instant },
  at: Instant,
): Partial<Row> {
  if (at < row.completed_changed_at || wasRepeating(row, at)) return {}
  // Completing a completed todo keeps its instant and day, but counts as the last change.
  if (completed === row.completed) return { completed_changed_at: at }
  return {
    completed,
    completed_on: completed ? day : null,
    completed_at: completed ? completedAt : null,
    completed_changed_at: at,
  }
}

function isRepeating({ repeat, parent_id }: Row): boolean {
  return repeat !== null && parent_id === null
}

/** Whether the repeat was taken away later: then one of its occurrences was completed. */
function wasRepeating({ repeat, repeat_at, created_at }: Row, at: Instant): boolean {
  return repeat === null && repeat_at > created_at && at < repeat_at
}

function dayNeeded(day: Day | undefined): Day {
  if (day === undefined) throw new Error('A change of a to-do that repeats needs the day of its person')
  return day
}

function unlessDeleted(row: Row): Todo | undefined {
  return row.deleted_at === null ? todoRows.toWire(row) : undefined
}
