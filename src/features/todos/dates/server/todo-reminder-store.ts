import type { Kysely, Transaction } from 'kysely'
import { longestDelay } from '#features/reminders/reminder/late-reminders.ts'
import { toSettledDay } from '#features/todos/repeat/history/server/occurrence-store.ts'
import { shownTodo, withOccurrences } from '#features/todos/repeat/history/server/shown-todo-store.ts'
import { isHidden, listStoodIn } from '#features/todos/todo/server/subtask-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { dueOf } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { type Alarm, alarmOf, setAlarm } from '#platform/alarms/alarm-store.ts'
import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { nextReminderOf, type RemindedOf, remindedDay, reminderOfDay } from '../next-todo-reminder.ts'

type Row = Tables['todos']

/** The outcome for a to-do's alarm: what to send now, if anything, and when the alarm is next due, if ever. */
interface SettledTodoAlarm {
  alarm: Alarm
  send?: { due_at: Instant; day: Day | null } | undefined
  next?: { due_at: Instant; day: Day; reminded_on: null } | undefined
  skipped: number
}

/**
 * Decides which reminders of to-dos to send now, and records them as delivered. Skips to-dos that somebody is changing right now,
 * because those writes may be waiting for the alarms that are locked here. `zones`: the time zone of each user.
 */
export async function settleTodoAlarms(
  tx: Transaction<Tables>,
  alarms: readonly Alarm[],
  zones: ReadonlyMap<string, string>,
  now: Instant,
): Promise<SettledTodoAlarm[]> {
  if (alarms.length === 0) return []
  const rows = tx
    .selectFrom('todos')
    .selectAll()
    .where((eb) =>
      eb(
        eb.refTuple('user_id', 'id'),
        'in',
        alarms.map(({ user_id, row_id }) => eb.tuple(user_id, row_id)),
      ),
    )
  const existing = new Set((await rows.execute()).map(keyOf))
  const held = new Map((await rows.forUpdate().skipLocked().execute()).map((row) => [keyOf(row), row]))
  const settled: SettledTodoAlarm[] = []
  for (const alarm of alarms) {
    const key = keyOf({ user_id: alarm.user_id, id: alarm.row_id })
    const row = held.get(key)
    if (row) settled.push(await settleAlarm(tx, row, alarm, zones.get(row.user_id) ?? 'UTC', now))
    else if (!existing.has(key)) settled.push({ alarm, skipped: 0 })
  }
  return settled
}

function keyOf({ user_id, id }: Pick<Row, 'user_id' | 'id'>): string {
  return `${user_id} ${id}`
}

async function settleAlarm(
  tx: Transaction<Tables>,
  row: Row,
  alarm: Alarm,
  zone: string,
  now: Instant,
): Promise<SettledTodoAlarm> {
  const { reminder } = todoRows.toWire(row)
  if (!reminder) {
    const { due_at } = alarm
    // Too late to send. Do not mark the reminder as delivered: if the server's clock was ahead, its instant is still to come
    // (`planTodosAgain`).
    if (now - due_at > longestDelay) return { alarm, skipped: 1 }
    await markReminded(tx, row, row.remind_at)
    return { alarm, skipped: 0, send: { due_at, day: null } }
  }
  if (row.completed || row.deleted_at !== null) return { alarm, skipped: 0 }
  const todo = await remindedTodo(tx, row, dayOf(now, zone, 0))
  const lastToSend = now - longestDelay - 1
  // Leave out reminders that are too late to send: after an old change there could be thousands of them.
  const following = (after: Instant) =>
    nextReminderOf(todo, reminder, { after: Math.max(after, lastToSend), zone })
  let next = plannedFor(alarm.day) ?? following(afterChange())
  let send: RemindedOf | undefined
  let [skipped, last] = [0, undefined as Instant | undefined]
  while (next && next.at <= now) {
    if (now - next.at > longestDelay) skipped++
    else send = next
    last = next.at
    next = following(next.at)
  }
  if (last !== undefined && (send || next)) await markReminded(tx, row, last)
  return {
    alarm,
    skipped,
    send: send && { due_at: send.at, day: send.day },
    next: next && { due_at: next.at, day: next.day, reminded_on: null },
  }

  /** The reminder for which the alarm was set, in the person's current time zone. The alarm may have been set in another zone. */
  function plannedFor(day: Day | null): RemindedOf | undefined {
    const at = day === null || !reminder ? undefined : reminderOfDay(todo, reminder, day, zone)
    return day === null || at === undefined ? undefined : { day, at }
  }

  /**
   * The instant after which reminders are to be delivered. A reminder that was delivered before a change arrived is not repeated.
   * A `reminded_at` in the future, set by a wrong clock, is ignored.
   */
  function afterChange(): Instant {
    const { reminded_at } = row
    return reminded_at !== null && reminded_at <= now ? Math.max(reminded_at, alarm.due_at) : alarm.due_at
  }
}

async function markReminded(
  tx: Transaction<Tables>,
  { user_id, id }: Row,
  reminded_at: Instant | null,
): Promise<void> {
  await tx
    .updateTable('todos')
    .set({ reminded_at })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute()
}

/** The to-do with the occurrences that can still have a reminder. */
async function remindedTodo(db: Kysely<Tables>, row: Row, today: Day): Promise<Todo> {
  if (row.repeat === null || row.parent_id !== null) return todoRows.toWire(row)
  const days = await db
    .selectFrom('todo_days')
    .selectAll()
    .where('user_id', '=', row.user_id)
    .where('todo_id', '=', row.id)
    .$if(row.earlier_before !== null, (query) => query.where('day', '>=', row.earlier_before))
    .orderBy('day')
    .execute()
  return withOccurrences(row, days.map(toSettledDay), today)
}

/**
 * The content of a to-do's reminder that was due at an instant; undefined if the to-do is completed, gone, hidden, in an archived
 * list, or has a different reminder. `day`: the due day or occurrence that the reminder is about; null for a reminder at a fixed
 * instant. The returned `occurrence` is this day if the to-do repeats.
 */
export async function todoToRemindOf(
  db: Database,
  user: string,
  id: string,
  { dueAt, day, zone, again }: { dueAt: Instant; day: Day | null; zone: string; again?: boolean },
): Promise<{ title: string; dueDay: Day | null; occurrence?: Day } | undefined> {
  const row = await db.read
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('completed', '=', 0)
    .where((eb) => eb.not(isHidden(eb)))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('lists')
            .select('lists.id')
            .whereRef('lists.user_id', '=', 'todos.user_id')
            .where(({ eb }) => eb('lists.id', '=', listStoodIn))
            .where('lists.archived_at', 'is not', null)
            .where('lists.deleted_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst()
  if (!row) return undefined
  const { reminder } = todoRows.toWire(row)
  const { title, repeat, parent_id } = row
  const repeats = repeat !== null && parent_id === null
  if (day === null) {
    // The row of a repeating to-do does not say which day is due.
    return row.remind_at === dueAt ? { title, dueDay: repeats ? null : row.due_day } : undefined
  }
  if (!reminder || (parent_id !== null && (await isDoneBelow(db, user, row, dayOf(dueAt, zone, 0), zone)))) {
    return undefined
  }
  const todo = await remindedTodo(db.read, row, dayOf(dueAt, zone, 0))
  const dueDay = remindedDay(todo, day)
  const at = reminderOfDay(todo, reminder, day, zone)
  if (dueDay === undefined || at === undefined || (at > dueAt && !again)) return undefined
  return { title, dueDay, ...(repeats && { occurrence: day }) }
}

/** Whether a subtask is done. If its parent repeats, the parent's open occurrence counts. */
async function isDoneBelow(db: Database, user: string, row: Row, today: Day, zone: string): Promise<boolean> {
  return (await shownTodo(db, user, todoRows.toWire(row), { today, zone })).completed === 1
}

/**
 * Snoozes a reminder until `at`. `day`: the occurrence or due day that the notification was about; if undefined, the one that is
 * due now. Returns 'done' if that occurrence is done, or else when the reminder comes. That is later than `at` if somebody has
 * meanwhile set a later instant.
 */
export async function remindAgain(
  tx: Transaction<Tables>,
  row: Row,
  day: Day | undefined,
  { at, today }: { at: Instant; today: Day },
): Promise<Instant | 'done'> {
  const todo = await remindedTodo(tx, row, today)
  const about = day ?? dueOf(todo, undefined, today)?.open?.day ?? row.due_day
  if (about === null || remindedDay(todo, about) === undefined) return 'done'
  const alarm = await alarmOf(tx, row.user_id, 'todo', row.id)
  if (alarm?.day === about && alarm.due_at > at) return alarm.due_at
  await setAlarm(tx, row.user_id, 'todo-later', row.id, { due_at: at, day: about })
  return at
}
