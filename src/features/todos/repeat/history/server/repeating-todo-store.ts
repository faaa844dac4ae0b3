import type { Transaction } from 'kysely'
import type { Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import { type RepeatRule, ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { seriesFrom } from '#features/todos/repeat/rule/series.ts'
import { planAlarm } from '#features/todos/todo/server/todo-alarm-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { countWalked } from '#platform/database/pacing/work.ts'
import { rowsChanged } from '#platform/database/revisions/changed-rows.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { ChangeStamp } from '#platform/database/rows/deletion.ts'
import { type Adding, writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { shortDay } from '#platform/format/short-day.ts'
import {
  dueAt,
  dueForCompletion,
  isDoneOn,
  lastSettled,
  moveDay,
  movedBefore,
  movedPastAt,
  noSum,
  settleDay,
  sumUp,
} from './occurrence-store.ts'

// How changes to a repeating to-do affect its occurrences. Also serves clients that know only `completed` and `due_day`.

type Row = Tables['todos']

/** Why a change is refused. `problem` is shown to the person. */
export type Refused = InvalidField | NotDueYet

interface InvalidField {
  field: string
  problem: string
}

/** The occurrence to be completed is not due yet. */
interface NotDueYet {
  code: 'NOT_DUE_YET'
  problem: string
}

export function isRefused<Other>(result: Other | Refused): result is Refused {
  return typeof result === 'object' && result !== null && 'problem' in result
}

const unreadable: InvalidField = {
  field: 'completed',
  problem:
    'This task repeats in a way that this version of Daymark does not know, so it cannot be completed here.',
}

/** The row with the rule that applies to a to-do: its own, or its parent's. Undefined if the to-do does not repeat. */
export async function repeatingOf(tx: Transaction<Tables>, row: Row): Promise<Row | undefined> {
  if (row.parent_id === null) return row.repeat === null ? undefined : row
  const parent = await tx
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.parent_id)
    .where('parent_id', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const repeating = parent ?? row
  return repeating.repeat === null ? undefined : repeating
}

/** Returns the person's day at an instant. */
export type DayAt = (at: Instant) => Day

/** When a change was made, and on which day of the person. */
interface When {
  at: Instant
  today: Day
  /** Whether the request says when the change was made. Only then may it settle an occurrence that is not due yet. */
  isSure: boolean
}

/**
 * Completes or reopens a repeating to-do or its subtask: settles the occurrence that was open on that day, or reopens the one
 * settled last. Returns the other columns of the row that change.
 */
export async function settleByCompletion(
  tx: Transaction<Tables>,
  adding: Adding,
  { row, repeating }: { row: Row; repeating: Row },
  completed: 0 | 1,
  { at, today, isSure }: When,
): Promise<Partial<Row> | Refused> {
  const rule = storedRule(repeating)
  if (!rule) return unreadable
  if (row.id !== repeating.id) {
    const { open } = await dueAt(tx, repeating, rule, { at, today })
    const done = { state: 'done', done_on: today } as const
    if (open) await settleDay(tx, adding, row, open.day, completed ? done : reopened, at)
    return {}
  }
  const day = completed
    ? await dayToComplete(tx, row, rule, { at, today, isSure })
    : await lastSettled(tx, row, { at, day: today })
  if (day === undefined || isRefused(day)) return day ?? {}
  await settleDay(tx, adding, row, day, completed ? { state: 'done', done_on: today } : reopened, at)
  return sumUp(tx, row, rule, { day, today })
}

const reopened = { state: 'open', done_on: null } as const

/** The occurrence to complete. Undefined if there is none: the series has ended, or this is a retry of the same completion. */
async function dayToComplete(
  tx: Transaction<Tables>,
  row: Row,
  rule: RepeatRule,
  { at, today, isSure }: When,
): Promise<Day | NotDueYet | undefined> {
  const { open } = await dueForCompletion(tx, row, rule, { at, today })
  if (!open || isSure || open.due <= today) return open?.day
  if (await isDoneOn(tx, row, today)) return undefined
  return { code: 'NOT_DUE_YET', problem: `Due on ${shortDay(open.due, today)}. Skip or move it first` }
}

/** The day on which the occurrence that was open at `when.at` was due. */
export async function openDue(
  tx: Transaction<Tables>,
  row: Row,
  when: { at: Instant; today: Day },
): Promise<Day | undefined> {
  const rule = storedRule(row)
  return rule && (await dueAt(tx, row, rule, when)).open?.due
}

/**
 * Moves an occurrence to a new due day: the occurrence that the change names, or else the one that was open when the change was
 * made. null moves it back to its own day. Returns the other columns of the row that change.
 */
export async function moveByDueDay(
  tx: Transaction<Tables>,
  adding: Adding,
  row: Row,
  { due_day, occurrence }: { due_day: Day | null; occurrence?: Day | undefined },
  when: { at: Instant; today: Day },
): Promise<Partial<Row> | Refused> {
  return occurrence === undefined
    ? moveOpen(tx, adding, row, due_day, when)
    : moveNamed(tx, adding, row, { day: occurrence, due_day }, when)
}

async function moveNamed(
  tx: Transaction<Tables>,
  adding: Adding,
  row: Row,
  { day, due_day }: { day: Day; due_day: Day | null },
  { at, today }: { at: Instant; today: Day },
): Promise<Partial<Row> | Refused> {
  if (row.repeat === null && row.repeat_at <= row.created_at) return {}
  const rule = storedRule(row)
  // Do not check a move that was made before the current rule: the former rule allowed it. The result must not depend on whether
  // the move or the new rule arrives first.
  if (rule && due_day !== null && at >= row.repeat_at) {
    const next = await movedPastAt(tx, row, rule, { day, moved_to: due_day, at })
    if (next !== undefined) return tooLate(next, today)
  }
  await moveDay(tx, adding, row, day, due_day === day ? null : due_day, at)
  return rule ? sumUp(tx, row, rule, { day, today }) : {}
}

async function moveOpen(
  tx: Transaction<Tables>,
  adding: Adding,
  row: Row,
  due_day: Day | null,
  { at, today }: { at: Instant; today: Day },
): Promise<Partial<Row> | Refused> {
  const rule = storedRule(row)
  // Ignore a due day that was set before the rule: it is not about an occurrence of this rule.
  if (!rule || at < row.repeat_at) return {}
  const { open, next } = await dueAt(tx, row, rule, { at, today })
  const before = await movedBefore(tx, row, due_day, at)
  const day = before ?? open?.day
  if (day === undefined) return {}
  const isTooLate = rule.mode === 'due' && due_day !== null && next !== undefined && due_day >= next
  if (before === undefined && isTooLate) return tooLate(next, today)
  await moveDay(tx, adding, row, day, due_day === day ? null : due_day, at)
  return sumUp(tx, row, rule, { day, today })
}

function tooLate(next: Day, today: Day): Refused {
  return {
    field: 'due_day',
    problem: `This task comes back on ${shortDay(next, today)} anyway. Choose an earlier day, or skip this time.`,
  }
}

/**
 * The columns that change when a to-do gets another rule, or none. If the to-do is completed, the completion becomes that of the
 * occurrence that was open then, whether the rule or the completion arrives first. A subtask stays completed, because its own
 * rule has no effect.
 */
export async function withRule(
  tx: Transaction<Tables>,
  adding: Adding,
  { row, was }: { row: Row; was: Row },
  { at, today, dayAt = () => today }: { at: Instant; today: Day; dayAt?: DayAt | undefined },
): Promise<Partial<Row>> {
  const rule = storedRule(row)
  if (row.repeat === null) {
    const former = storedRule(was)
    if (!former) return noSum
    const { open } = await dueAt(tx, was, former, { at, today })
    // Keep a due day that was sent along with the change, or set later.
    return { ...noSum, ...(row.due_day_at < at && open && { due_day: open.due, due_day_at: at }) }
  }
  if (!rule) return noSum
  const { completed, completed_on, completed_changed_at, due_day, due_day_at } = row
  const reopens = completed === 1 && (await hasOwnRule(tx, row, at))
  if (reopens && completed_on !== null) {
    const then = { at: completed_changed_at, today: completed_on }
    const { open } = await dueAt(tx, row, rule, then)
    if (open) await settleDay(tx, adding, row, open.day, { state: 'done', done_on: completed_on }, then.at)
  }
  if (due_day !== null && due_day_at > at) {
    await moveOpen(tx, adding, row, due_day, { at: due_day_at, today: dayAt(due_day_at) })
  }
  return {
    ...(reopens && { completed: 0, completed_on: null, completed_at: null }),
    ...(await sumUp(tx, row, rule, { day: undefined, today })),
  }
}

/** Whether the to-do repeated by its own rule at an instant: it has no parent, or got one only later. */
async function hasOwnRule(tx: Transaction<Tables>, row: Row, at: Instant): Promise<boolean> {
  if (row.parent_id_at > at) return true
  return (await repeatingOf(tx, row))?.id === row.id
}

/** The to-do's repeat rule. Undefined if it has none, or if a newer version wrote a rule that this version cannot read. */
export function storedRule(row: Row): RepeatRule | undefined {
  const { repeat } = todoRows.toWire(row)
  return repeat === null ? undefined : ruleOf(repeat)
}

interface SetOccurrence extends ChangeStamp {
  state: Occurrence['state']
  done_on?: Day | undefined
  /** The person's day at `at`. */
  today: Day
}

/** Settles or reopens one occurrence. Undefined if the to-do does not exist or was deleted later. */
export async function setOccurrence(
  db: Database,
  user: string,
  id: string,
  day: Day,
  { state, done_on, today, ...stamp }: SetOccurrence,
): Promise<Todo | TooManyRows | Refused | undefined> {
  return writeWithinLimits(db, user, [todoRows.collection], async (tx, adding) => {
    rowsChanged(tx, todoRows.collection, [id])
    const row = await todoRows.lock(tx, user, id)
    const changed = row && todoRows.changes(row, {}, stamp)
    if (!changed) return undefined
    const repeating = await repeatingOf(tx, row)
    if (row.repeat === null && row.parent_id === null && row.repeat_at <= row.created_at) return neverRepeated
    const rule = repeating && storedRule(repeating)
    if (repeating && !rule) return { ...unreadable, field: 'state' }
    const settledOn = state === 'open' ? null : (done_on ?? (await settledNow(tx, row, day, state, today)))
    await settleDay(tx, adding, row, day, { state, done_on: settledOn }, stamp.at)
    const sum = rule && repeating?.id === row.id ? await sumUp(tx, row, rule, { day, today }) : {}
    const updated = await todoRows.update(
      tx,
      row,
      { updated_at: row.updated_at, ...changed, ...sum },
      stamp.at,
    )
    if (updated.reminder !== null) await planAlarm(tx, updated, stamp.at)
    return updated.deleted_at === null ? todoRows.toWire(updated) : undefined
  })
}

const neverRepeated: Refused = { field: 'state', problem: 'This task does not repeat.' }

/**
 * The day on which an occurrence counts as settled. A skipped occurrence counts on its due day if that is later than today, so
 * that the next occurrence comes after that day.
 */
async function settledNow(
  tx: Transaction<Tables>,
  { user_id, id }: Row,
  day: Day,
  state: 'done' | 'skipped',
  today: Day,
): Promise<Day> {
  if (state === 'done') return today
  const stored = await tx
    .selectFrom('todo_days')
    .select('moved_to')
    .where('user_id', '=', user_id)
    .where('todo_id', '=', id)
    .where('day', '=', day)
    .executeTakeFirst()
  const due = stored?.moved_to ?? day
  return due > today ? due : today
}

/**
 * Every day of the series in a range and every stored occurrence, in order; undefined if there is no such to-do. In mode 'done',
 * only stored occurrences are known.
 */
export async function occurrencesIn(
  db: Database,
  user: string,
  id: string,
  { from, to }: DayRange,
): Promise<Occurrence[] | undefined> {
  const row = await db.read
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const rows = await db.read
    .selectFrom('todo_days')
    .select(['day', 'state', 'done_on', 'moved_to'])
    .where('user_id', '=', user)
    .where('todo_id', '=', id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  countWalked(rows.length)
  const days = new Map<Day, Occurrence>(rows.map((each) => [each.day, each]))
  const rule = storedRule(row)
  if (rule?.mode === 'due') {
    for (const day of seriesFrom(rule, from)) {
      if (day > to) break
      if (!days.has(day)) days.set(day, { day, ...reopened, moved_to: null })
    }
  }
  return [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1))
}
