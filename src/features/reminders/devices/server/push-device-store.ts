import type { Transaction } from 'kysely'
import type { PushDevice } from '#features/reminders/reminder/reminder-wire.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { formatDevice } from '#platform/format/format-device.ts'
import type { PushSubscription } from '#platform/push/encrypt.ts'

// A device belongs to the sign-in session in which reminders were allowed. Its row references the session's row, so it is deleted
// with the session, however the session ends. An expired session that is still stored counts as ended.

// Devices per user: more than any person has, but few enough that one reminder never causes thousands of pushes.
const maxDevices = 20

/** The user's devices, the most recently allowed first. */
export async function listPushDevices(db: Database, user: string, now: Instant): Promise<PushDevice[]> {
  const rows = await devicesAt(db, user, now).orderBy('added_at', 'desc').orderBy('push_devices.id').execute()
  return rows.map(toDevice)
}

/** The subscription to push to; undefined if the device no longer exists. */
export async function findPushDevice(
  db: Database,
  user: string,
  id: string,
  now: Instant,
): Promise<PushSubscription | undefined> {
  return devicesAt(db, user, now).where('push_devices.id', '=', id).executeTakeFirst()
}

/**
 * Stores a push subscription for a sign-in session. A session has at most one subscription: a new one replaces it. A subscription
 * that belonged to another session of the user moves to this session. Returns undefined if the session has ended.
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
    await takeFromOthers(tx, user, subscription)
    const rows = await tx
      .selectFrom('push_devices')
      .selectAll()
      .where('user_id', '=', user)
      .where((eb) => eb.or([eb('endpoint', '=', subscription.endpoint), eb('session_id', '=', session)]))
      .execute()
    const same = rows.find(({ endpoint }) => endpoint === subscription.endpoint)
    const existing = same ?? rows[0]
    for (const row of rows) if (row !== existing) await deleteDevice(tx, user, row.id)
    if (existing) {
      const history = same
        ? { last_at: existing.last_at, last_outcome: existing.last_outcome }
        : neverDelivered
      const row = { ...existing, ...subscription, ...history, session_id: session }
      await tx
        .updateTable('push_devices')
        .set(row)
        .where('user_id', '=', user)
        .where('id', '=', existing.id)
        .execute()
      return toDevice({ ...row, ...owner })
    }
    await makeRoom(tx, user)
    const row = { user_id: user, id, session_id: session, ...subscription, added_at: now, ...neverDelivered }
    await tx.insertInto('push_devices').values(row).execute()
    return toDevice({ ...row, ...owner })
  })
}

/**
 * Stops pushes to this browser for other users who were signed in there before: only the last user who registered it gets pushes.
 * The keys must match as well, so knowing the endpoint of somebody's browser is not enough to stop its pushes.
 */
async function takeFromOthers(
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

/** Makes room for one more device by removing the devices whose sign-in session was used least recently. */
async function makeRoom(tx: Transaction<Tables>, user: string): Promise<void> {
  const surplus = await tx
    .selectFrom('push_devices')
    .innerJoin('session', 'session.id', 'push_devices.session_id')
    .select('push_devices.id')
    .where('user_id', '=', user)
    .orderBy('session.updatedAt', 'desc')
    .orderBy('added_at', 'desc')
    .orderBy('push_devices.id')
    // SQLite does not accept OFFSET without LIMIT.
    .limit(1_000)
    .offset(maxDevices - 1)
    .execute()
  for (const { id } of surplus) await deleteDevice(tx, user, id)
}

/** Returns false if the device does not exist. */
export async function removePushDevice(db: Database, user: string, id: string): Promise<boolean> {
  return db.write(async (tx) => {
    await lockUser(tx, user)
    return deleteDevice(tx, user, id)
  })
}

/**
 * Locks the user, so that the second of two simultaneous writes to a user's devices sees what the first one stored. Inserting
 * rows in other tables does not wait for this lock.
 */
async function lockUser(tx: Transaction<Tables>, user: string): Promise<void> {
  await tx.selectFrom('user').select('id').where('id', '=', user).forNoKeyUpdate().executeTakeFirst()
}

const neverDelivered = { last_at: null, last_outcome: null }

/** Deletes the device and the deliveries on their way to it. */
async function deleteDevice(tx: Transaction<Tables>, user: string, id: string): Promise<boolean> {
  await tx.deleteFrom('deliveries').where('user_id', '=', user).where('target', '=', id).execute()
  const deleted = await tx
    .deleteFrom('push_devices')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** The target of a push: a device with its endpoint at that time. */
interface PushAddress {
  id: string
  endpoint: string
}

/** Deletes a device that the push service no longer knows. Returns false if the device has another endpoint by now. */
export async function deleteGoneDevice(
  tx: Transaction<Tables>,
  user: string,
  { id, endpoint }: PushAddress,
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

/** Records the outcome of the last push to a device, unless its endpoint has changed since. */
export async function recordOutcome(
  tx: Transaction<Tables>,
  user: string,
  { id, endpoint }: PushAddress,
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
  const wasDelivered = last_at !== null && last_outcome !== null
  return {
    id,
    name: formatDevice(userAgent).name,
    added_at: instantToWire(added_at),
    last_delivery: wasDelivered ? { at: instantToWire(last_at), outcome: last_outcome } : null,
  }
}
