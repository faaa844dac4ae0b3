import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Alarm } from '#platform/alarms/alarm-store.ts'
import { dayOf, type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { snoozeDelay } from '../reminder/late-reminders.ts'
import { nextReminder } from '../reminder/next-reminder.ts'
import type { Reminder } from '../reminder/reminder.ts'
import { freeDeliveriesFromTheFuture, lockUsers } from './delivery-store.ts'

// While the server's clock is ahead, reminders come too early, and the next ones are planned for later still. Once the clock is
// corrected, no reminder would come until it has caught up: for two days if it was two days ahead.

export interface PlanAgainParts {
  database: Database
  /** The reminders of habits by user and id; `calendarsOf` returns the time zones of users. */
  remindersOf(
    tx: Transaction<Tables>,
    habits: readonly { user: string; id: string }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Reminder>>>
  calendarsOf(
    tx: Transaction<Tables>,
    users: readonly string[],
  ): Promise<ReadonlyMap<string, { time_zone: string }>>
  /** Plans the reminders of to-dos again, a slice at a time, and calls `rest` after each. */
  planTodosAgain(clock: () => Instant, signal: AbortSignal, rest: () => Promise<void>): Promise<void>
}

/** How many alarms are handled together. */
const sliceLength = 200
/** Milliseconds between two slices, during which the database can serve people. */
const restLength = 10
const dayLong = 24 * 60 * 60 * 1000
/**
 * The smallest correction, in milliseconds, after which reminders of later days come again. If the clock was set back by less, a
 * reminder that came too early is good enough.
 */
const isEarly = 2 * 60 * 60 * 1000

/**
 * Plans reminders again after the clock was set back. A one-off reminder that was sent is not sent again, but a daily reminder
 * comes again on each day. `setBackBy` is how far the clock went back, in milliseconds; 0 if that is unknown, because the server
 * was not running.
 */
export async function planAgain(
  parts: PlanAgainParts,
  clock: () => Instant,
  setBackBy: number,
  signal: AbortSignal,
): Promise<void> {
  await freeDeliveriesFromTheFuture(parts.database, clock())
  const rest = () => restFor(signal)
  for await (const slice of pagesByKey(sliceLength, (last?: Alarm) => alarmsAfter(parts.database, last))) {
    await planSliceAgain(parts, slice, clock(), setBackBy)
    await rest()
    if (signal.aborted) return
  }
  await parts.planTodosAgain(clock, signal, rest)
}

async function restFor(signal: AbortSignal): Promise<void> {
  await pause(restLength, undefined, { signal, ref: false }).catch(() => {})
}

function alarmsAfter(database: Database, after: Alarm | undefined): Promise<Alarm[]> {
  return database.read
    .selectFrom('alarms')
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('user_id', 'kind', 'row_id'),
          '>',
          eb.tuple(after?.user_id ?? '', after?.kind ?? 'habit', after?.row_id ?? ''),
        ),
      ),
    )
    .orderBy('user_id')
    .orderBy('kind')
    .orderBy('row_id')
    .limit(sliceLength)
    .execute()
}

async function planSliceAgain(
  parts: PlanAgainParts,
  slice: readonly Alarm[],
  now: Instant,
  setBackBy: number,
): Promise<void> {
  const ahead = slice.filter(({ due_at }) => due_at > now)
  const ofHabits = ahead.filter(({ kind }) => kind === 'habit')
  const planned = [
    ...(ofHabits.length > 0 ? await planHabits(parts, ofHabits, now, setBackBy) : []),
    ...ahead.filter((alarm) => isSnoozedInTheFuture(alarm, now)).map((alarm) => snoozedFrom(alarm, now)),
  ]
  if (planned.length > 0) await store(parts.database, planned)
}

interface PlannedAlarm {
  alarm: Alarm
  next: Pick<Alarm, 'due_at' | 'reminded_on'>
}

async function planHabits(
  { database, remindersOf, calendarsOf }: PlanAgainParts,
  alarms: readonly Alarm[],
  now: Instant,
  setBackBy: number,
): Promise<PlannedAlarm[]> {
  const { reminders, calendars } = await database.snapshot(async (tx) => ({
    reminders: await remindersOf(
      tx,
      alarms.map(({ user_id, row_id }) => ({ user: user_id, id: row_id })),
    ),
    calendars: await calendarsOf(
      tx,
      alarms.map(({ user_id }) => user_id),
    ),
  }))
  const latestDay = latestDayAnywhere(now)
  const planned: PlannedAlarm[] = []
  const yieldPoint = createYieldPoint()
  for (const alarm of alarms) {
    const { user_id, row_id, due_at, reminded_on } = alarm
    const reminder = reminders.get(user_id)?.get(row_id)
    const zone = calendars.get(user_id)?.time_zone
    if (!reminder || zone === undefined) continue
    // A habit with n reminder weekdays is reminded at least once in 8 − n days, so a longer wait was planned by a wrong clock.
    const isFarther = due_at - now > (8 - reminder.weekdays.length) * dayLong
    const isOfLaterDay = reminded_on !== null && reminded_on > latestDay
    if (setBackBy === 0 && !isFarther && !isOfLaterDay) continue
    await yieldPoint()
    // In another zone, it may already be a later day without any clock being wrong.
    const lastDay = setBackBy > isEarly ? dayOf(now, zone, 0) : latestDay
    const known = reminded_on !== null && reminded_on <= lastDay ? reminded_on : null
    const { at } = nextReminder(reminder, now, zone, known)
    if (at < due_at) planned.push({ alarm, next: { due_at: at, reminded_on: known } })
  }
  return planned
}

function isSnoozedInTheFuture({ kind, due_at }: Alarm, now: Instant): boolean {
  return (kind === 'habit-later' || kind === 'todo-later') && due_at > now + snoozeDelay
}

function snoozedFrom(alarm: Alarm, now: Instant): PlannedAlarm {
  return { alarm, next: { due_at: now + snoozeDelay, reminded_on: alarm.reminded_on } }
}

/**
 * Stores the planned alarms. Skips alarms that another write is changing right now, since that write uses the corrected clock.
 */
async function store(database: Database, planned: readonly PlannedAlarm[]): Promise<void> {
  await database.write(async (tx) => {
    await lockUsers(
      tx,
      planned.map(({ alarm }) => alarm.user_id),
    )
    for (const { alarm, next } of planned) {
      const isThis = tx
        .selectFrom('alarms')
        .select('row_id')
        .where('user_id', '=', alarm.user_id)
        .where('kind', '=', alarm.kind)
        .where('row_id', '=', alarm.row_id)
        .where('due_at', '=', alarm.due_at)
      if (!(await isThis.forUpdate().skipLocked().executeTakeFirst())) continue
      await tx
        .updateTable('alarms')
        .set(next)
        .where('user_id', '=', alarm.user_id)
        .where('kind', '=', alarm.kind)
        .where('row_id', '=', alarm.row_id)
        .execute()
    }
  })
}
