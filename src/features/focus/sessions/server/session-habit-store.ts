import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'

/**
 * A callback into the habits feature, called in the transaction that changes sessions. `daysOf` maps each habit to the days on
 * which its sessions count, or counted before the change.
 */
export type SessionsChanged = (
  tx: Transaction<Tables>,
  user: string,
  daysOf: ReadonlyMap<string, readonly Day[]>,
) => Promise<void>

interface SessionOfHabit {
  habit_id: string | null
  days: readonly { day: Day }[]
}

/**
 * Reports changed sessions to their habits. `sessions` must contain each changed session twice: as before and as after the
 * change.
 */
export async function tellHabits(
  tx: Transaction<Tables>,
  user: string,
  sessions: readonly SessionOfHabit[],
  sessionsChanged: SessionsChanged,
): Promise<void> {
  const daysOf = new Map<string, Day[]>()
  for (const { habit_id, days } of sessions) {
    if (habit_id === null) continue
    const known = daysOf.get(habit_id)
    const more = days.map(({ day }) => day)
    if (known) known.push(...more)
    else daysOf.set(habit_id, more)
  }
  if (daysOf.size > 0) await sessionsChanged(tx, user, daysOf)
}
