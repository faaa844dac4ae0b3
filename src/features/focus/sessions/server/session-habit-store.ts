import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'

/**
 * Told to habits, which are another feature, in the write that changes sessions: the days on which these count, or counted
 * before, by the habit that they belong, or belonged, to.
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

/** Of a session that changed, what it was and what it is. */
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
