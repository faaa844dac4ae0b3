import { withFirstEntry } from '#features/habits/past/server/first-entry-store.ts'
import type { UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { readBudgetOfOneWrite } from '#features/habits/past/server/packed-year-store.ts'
import { clearHabitAlarms, setHabitAlarm } from '#features/habits/reminder/server/habit-reminder-store.ts'
import { rhythmOfFrequency } from '#features/habits/rhythm/rhythm.ts'
import { type RhythmChange, writeRhythm } from '#features/habits/rhythm/server/rhythm-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import type { ChangeStamp } from '#platform/database/rows/deletion.ts'
import { writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { EditOf, NewOf } from '#platform/wire/synced-row.ts'
import type { Habit } from '../habit.ts'
import type { habitRow } from '../habit-row.ts'
import { habitRows, shortened } from './habit-rows.ts'
import { freshHabit, summedHabit, writeHabit } from './habit-write-store.ts'

// Changes from several devices merge as described in `docs/merging.md`. Each field, and the deletion, has the instant of its last
// change, and an earlier change is ignored. Each part of a rhythm row merges in the same way.

/** Rhythm and target, and the day from which they hold. */
type FromDay = RhythmChange & { from_day?: Day | undefined }

type Addition = NewOf<typeof habitRow> & FromDay & { at: Instant }

type Change = EditOf<typeof habitRow> & FromDay & ChangeStamp

/** Adding the same id again changes nothing and returns the stored habit, or 'deleted' if it has been deleted since. */
export async function addHabit(
  db: Database,
  user: string,
  id: string,
  { at, rhythm, frequency = 'daily', target = 'yes', from_day, ...fields }: Addition,
  time: UserTime,
): Promise<{ habit: Habit; created: boolean } | 'deleted' | TooManyRows> {
  const written = await writeWithinLimits(db, user, [habitRows.collection], async (tx, adding) => {
    // Lock the zone before the habit, as a change of the zone does: two writes that lock in different orders would deadlock.
    const zone = fields.reminder && (await time.zoneIn(tx))
    const added = await habitRows.add(tx, adding, user, id, fields, at)
    if (added === 'deleted') return added
    const { row, created } = added
    if (!created) return { habit: await freshHabit(tx, row, time, readBudgetOfOneWrite()), created }
    const first = { rhythm: rhythm ?? rhythmOfFrequency(frequency), target }
    await writeRhythm(tx, adding, row, from_day ?? row.start_day, first, at)
    if (zone) await setHabitAlarm(tx, row, zone, time.now)
    const placed = await shortened(tx, row)
    return { habit: await freshHabit(tx, placed, time, readBudgetOfOneWrite()), created }
  })
  if (written === 'deleted' || written instanceof TooManyRows) return written
  const habit = written.habit ?? (await summedHabit(db, user, id, time))
  return habit ? { habit, created: written.created } : 'deleted'
}

/** Returns the changed habit, or undefined if it does not exist or was deleted later. */
export async function changeHabit(
  db: Database,
  user: string,
  id: string,
  { at, revives, rhythm, frequency, target, from_day, ...edit }: Change,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  const holds = { rhythm, frequency, target }
  const changesHolding = Object.values(holds).some((part) => part !== undefined)
  return writeHabit(
    db,
    user,
    id,
    { at, revives, needsZone: Boolean(edit.reminder) },
    time,
    async (tx, row, zone, adding) => {
      if (changesHolding) await writeRhythm(tx, adding, row, from_day ?? time.dayAt(at), holds, at)
      const merged = habitRows.merged(row, edit, at)
      // Setting the same reminder again keeps a snoozed reminder and the record of delivered reminders.
      const reminds = 'reminder_time' in merged
      const touched = changesHolding ? { updated_at: row.updated_at, ...merged } : merged
      const chosen = await habitRows.update(tx, row, touched, at)
      // The target decides whether a day has an entry, so a new target requires finding the first entry again.
      const begun = await withFirstEntry(tx, chosen, 'start_at' in merged || changesHolding ? 'all' : [])
      const changed = await habitRows.update(tx, chosen, begun, at)
      if (reminds && zone && changed.deleted_at === null) await setHabitAlarm(tx, changed, zone, time.now)
      else if (reminds) await clearHabitAlarms(tx, changed)
      return shortened(tx, changed)
    },
  )
}

/**
 * Returns false if the habit does not exist or is already deleted. A deletion older than another change is ignored, but returns
 * true.
 */
export function deleteHabit(db: Database, user: string, id: string, at: Instant): Promise<boolean> {
  return habitRows.remove(db, user, id, at, {
    async after(tx, is) {
      if (is.deleted_at !== null) await clearHabitAlarms(tx, is)
    },
  })
}

/** Returns the habit with all of its days, or undefined if it does not exist or was deleted after `at`. */
export async function restoreHabit(
  db: Database,
  user: string,
  id: string,
  at: Instant,
  time: UserTime,
): Promise<Habit | undefined> {
  const row = await habitRows.restore(db, user, id, at, {
    before: time.zoneIn,
    async after(tx, is, was, zone) {
      const isBack = was.deleted_at !== null && is.deleted_at === null
      if (isBack && zone) await setHabitAlarm(tx, is, zone, time.now)
      await shortened(tx, is)
    },
  })
  return row && summedHabit(db, user, id, time)
}
