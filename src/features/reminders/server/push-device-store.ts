import type { Transaction } from 'kysely'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { instantForAuth, type Tables } from '#platform/database/tables.ts'
import { deviceInWords } from '#platform/devices/device-in-words.ts'
import type { PushSubscription } from '#platform/push/encrypt.ts'
import type { PushDevice } from '../reminder.ts'

// A device belongs to the sign-in session in which it was allowed, and goes with it, however that ends: its row refers to
// that of the session. One that has run out, and waits to be tidied away, counts as ended.

// More than anybody has, and few enough that one person's reminder is not the work of thousands.
const mostDevices = 20

/** Those of a user, the last allowed first. */
export async function listPushDevices(db: Database, user: string, now: Instant): Promise<PushDevice[]> {
  const rows = await devicesAt(db, user, now).orderBy('added_at', 'desc').orderBy('push_devices.id').execute()
  return rows.map(toDevice)
}

/** Where to push to; undefined when the device is not there any more. */
export async function findPushDevice(
  db: Database,
  user: string,
  id: string,
  now: Instant,
): Promise<PushSubscription | undefined> {
  return devicesAt(db, user, now).where('push_devices.id', '=', id).executeTakeFirst()
}

/**
 * Keeps a subscription for a sign-in session, which has at most one: another takes its place, and the same one that
 * another session of the user had moves over. Undefined when the session has ended.
 */
export async function putPushDevice(
  db: Database,
  user: string,
  session: string,
  id: string,
  subscription: PushSubscription,
  now: Instant,
): Promise<PushDevice | undefined> {
  return db.write(async (tx) => {
    await lockUser(tx, user)
    const owner = await tx
      .selectFrom('session')
      .select('userAgent')
      .where('id', '=', session)
      .where('userId', '=', user)
      .executeTakeFirst()
    if (!owner) return undefined
    await leaveToUser(tx, user, subscription)
    const rows = await tx
      .selectFrom('push_devices')
      .selectAll()
      .where('user_id', '=', user)
      .where((eb) => eb.or([eb('endpoint', '=', subscription.endpoint), eb('session_id', '=', session)]))
      .execute()
    const same = rows.find(({ endpoint }) => endpoint === subscription.endpoint)
    const kept = same ?? rows[0]
    for (const row of rows) if (row !== kept) await deleteDevice(tx, user, row.id)
    if (kept) {
      const known = same ? { last_at: kept.last_at, last_outcome: kept.last_outcome } : unheard
      const row = { ...kept, ...subscription, ...known, session_id: session }
      await tx
        .updateTable('push_devices')
        .set(row)
        .where('user_id', '=', user)
        .where('id', '=', kept.id)
        .execute()
      return toDevice({ ...row, ...owner })
    }
    await makeRoom(tx, user)
    const row = { user_id: user, id, session_id: session, ...subscription, added_at: now, ...unheard }
    await tx.insertInto('push_devices').values(row).execute()
    return toDevice({ ...row, ...owner })
  })
}

/**
 * A browser is pushed to for whoever handed it in last: others who were signed in there before are told nothing there.
 * Who knows its address alone, and not its keys, is not that browser.
 */
async function leaveToUser(
  tx: Transaction<Tables>,
  user: string,
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<void> {
  const others = await tx
    .selectFrom('push_devices')
    .select(['user_id', 'id'])
    .where('endpoint', '=', endpoint)
    .where('p256dh', '=', p256dh)
    .where('auth', '=', auth)
    .where('user_id', '<>', user)
    .execute()
  for (const other of others) await deleteDevice(tx, other.user_id, other.id)
}

/** For one more: those whose sign-in session was used longest ago go. */
async function makeRoom(tx: Transaction<Tables>, user: string): Promise<void> {
  const surplus = await tx
    .selectFrom('push_devices')
    .innerJoin('session', 'session.id', 'push_devices.session_id')
    .select('push_devices.id')
    .where('user_id', '=', user)
    .orderBy('session.updatedAt', 'desc')
    .orderBy('added_at', 'desc')
    .orderBy('push_devices.id')
    // A LIMIT, since SQLite takes no OFFSET without one.
    .limit(1_000)
    .offset(mostDevices - 1)
    .execute()
  for (const { id } of surplus) await deleteDevice(tx, user, id)
}

/** False when it is not there. */
export async function removePushDevice(db: Database, user: string, id: string): Promise<boolean> {
  return db.write(async (tx) => {
    await lockUser(tx, user)
    return deleteDevice(tx, user, id)
  })
}

/** Of two writes about a user's devices at once, the second finds what the first has kept. */
async function lockUser(tx: Transaction<Tables>, user: string): Promise<void> {
  await tx.selectFrom('user').select('id').where('id', '=', user).forUpdate().executeTakeFirst()
}

const unheard = { last_at: null, last_outcome: null }

/** The device, and what was on its way to it. */
async function deleteDevice(tx: Transaction<Tables>, user: string, id: string): Promise<boolean> {
  await tx.deleteFrom('deliveries').where('user_id', '=', user).where('target', '=', id).execute()
  const deleted = await tx
    .deleteFrom('push_devices')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** What was pushed to: a device, by where it was reached then. */
interface PushedTo {
  id: string
  endpoint: string
}

/** The push service does not know it any more. False where the device can be reached elsewhere by now. */
export async function deleteGoneDevice(
  tx: Transaction<Tables>,
  user: string,
  { id, endpoint }: PushedTo,
): Promise<boolean> {
  const device = await tx
    .selectFrom('push_devices')
    .select('endpoint')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (device && device.endpoint !== endpoint) return false
  await deleteDevice(tx, user, id)
  return true
}

/** Keeps what became of the last push to a device, unless it has another address since. */
export async function keepOutcome(
  tx: Transaction<Tables>,
  user: string,
  { id, endpoint }: PushedTo,
  outcome: 'delivered' | 'refused' | 'unreachable',
  at: Instant,
): Promise<void> {
  await tx
    .updateTable('push_devices')
    .set({ last_at: at, last_outcome: outcome })
    .where('user_id', '=', user)
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .execute()
}

function devicesAt(db: Database, user: string, now: Instant) {
  return db.read
    .selectFrom('push_devices')
    .innerJoin('session', 'session.id', 'push_devices.session_id')
    .select([
      'push_devices.id',
      'endpoint',
      'p256dh',
      'auth',
      'added_at',
      'last_at',
      'last_outcome',
      'userAgent',
    ])
    .where('push_devices.user_id', '=', user)
    .where('session.expiresAt', '>', instantForAuth(db.engine, now))
}

interface DeviceRow {
  id: string
  added_at: Instant
  last_at: Instant | null
  last_outcome: 'delivered' | 'refused' | 'unreachable' | null
  userAgent: string | null
}

function toDevice({ id, added_at, last_at, last_outcome, userAgent }: DeviceRow): PushDevice {
  const heard = last_at !== null && last_outcome !== null
  return {
    id,
    name: deviceInWords(userAgent).name,
    added_at: instantToWire(added_at),
    last_delivery: heard ? { at: instantToWire(last_at), outcome: last_outcome } : null,
  }
}
