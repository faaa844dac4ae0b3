import type { Transaction } from 'kysely'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { anyRowChanged, rowsChanged } from '#platform/database/revisions/changed-rows.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { ChangeStamp } from '#platform/database/rows/deletion.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import { writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { EditOf, NewOf } from '#platform/wire/synced-row.ts'
import { remindAgain } from '../dates/server/todo-reminder-store.ts'
import {
  type DayAt,
  isRefused,
  moveByDueDay,
  openDue,
  type Refused,
  repeatingOf,
  settleByCompletion,
  withRule,
} from '../repeat/history/server/repeating-todo-store.ts'
import { addTags, editTags, holdTagChanges } from '../tags/server/todo-tag-store.ts'
import { hasReminder, planAlarm } from '../todo/server/todo-alarm-store.ts'
import { shortened } from '../todo/server/todo-position-store.ts'
import { todoRows } from '../todo/server/todo-rows.ts'
import type { Todo } from '../todo/todo.ts'
import { reminderOfInstant, reminderToStore } from '../todo/todo-reminder.ts'
import type { TagsEdit } from '../todo/todo-requests.ts'
import type { todoRow } from '../todo/todo-row.ts'

type Row = Tables['todos']

/** A completion is stored with the user's day on which it happened. */
type Completion = { completed: 0; day?: Day | undefined } | { completed: 1; day: Day }

/** `zone`: the person's zone, needed for a reminder at an instant. */
type Addition = Completion & NewOf<typeof todoRow> & { at: Instant; zone?: string | undefined }

/**
 * `completedAt`: the instant of a completion; `at` when left out. `day`: the person's day at `at`, and `dayAt`: their day at any
 * other instant; a change to a repeating to-do needs both. `zone`: their zone, needed for a reminder at an instant. `isSure`:
 * whether the request says when the change was made. `occurrence`: the occurrence that a new due day moves; the open one when
 * left out.
 */
type Change = (Completion | { completed?: undefined; day?: Day | undefined }) & {
  completedAt?: Instant
  isSure?: boolean
  zone?: string | undefined
  dayAt?: DayAt | undefined
  occurrence?: Day | undefined
} & EditOf<typeof todoRow> & { tags?: TagsEdit | undefined } & ChangeStamp

/**
 * Adds a to-do. Adding the same id again changes nothing and returns the stored to-do, or 'deleted' if it has been deleted since.
 */
export async function addTodo(
  db: Database,
  user: string,
  id: string,
  { at, day, zone, tags = [], ...fields }: Addition,
): Promise<{ todo: Todo; created: boolean } | 'deleted' | TooManyRows> {
  return writeWithinLimits(db, user, [todoRows.collection], async (tx, adding) => {
    if (tags.length > 0) await holdTagChanges(tx, user)
    const completion = fields.completed ? { completed_at: instantToWire(at), completed_on: day } : {}
    const due = fields.due_day ?? null
    const reminder = reminderToStore(fields, due, {
      zone: zoneNeeded(fields, due, zone),
      rounded: fields.repeat != null,
    })
    const values = { ...fields, ...completion, ...reminder }
    const added = await todoRows.add(tx, adding, user, id, values, at)
    if (added === 'deleted') return added
    const { row, created } = added
    if (!created) return { todo: todoRows.toWire(row), created }
    const tagged = tags.length > 0 && (await addTags(tx, adding, row, tags))
    // If the new to-do is completed and repeats, treat it as completed first and given its rule afterwards.
    const ruled =
      row.repeat === null ? {} : await withRule(tx, adding, { row, was: row }, { at, today: dayNeeded(day) })
    const finished = { ...tagged, ...(await completionOfParent(tx, row)), ...ruled }
    const todo = await updateRow(tx, row, finished, at)
    if (hasReminder(row)) await planAlarm(tx, todo, at)
    return { todo: todoRows.toWire(todo), created }
  })
}

/** Changes a to-do and returns its new state; undefined if it does not exist or was deleted later. */
export async function changeTodo(
  db: Database,
  user: string,
  id: string,
  {
    at,
    revives,
    completed,
    day,
    dayAt,
    completedAt = at,
    isSure = true,
    zone,
    tags,
    occurrence,
    ...sent
  }: Change,
): Promise<Todo | TooManyRows | Refused | undefined> {
  return writeWithinLimits(db, user, [todoRows.collection], async (tx, adding) => {
    rowsChanged(tx, todoRows.collection, [id])
    if (tags !== undefined) await holdTagChanges(tx, user)
    const { row, parent, below } = await lockForChange(
      tx,
      { user, id },
      { parent_id: sent.parent_id, completed },
    )
    const edit = row && { ...sent, ...(await reminderOf(tx, row, sent, { at, day, zone })) }
    const changed = row && edit && todoRows.changes(row, edit, { at, revives })
    if (!changed) return undefined
    if (row.parent_id !== null && 'parent_id' in changed) {
      // The former parent may have been listed because of this subtask.
      rowsChanged(tx, todoRows.collection, [row.parent_id])
    }
    await meetDeletionOfParent(tx, row, at)
    const repeating = completed === undefined ? undefined : await repeatingOf(tx, row)
    if (repeating && completed !== undefined) {
      const when = { at, today: dayNeeded(day), isSure }
      const settled = await settleByCompletion(tx, adding, { row, repeating }, completed, when)
      if (isRefused(settled)) return settled
      const bumped = { updated_at: row.updated_at, ...changed, ...settled }
      const updated = await updateRow(tx, row, bumped, at)
      await replanOccurrence(tx, updated, at)
      return unlessDeleted(updated)
    }
    const moved =
      edit.due_day !== undefined && edit.repeat === undefined && (occurrence ?? isRepeating(row))
        ? await moveByDueDay(
            tx,
            adding,
            row,
            { due_day: edit.due_day, occurrence },
            { at, today: dayNeeded(day) },
          )
        : {}
    if (isRefused(moved)) return moved
    if (edit.due_day !== undefined && isRepeating(row)) {
      await replanOccurrence(tx, { ...row, ...changed }, at)
    }
    const is = { ...row, ...changed }
    // A subtask that leaves its parent repeats by its own rule from then on.
    const leaves = 'parent_id_at' in changed && isRepeating(is)
    const ruled =
      'repeat_at' in changed || leaves
        ? await withRule(
            tx,
            adding,
            { row: is, was: row },
            { at: is.repeat_at, today: dayNeeded(day), dayAt },
          )
        : {}
    const completion =
      completed === undefined ? {} : completionChange(row, { completed, day, completedAt }, at)
    const tagged = tags && (await editTags(tx, adding, row, tags, at))
    const reminded = sent.repeat == null ? {} : reminderWithDue(is, zone)
    const values = { ...changed, ...completion, ...tagged, ...moved, ...ruled, ...reminded }
    const updated = await updateRow(tx, row, values, at)
    if (completion.completed_changed_at !== undefined && updated.completed) {
      await completeSubtasks(tx, updated, below, { day, completedAt }, at)
    }
    if (parent === null) return unlessDeleted(updated)
    return unlessDeleted(await updateRow(tx, updated, await completionOfParent(tx, updated), at))
  })
}

/**
 * Snoozes the to-do's reminder until `at`, unless the to-do is done or somebody has set a later reminder since. Returns when the
 * reminder comes. A reminder tied to the due day is kept, and comes once more for `day`, the day that the notification was about.
 */
export async function snoozeTodo(
  db: Database,
  user: string,
  id: string,
  { at, now, day, today }: { at: Instant; now: Instant; day?: Day | undefined; today: Day },
): Promise<Instant | 'done' | 'gone'> {
  return db.writeFor(user, ['todos'], async (tx) => {
    rowsChanged(tx, todoRows.collection, [])
    const row = await todoRows.lock(tx, user, id)
    if (row === undefined || row.deleted_at !== null) return 'gone'
    if (row.completed) return 'done'
    if (row.reminder !== null) return remindAgain(tx, row, day, { at, today })
    if (row.remind_at !== null && row.remind_at > at) return row.remind_at
    await updateRow(tx, row, { remind_at: at, remind_changed_at: now }, now)
    return at
  })
}

/** How long a deleted row surely exists before it is purged, in milliseconds, without the days that the log of changes reaches back. */
const surelyKept = 28 * 86_400_000

/**
 * Deletes a to-do, unless it was changed later than `at`. Returns false if there is no such to-do or it is already deleted, and
 * otherwise true.
 */
export function deleteTodo(
  db: Database,
  user: string,
  id: string,
  at: Instant,
  now: Instant = at,
): Promise<boolean> {
  const { before, after } = replanning(id, at)
  return todoRows.remove(db, user, id, at, {
    before,
    async after(tx, is, was) {
      // Once the row is purged, nobody can find out which other rows depended on it.
      if (is.deleted_at !== null && is.deleted_at < now - surelyKept) anyRowChanged(tx, todoRows.collection)
      await after(tx, is, was)
    },
  })
}

/** Returns the to-do; undefined if it does not exist or was deleted later than `at`. */
export async function restoreTodo(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<Todo | undefined> {
  const row = await todoRows.restore(db, user, id, at, replanning(id, at))
  return row && todoRows.toWire(row)
}

/** Sets the alarms of to-dos that `addTodo` did not add, such as imported ones, as if they had been changed now. */
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
    if (row && hasReminder(row)) await planAlarm(tx, row, now)
  }
}

function replanning(id: string, at: Instant) {
  return {
    async before(tx: Transaction<Tables>) {
      rowsChanged(tx, todoRows.collection, [id])
    },
    async after(tx: Transaction<Tables>, is: Row, was: Row) {
      if (is !== was && hasReminder(is)) await planAlarm(tx, is, at)
      // The position may be too long: a move made before the deletion may have arrived after it.
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
  // A to-do that neither had a reminder nor has one now has no alarm.
  const reminds = hasReminder(row) || hasReminder(updated)
  const dues = updated.reminder === null ? [] : decideDue
  const decides = ['completed', 'reminder', 'remind_at', 'deleted_at', ...dues]
  if (reminds && decides.some((field) => field in changed)) await planAlarm(tx, updated, at)
  return shortened(tx, updated)
}

/** The fields, besides occurrences, that decide when a to-do is due. */
const decideDue = ['due_day', 'repeat', 'parent_id']

/** Completes the subtasks that were open when their parent was completed, with the parent's day and instant. */
async function completeSubtasks(
  tx: Transaction<Tables>,
  { user_id, id, parent_id }: Row,
  subtasks: readonly Pick<Row, 'id'>[],
  { day, completedAt }: { day: Day | undefined; completedAt: Instant },
  at: Instant,
): Promise<void> {
  if (parent_id !== null) return
  const yieldPoint = createYieldPoint()
  for (const subtask of subtasks) {
    await yieldPoint()
    const row = await todoRows.lock(tx, user_id, subtask.id)
    // Skip a subtask that got this parent only after the completion.
    if (!row || row.completed || row.parent_id !== id || changedSince(row.parent_id_at, at)) continue
    // Keep `updated_at`: nobody changes the subtask itself, and an earlier deletion of it, or of its parent, must still win.
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
    // Includes deleted subtasks: the deletion may be later than the completion, and may be undone.
    .orderBy('id'),
)

/**
 * Locks a to-do for a change. `parent`: the locked parent whose completion the change may meet. `below`: the open subtasks of a
 * to-do that is to be completed.
 */
async function lockForChange(
  tx: Transaction<Tables>,
  todo: { user: string; id: string },
  { parent_id, completed }: { parent_id: string | null | undefined; completed: 0 | 1 | undefined },
): Promise<{ row: Row | undefined; parent: string | null; below: readonly Pick<Row, 'id'>[] }> {
  const { user, id } = todo
  const reopens = parent_id == null && completed === 0
  const [alone] = reopens ? await lockedUnlessSubtask(tx, todo) : []
  if (alone) return { row: alone, parent: null, below: [] }
  // Lock the parent before its subtask, as completing the parent does. Then neither write misses the other, and they cannot
  // deadlock.
  const parent = reopens ? await parentNamedBy(tx, todo) : (parent_id ?? null)
  if (parent !== null) await lockFamily(tx, user, id, parent)
  // Asked for together, to be sent together; the subtasks are still read after the lock.
  const [row, below] = await Promise.all([
    todoRows.lock(tx, user, id),
    completed === 1 ? openSubtasks(tx, todo) : [],
  ])
  return { row, parent, below }
}

/**
 * Locks and returns a to-do that has no parent. The parent is looked for in a row of its own: a condition on the locked row would
 * be checked again after waiting for the lock, and a to-do that got a parent meanwhile would be locked without being returned,
 * before its parent.
 */
const lockedUnlessSubtask = compiledOnce<{ user: string; id: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where('id', '=', param('id'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('todos as before')
          .select('before.id')
          .where('before.user_id', '=', param('user'))
          .where('before.id', '=', param('id'))
          .where('before.parent_id', 'is', null),
      ),
    )
    .forUpdate(),
)

const parentOfTodo = compiledOnce<{ user: string; id: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select('parent_id')
    .where('user_id', '=', param('user'))
    .where('id', '=', param('id')),
)

/**
 * Locks a to-do and its current or future parent. An existing parent is locked before its subtask, as everywhere; unrelated
 * to-dos are locked in the order of their ids. If each names the other as its parent, the older relation decides: a write that
 * began earlier knows only that relation, and two writes that lock in different orders would deadlock.
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
    .select('parent_id')
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .where('parent_id', 'in', ids)
    .orderBy('parent_id_at')
    .orderBy('id')
    .execute()
  const first = rows[0]?.parent_id
  for (const each of first === ids[1] ? ids.toReversed() : ids) await todoRows.lock(tx, user, each)
}

/**
 * Calls `changedSince` only for its check: it throws if the instant of the parent's deletion must not be trusted. That instant
 * decides whether the changed subtask is hidden or becomes a task of its own.
 */
async function meetDeletionOfParent(tx: Transaction<Tables>, row: Row, at: Instant): Promise<void> {
  if (row.parent_id === null) return
  const [parent] = await deletedParent(tx, { user: row.user_id, id: row.parent_id })
  if (parent) changedSince(parent.updated_at, at)
}

const deletedParent = compiledOnce<{ user: string; id: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select('updated_at')
    .where('user_id', '=', param('user'))
    .where('id', '=', param('id'))
    .where('deleted_at', 'is not', null),
)

async function parentNamedBy(
  tx: Transaction<Tables>,
  todo: { user: string; id: string },
): Promise<string | null> {
  const [row] = await parentOfTodo(tx, todo)
  return row?.parent_id ?? null
}

/**
 * Completes a subtask whose change arrives late: the subtask got its parent, or was reopened, before the parent was completed.
 * Also applies to a deleted parent, because it may be restored.
 */
async function completionOfParent(tx: Transaction<Tables>, row: Row): Promise<Partial<Row>> {
  if (row.parent_id === null || row.completed) return {}
  const parent = await todoRows.lock(tx, row.user_id, row.parent_id)
  if (!parent?.completed || parent.parent_id !== null) return {}
  const { completed, completed_on, completed_at, completed_changed_at } = parent
  if (!changedSince(completed_changed_at, Math.max(row.parent_id_at, row.completed_changed_at))) return {}
  return { completed, completed_on, completed_at, completed_changed_at }
}

function completionChange(
  row: Row,
  { completed, day, completedAt }: { completed: 0 | 1; day: Day | undefined; completedAt: Instant },
  at: Instant,
): Partial<Row> {
  if (changedSince(row.completed_changed_at, at) || wasRepeating(row, at)) {
    if (completed !== row.completed) keepAsItIs('completed')
    return {}
  }
  // Completing a completed to-do keeps its instant and day, but counts as the last change.
  if (completed === row.completed) return { completed_changed_at: at }
  return {
    completed,
    completed_on: completed ? day : null,
    completed_at: completed ? completedAt : null,
    completed_changed_at: at,
  }
}

/** Sets the alarm again after an occurrence was settled or moved, because a reminder tied to the due day depends on it. */
async function replanOccurrence(tx: Transaction<Tables>, row: Row, at: Instant): Promise<void> {
  if (row.reminder !== null) await planAlarm(tx, row, at)
}

/** The reminder fields to store for a change, given when the to-do is due. */
async function reminderOf(
  tx: Transaction<Tables>,
  row: Row,
  sent: EditOf<typeof todoRow>,
  { at, day, zone }: { at: Instant; day: Day | undefined; zone: string | undefined },
): Promise<Pick<EditOf<typeof todoRow>, 'reminder' | 'remind_at'>> {
  // A retry: the due day was edited since, so keep the reminder as stored.
  if (sent.remind_at != null && at === row.remind_changed_at && row.due_day_at > at) {
    const { reminder, remind_at } = todoRows.toWire(row)
    return { reminder, remind_at }
  }
  const rounded = sent.repeat === undefined ? isRepeating(row) : sent.repeat !== null
  let due = sent.due_day !== undefined && at >= row.due_day_at ? sent.due_day : row.due_day
  if (sent.remind_at != null && sent.due_day === undefined && isRepeating(row)) {
    due = (await openDue(tx, row, { at, today: dayNeeded(day) })) ?? null
  }
  return reminderToStore(sent, due, { zone: zoneNeeded(sent, due, zone), rounded })
}

/** A repeating to-do cannot keep a one-off reminder: it would fire for the first occurrence only. `remind_changed_at` stays. */
function reminderWithDue(row: Row, zone: string | undefined): Partial<Row> {
  const { reminder, remind_at, due_day } = row
  if (reminder !== null || remind_at === null || due_day === null || zone === undefined) return {}
  const withDue = reminderOfInstant(remind_at, due_day, { zone, rounded: true })
  return withDue ? { reminder: JSON.stringify(withDue), remind_at: null } : {}
}

function isRepeating({ repeat, parent_id }: Row): boolean {
  return repeat !== null && parent_id === null
}

/**
 * Whether the to-do still repeated at `at`, because its rule was removed later. A completion at `at` then completed only an
 * occurrence.
 */
function wasRepeating({ repeat, repeat_at, created_at }: Row, at: Instant): boolean {
  return repeat === null && repeat_at > created_at && changedSince(repeat_at, at)
}

function dayNeeded(day: Day | undefined): Day {
  if (day === undefined) throw new Error('A change of a to-do that repeats needs the day of its person')
  return day
}

/** The zone in which to read a reminder at an instant. Throws if it is missing although the to-do has a due day. */
function zoneNeeded(
  { remind_at }: Pick<EditOf<typeof todoRow>, 'remind_at'>,
  due: Day | null,
  zone: string | undefined,
): string {
  if (remind_at != null && due !== null && zone === undefined) {
    throw new Error('A reminder of what is due needs the zone of its person')
  }
  return zone ?? 'UTC'
}

function unlessDeleted(row: Row): Todo | undefined {
  return row.deleted_at === null ? todoRows.toWire(row) : undefined
}
