import type { Transaction } from 'kysely'
import { type Day, type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { ImportedRows } from '#platform/database/rows/synced-rows.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { ExportedFocusSession } from '../exported-focus-session.ts'
import { focusDayLimit, focusRows } from './focus-rows.ts'
import { refuseFullDays } from './focus-store.ts'
import { type SessionsChanged, tellHabits } from './session-habit-store.ts'

/** Sessions per read: few enough that the server can handle other requests between two reads. */
const readAtOnce = 250

type Row = Tables['focus_sessions']

/** Yields every focus session that is not deleted, in order of their last day, a few hundred at a time. */
export async function* exportFocusSessions(
  db: Database,
  user: string,
): AsyncGenerator<ExportedFocusSession[]> {
  const read = (last?: { row: Pick<Row, 'ended_on' | 'id'> }) =>
    readSessions(db, user, last?.row ?? beforeAll)
  for await (const sessions of pagesByKey(readAtOnce, read)) {
    yield sessions.map(({ row, days }) => ({ ...focusRows.toFile(row), days }))
  }
}

const beforeAll = { ended_on: '0001-01-01' as Day, id: '' }

export const focusImporter = ({ sessionsChanged }: { sessionsChanged: SessionsChanged }) => ({
  collection: focusRows.collection,
  async importRows(
    tx: Transaction<Tables>,
    user: string,
    { focus_sessions = [] }: { focus_sessions?: readonly ExportedFocusSession[] | undefined },
    now: Instant,
    adding: Adding,
    importId: string | null = null,
  ) {
    const imported = await importFocusSessions(tx, user, focus_sessions, now, importId)
    const days = focus_sessions.filter(({ id }) => imported.added.has(id)).flatMap((session) => session.days)
    adding.rows(focusDayLimit, days.length)
    const told = await sessionsOfHabits(tx, user, [...imported.added, ...imported.restored])
    await tellHabits(tx, user, told, sessionsChanged)
    return { focus_sessions: focusRows.countImported(imported, adding) }
  },
  async undo(db: Database, user: string, importId: string, now: Instant) {
    const kept = await focusRows.undoImport(db, user, importId, now, {
      async taken(tx, rows) {
        const ids = rows.map(({ id }) => id)
        await tellHabits(tx, user, await sessionsOfHabits(tx, user, ids), sessionsChanged)
      },
    })
    return { focus_sessions: kept }
  },
})

/**
 * The stored habit and days of sessions about a habit. A restored session keeps its stored habit and days, whatever the file
 * says.
 */
async function sessionsOfHabits(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
): Promise<{ habit_id: string | null; days: { day: Day }[] }[]> {
  const sessions: { habit_id: string | null; days: { day: Day }[] }[] = []
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(ids)) {
    await yieldPoint()
    const rows = await tx
      .selectFrom('focus_sessions')
      .innerJoin('focus_days', (join) =>
        join
          .onRef('focus_days.user_id', '=', 'focus_sessions.user_id')
          .onRef('focus_days.session_id', '=', 'focus_sessions.id'),
      )
      .select(['habit_id', 'day'])
      .where('focus_sessions.user_id', '=', user)
      .where('focus_sessions.id', 'in', batch)
      .where('habit_id', 'is not', null)
      .execute()
    sessions.push(...rows.map(({ habit_id, day }) => ({ habit_id, days: [{ day }] })))
  }
  return sessions
}

/** Adds new sessions and restores deleted ones. A session that already exists stays unchanged. */
export async function importFocusSessions(
  tx: Transaction<Tables>,
  user: string,
  sessions: readonly ExportedFocusSession[],
  now: Instant,
  importId: string | null = null,
): Promise<ImportedRows> {
  const imported = await focusRows.importRows(
    tx,
    user,
    sessions.map((session) => ({
      ...notAhead(session, now),
      ended_on: lastDay(session.days),
    })),
    now,
    importId,
  )
  const added = new Set(imported.added)
  // If several sessions in the file have the same id, only the first was imported.
  const days = sessions
    .filter(({ id }) => added.delete(id))
    .flatMap(({ id, days }) =>
      days.map(({ day, seconds }) => ({ user_id: user, session_id: id, day, seconds })),
    )
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(days)) {
    await yieldPoint()
    await tx.insertInto('focus_days').values(batch).execute()
  }
  await refuseFullDays(
    tx,
    user,
    days.map(({ day }) => day),
  )
  return imported
}

async function readSessions(
  db: Database,
  user: string,
  after: Pick<Row, 'ended_on' | 'id'>,
): Promise<{ row: Row; days: ExportedFocusSession['days'] }[]> {
  return db.snapshot(async (tx) => {
    const rows = await tx
      .selectFrom('focus_sessions')
      .selectAll()
      .where('user_id', '=', user)
      .where((eb) => eb(eb.refTuple('ended_on', 'id'), '>', eb.tuple(after.ended_on, after.id)))
      .where('deleted_at', 'is', null)
      .orderBy('ended_on')
      .orderBy('id')
      .limit(readAtOnce)
      .execute()
    if (rows.length === 0) return []
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
    return rows.map((row) => ({
      row,
      days: (daysOfSession.get(row.id) ?? []).map(({ day, seconds }) => ({ day, seconds })),
    }))
  })
}

/** If the exporting server's clock ran ahead, moves the whole session back so that it ends now. */
function notAhead(session: ExportedFocusSession, now: Instant): ExportedFocusSession {
  const ahead = Math.max(0, instantFromWire(session.ended_at) - now)
  const back = (instant: string) => instantToWire(instantFromWire(instant) - ahead)
  return {
    ...session,
    started_at: session.started_at === null ? null : back(session.started_at),
    ended_at: back(session.ended_at),
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
