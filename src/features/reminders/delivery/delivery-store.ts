import { type ExpressionBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { type Alarm, lockDueAlarms, removeAlarm, setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { type DueUsers, dueUsers, selectForEachUser } from '#platform/database/rows/due-users.ts'
import type { Tables } from '#platform/database/tables.ts'
import { deleteGoneDevice, recordOutcome } from '../devices/server/push-device-store.ts'
import type { Outcome } from '../reminder/reminder-wire.ts'

// Due alarms become deliveries, one per device and mailbox, in the same write that sets the next alarm. So a process that is
// killed has done both or neither. A delivery is then claimed, sent outside of any write, and recorded.

/** Tables in which an account may have very many rows. */
export const tablesOfReminders = ['deliveries', 'alarms'] as const

/** A reminder on its way to one device or mailbox. */
export type Delivery = Tables['deliveries']

/** What to do about an alarm: what to send now, if anything, and when it is due next, if ever. */
export interface AlarmDecision {
  alarm: Alarm
  send?: { due_at: Instant; day: Day | null } | undefined
  next?: Pick<Alarm, 'due_at' | 'reminded_on'> & Partial<Pick<Alarm, 'day'>>
  /** How many of its reminders were too late to send. */
  skipped: number
}

/**
 * Turns due alarms of some users into deliveries. Returns how many alarms were handled: 0 if nothing is due. `decide` runs inside
 * the write; alarms that it leaves out stay due.
 */
export async function fireDueAlarms(
  db: Database,
  now: Instant,
  { users, maxPerUser }: { users: readonly string[]; maxPerUser: number },
  decide: (tx: Transaction<Tables>, alarms: readonly Alarm[]) => Promise<AlarmDecision[]>,
): Promise<{ alarms: number; skipped: number }> {
  const none = { alarms: 0, skipped: 0 }
  // Do not start a write for nothing: on SQLite, a write blocks all other writes.
  if (users.length === 0) return none
  return db.write(async (tx) => {
    const alarms = await lockDueAlarms(tx, now, users, maxPerUser)
    if (alarms.length === 0) return none
    const due = await decide(tx, alarms)
    const targets = await targetsOf(
      db,
      tx,
      due.flatMap(({ alarm, send }) => (send ? [alarm.user_id] : [])),
      now,
    )
    const deliveries = due.flatMap(({ alarm: { user_id, kind, row_id }, send }) =>
      (send ? targetsFor(kind, targets.get(user_id)) : []).map((target) => ({
        user_id,
        kind,
        row_id,
        target,
        tries: 0,
        claim: null,
        send_at: now,
        day: send?.day ?? null,
        due_at: send?.due_at ?? now,
      })),
    )
    for (const batch of inBatches(inOrder(deliveries))) {
      await tx
        .insertInto('deliveries')
        .values(batch)
        // A new reminder replaces an earlier one that could not be sent.
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'kind', 'row_id', 'target']).doUpdateSet(({ ref }) => ({
            day: ref('excluded.day'),
            due_at: ref('excluded.due_at'),
            send_at: ref('excluded.send_at'),
            tries: 0,
            claim: null,
          })),
        )
        .execute()
    }
    for (const { alarm, next } of due) {
      if (next) await setAlarm(tx, alarm.user_id, alarm.kind, alarm.row_id, next)
      else await removeAlarm(tx, alarm)
    }
    return { alarms: due.length, skipped: due.reduce((sum, { skipped }) => sum + skipped, 0) }
  })
}

/** The end of a focus phase is not sent by mail, which would come too late. */
function targetsFor(kind: Alarm['kind'], targets: readonly string[] = []): readonly string[] {
  return kind === 'focus' ? targets.filter((target) => target !== 'mail') : targets
}

export type LaneKind = 'push' | 'mail'

// Written exactly as in the two partial indexes, so that a search for pushes skips the rows of mail, and the other way around.
const isOfKind = {
  push: sql<SqlBool>`target <> 'mail'`,
  mail: sql<SqlBool>`target = 'mail'`,
}

/** The users whose deliveries of a kind are claimed next, in fair order. */
export function usersWithDueDeliveries(db: Database, kind: LaneKind): DueUsers {
  return dueUsers(db, { table: 'deliveries', due: 'send_at', among: isOfKind[kind] })
}

interface Claim {
  kind: LaneKind
  users: readonly string[]
  maxPerUser: number
  now: Instant
  /** When the claim ends. */
  until: Instant
  claim: string
  /** Claims that must not be taken over, even if they have ended. */
  except: readonly string[]
}

/** Claims some users' deliveries that are due: no other process gets them before `until`. */
export async function claimDeliveries(
  db: Database,
  { kind, users, maxPerUser, now, until, claim, except }: Claim,
): Promise<Delivery[]> {
  return db.write(async (tx) => {
    const due = selectForEachUser(tx, users, (user) =>
      tx
        .selectFrom('deliveries')
        .select(['user_id', 'kind', 'row_id', 'target'])
        .where('user_id', '=', user)
        .where('send_at', '<=', now)
        .where(isOfKind[kind])
        .$if(except.length > 0, (query) =>
          query.where((eb) => eb.or([eb('claim', 'is', null), eb('claim', 'not in', except)])),
        )
        .orderBy('send_at')
        .limit(maxPerUser)
        .forUpdate()
        .skipLocked(),
    )
    if (!due) return []
    return (
      tx
        // A separate CTE makes PostgreSQL select the rows only once, however it plans the rest.
        .with('picked', () => due)
        .updateTable('deliveries')
        .set({ claim, send_at: until })
        .where((eb) =>
          eb(
            eb.refTuple('user_id', 'kind', 'row_id', 'target'),
            'in',
            eb
              .selectFrom('picked')
              .select(['picked.user_id', 'picked.kind', 'picked.row_id', 'picked.target'])
              .$asTuple('user_id', 'kind', 'row_id', 'target'),
          ),
        )
        // Check the row again while updating it: a faster process may have changed it in the meantime.
        .where('send_at', '<=', now)
        .returningAll()
        .execute()
    )
  })
}

/** The result of a claimed delivery. */
export type DeliveryResult =
  /** `dropped`: nothing was left to send, or there was nowhere to send it. `skipped`: it was due too long ago. */
  | { delivery: Delivery; end: 'dropped' | 'skipped' }
  /** Sending could not even be tried. */
  | { delivery: Delivery; end: 'failed'; retryAt?: Instant | undefined }
  | { delivery: Delivery; end: 'gone'; endpoint?: string | undefined; at: Instant }
  /** `endpoint` is the address that was pushed to; the device may have another one by now. */
  | {
      delivery: Delivery
      end: Outcome
      endpoint?: string | undefined
      at: Instant
      retryAt?: Instant | undefined
    }

/**
 * Records results in one write. If a claim has ended in the meantime, another process may have the delivery, so it is left alone.
 */
export async function recordResults(db: Database, results: readonly DeliveryResult[]): Promise<void> {
  const ends = new Map(results.map((result) => [result.delivery, result]))
  await db.write(async (tx) => {
    await lockUsers(
      tx,
      results.map(({ delivery }) => delivery.user_id),
    )
    for (const delivery of inOrder([...ends.keys()])) {
      const result = ends.get(delivery)
      if (result) await record(tx, result)
    }
  })
}

async function record(tx: Transaction<Tables>, result: DeliveryResult): Promise<void> {
  const { delivery } = result
  const { user_id, target } = delivery
  const nextTry = await nextTryOf(tx, result)
  if (nextTry === undefined) await tx.deleteFrom('deliveries').where(isOwn(delivery)).execute()
  else {
    await tx
      .updateTable('deliveries')
      .set({ ...nextTry, claim: null })
      .where(isOwn(delivery))
      .execute()
  }
  if ('endpoint' in result && result.endpoint !== undefined && result.end !== 'gone') {
    await recordOutcome(tx, user_id, { id: target, endpoint: result.endpoint }, result.end, result.at)
  }
}

async function nextTryOf(
  tx: Transaction<Tables>,
  result: DeliveryResult,
): Promise<{ send_at: Instant; tries: number } | undefined> {
  const { user_id, target, tries } = result.delivery
  if (result.end === 'gone') {
    if (result.endpoint === undefined) return undefined
    const gone = await deleteGoneDevice(tx, user_id, { id: target, endpoint: result.endpoint })
    // Nothing has been sent to the browser's current endpoint yet, so try again.
    return gone ? undefined : { send_at: result.at, tries }
  }
  if (!('retryAt' in result) || result.retryAt === undefined) return undefined
  return { send_at: result.retryAt, tries: tries + 1 }
}

/**
 * Writes to devices and deliveries lock the users first. Deleting an account starts with the user as well, so the two never
 * deadlock.
 */
export async function lockUsers(tx: Transaction<Tables>, users: readonly string[]): Promise<void> {
  await tx
    .selectFrom('user')
    .select('id')
    .where('id', 'in', [...new Set(users)])
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** Longer than any claim lasts, in milliseconds. */
const longestClaim = 2 * 60 * 1000

/**
 * Makes deliveries due soon that were postponed because the clock was ahead. These are deliveries for reminders due in the
 * future, and deliveries claimed for longer than any claim lasts. They are tried only after `longestClaim`, because until then
 * they may still be in flight.
 */
export async function freeDeliveriesFromTheFuture(db: Database, now: Instant): Promise<void> {
  const later = now + longestClaim
  const isTooFar = (eb: ExpressionBuilder<Tables, 'deliveries'>) =>
    eb.and([eb('send_at', '>', later), eb.or([eb('due_at', '>', now), eb('claim', 'is not', null)])])
  const found = await db.read.selectFrom('deliveries').select('user_id').where(isTooFar).limit(1).execute()
  // Do not start a write for nothing: on SQLite, a write blocks all other writes.
  if (found.length === 0) return
  await db.write(async (tx) => {
    await tx.updateTable('deliveries').set({ send_at: later }).where(isTooFar).execute()
  })
}

/** Releases claimed deliveries that will not be sent, so that another process can send them at once. */
export async function releaseDeliveries(
  db: Database,
  deliveries: readonly Delivery[],
  now: Instant,
): Promise<void> {
  await db.write(async (tx) => {
    for (const delivery of inOrder(deliveries)) {
      await tx.updateTable('deliveries').set({ send_at: now, claim: null }).where(isOwn(delivery)).execute()
    }
  })
}

function isOwn({ user_id, kind, row_id, target, claim }: Delivery) {
  return (eb: ExpressionBuilder<Tables, 'deliveries'>) =>
    eb.and([
      eb('user_id', '=', user_id),
      eb('kind', '=', kind),
      eb('row_id', '=', row_id),
      eb('target', '=', target),
      eb('claim', '=', claim),
    ])
}

/** Sorts deliveries the same way everywhere, so that two writes to the same devices and deliveries never deadlock. */
function inOrder<Placed extends Pick<Delivery, 'user_id' | 'target' | 'kind' | 'row_id'>>(
  deliveries: readonly Placed[],
): Placed[] {
  const place = ({ user_id, target, kind, row_id }: Placed) => `${user_id} ${target} ${kind} ${row_id}`
  return deliveries.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** Where each of the users is reminded: ids of devices, and 'mail'. */
async function targetsOf(
  db: Database,
  tx: Transaction<Tables>,
  users: readonly string[],
  now: Instant,
): Promise<Map<string, string[]>> {
  const targets = new Map<string, string[]>()
  if (users.length === 0) return targets
  const add = (user: string, target: string) => targets.set(user, [...(targets.get(user) ?? []), target])
  const devices = await tx
    .selectFrom('push_devices')
    .innerJoin('session', 'session.id', 'push_devices.session_id')
    .select(['push_devices.user_id', 'push_devices.id'])
    .where('push_devices.user_id', 'in', [...new Set(users)])
    .where('session.expiresAt', '>', instantForAuth(db.engine, now))
    .execute()
  for (const { user_id, id } of devices) add(user_id, id)
  const mailed = await tx
    .selectFrom('mail_reminders')
    .select('user_id')
    .where('user_id', 'in', [...new Set(users)])
    .execute()
  for (const { user_id } of mailed) add(user_id, 'mail')
  return targets
}
