import type { Transaction } from 'kysely'
import { dayFromNumber, dayNumber, type Instant } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { HabitDays } from '../rhythm/habit-track.ts'

const dayLength = 86_400_000

/** The day of an instant in UTC, the time zone of every habit stored here. */
export const dayInUtc = (instant: Instant) => dayFromNumber(Math.floor(instant / dayLength))

/** Stores a habit without any checks and without its pauses. Each amount becomes one entry. */
export async function storeHabit(
  tx: Transaction<Tables>,
  user: string,
  id: string,
  { rows, startDay, archivedOn, states, amounts }: HabitDays,
): Promise<void> {
  const never = { created_at: 0, updated_at: 0, deletion_changed_at: 0 }
  await tx
    .insertInto('habits')
    .values({
      user_id: user,
      id,
      name: 'Read',
      name_at: 0,
      description: '',
      description_at: 0,
      ...never,
      start_day: startDay,
      start_at: 0,
      position_at: 0,
      reminder_changed_at: 0,
      archive_changed_at: 0,
      archived_at: archivedOn === null ? null : dayNumber(archivedOn) * dayLength,
    })
    .execute()
  await tx
    .insertInto('rhythms')
    .values(
      rows.map(({ from_day, rhythm, target }) => ({
        user_id: user,
        habit_id: id,
        from_day,
        rhythm_at: 0,
        target_at: 0,
        rhythm: rhythm && JSON.stringify(rhythm),
        target: target && JSON.stringify(target),
      })),
    )
    .execute()
  for (const batch of inBatches([...states])) {
    await tx
      .insertInto('completions')
      .values(
        batch.map(([day, state]) => ({
          user_id: user,
          habit_id: id,
          day,
          changed_at: 0,
          done: state === 'done' ? (1 as const) : (0 as const),
          skipped: state === 'skipped' ? (1 as const) : (0 as const),
        })),
      )
      .execute()
  }
  for (const batch of inBatches([...amounts])) {
    await tx
      .insertInto('amounts')
      .values(
        batch.map(([day, value]) => ({
          user_id: user,
          id: `${id} ${day}`,
          habit_id: id,
          day,
          value,
          settles: '[]',
          ...never,
          is_set: 1 as const,
        })),
      )
      .execute()
  }
}
