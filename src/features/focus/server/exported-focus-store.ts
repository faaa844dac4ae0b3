import type { Transaction } from 'kysely'
import { type Day, type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import { restoreRows, type TakenRows, uniqueById } from '#platform/database/import-rows.ts'
import { lettingOthersIn } from '#platform/database/letting-others-in.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { ExportedFocusSession } from '../exported-focus-session.ts'

/** Few enough that others are answered between two readings. */
const readAtOnce = 250

/** Where a session stands in the export. */
interface Place {
  ended_on: Day
  id: string
}

/** Every focus session that is not deleted, by its last day, a few hundred at a time. */
export async function* exportFocusSessions(
  db: Database,
  user: string,
): AsyncGenerator<ExportedFocusSession[]> {
  for (let after: Place | undefined = { ended_on: '0001-01-01' as Day, id: '' }; after; ) {
    const { sessions, last } = await readSessions(db, user, after)
    if (sessions.length > 0) yield sessions
    after = last
  }
}

/** Adds what is not there and takes deletions back. A session that is there stays as it is. */
export async function importFocusSessions(
  tx: Transaction<Tables>,
  user: string,
  sessions: readonly ExportedFocusSession[],
  now: Instant,
): Promise<TakenRows> {
  const unique = uniqueById(sessions)
  const added = new Set<string>()
  const letOthersIn = lettingOthersIn()
  for (const batch of inBatches(unique)) {
    await letOthersIn()
    const inserted = await tx
      .insertInto('focus_sessions')
      .values(batch.map((session) => toRow(user, session, now)))
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .returning('id')
      .execute()
    for (const { id } of inserted) added.add(id)
  }
  const days = unique
    .filter(({ id }) => added.has(id))
    .flatMap(({ id, days }) =>
      days.map(({ day, seconds }) => ({ user_id: user, session_id: id, day, seconds })),
    )
  for (const batch of inBatches(days)) {
    await letOthersIn()
    await tx.insertInto('focus_days').values(batch).execute()
  }

  const there = unique.map(({ id }) => id).filter((id) => !added.has(id))
  return { added, restored: await restoreRows(tx, 'focus_sessions', user, there, now) }
}

async function readSessions(
  db: Database,
  user: string,
  after: Place,
): Promise<{ sessions: ExportedFocusSession[]; last: Place | undefined }> {
  return db.snapshot(async (tx) => {
    const rows = await tx
      .selectFrom('focus_sessions')
      .select(['id', 'duration', 'started_at', 'ended_at', 'ended_on'])
      .where('user_id', '=', user)
      .where((eb) => eb(eb.refTuple('ended_on', 'id'), '>', eb.tuple(after.ended_on, after.id)))
      .where('deleted_at', 'is', null)
      .orderBy('ended_on')
      .orderBy('id')
      .limit(readAtOnce)
      .execute()
    if (rows.length === 0) return { sessions: [], last: undefined }
    const days = await tx
      .selectFrom('focus_days')
      .select(['session_id', 'day', 'seconds'])
      .where('user_id', '=', user)
      .where(
        'session_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('session_id')
      .orderBy('day')
      .execute()
    const daysOfSession = Map.groupBy(days, ({ session_id }) => session_id)
    const sessions = rows.map((row) => ({
      id: row.id,
      duration: row.duration,
      started_at: instantToWire(row.started_at),
      ended_at: instantToWire(row.ended_at),
      days: (daysOfSession.get(row.id) ?? []).map(({ day, seconds }) => ({ day, seconds })),
    }))
    return { sessions, last: rows.at(-1) }
  })
}

function toRow(
  user: string,
  { id, duration, started_at, ended_at, days }: ExportedFocusSession,
  now: Instant,
) {
  const endedAt = instantFromWire(ended_at)
  // From an instance whose clock runs ahead: moved back whole, so that it ends now.
  const ahead = Math.max(0, endedAt - now)
  return {
    user_id: user,
    id,
    duration,
    started_at: instantFromWire(started_at) - ahead,
    ended_at: endedAt - ahead,
    ended_on: lastDay(days),
    created_at: now,
    updated_at: now,
    deleted_at: null,
    deletion_changed_at: now,
  }
}

function lastDay(days: ExportedFocusSession['days']): Day {
  const last = days
    .map(({ day }) => day)
    .toSorted()
    .at(-1)
  if (last === undefined) throw new Error('A focus session needs a day')
  return last
}
