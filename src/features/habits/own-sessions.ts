import type { FocusSession } from '#features/focus/focus-session.ts'
import { daysOfSessions } from '#features/focus/focus-session-list.ts'
import { addDays, type Day, instantFromWire } from '#platform/calendar/day.ts'
import { type HabitFacts, hasNothingEarlier, withoutSum } from './habit-facts.ts'
import { countedSessions, hasMinutes } from './minutes.ts'

/** A focus session that a device knows of, its own unsent changes included. */
export type OwnSession = Pick<FocusSession, 'id' | 'habit_id' | 'ended_at' | 'days'>

/**
 * The habit with what this device knows was focused on it: so its minutes are right before the server has heard of a
 * session, and without a connection.
 */
export function withOwnSessions(facts: HabitFacts, own: readonly OwnSession[], today: Day): HabitFacts {
  if (!hasMinutes(facts.rhythms)) return facts
  const from = addDays(today, 1 - daysOfSessions)
  const isOwned = ({ day }: { day: Day }) => day >= from
  const givenAt = new Map(facts.sessions.map(({ id, at }) => [id, at]))
  const ofHabit = own
    .filter(({ habit_id }) => habit_id === facts.id)
    .flatMap(({ id, days, ended_at }) =>
      days.map((part) => ({ ...part, id, at: givenAt.get(id) ?? ended_at })),
    )
    .filter(isOwned)
  const sessions = countedSessions(facts.rhythms, ofHabit)
  const isSummed = ({ day }: { day: Day }) => isOwned({ day }) && day < facts.earlier.from
  const isSumRight = sameSessions(facts.sessions.filter(isSummed), sessions.filter(isSummed))
  const start_date = sessions
    .filter(({ id, day }) => isSinceStart(facts, { day, id, at: givenAt.get(id) }))
    .reduce((first, { day }) => (day < first ? day : first), facts.start_date)
  return {
    ...withSum(facts, { start_date, isSumRight }),
    start_date,
    sessions: [...facts.sessions.filter((session) => !isOwned(session)), ...sessions],
  }
}

/**
 * Whether it was given to the habit since its start was chosen. What the server's answer has no trace of was given after that
 * answer, and else at the instant in its id.
 */
function isSinceStart(
  { chosen_start, earlier }: HabitFacts,
  { day, id, at }: { day: Day; id: string; at: string | undefined },
): boolean {
  if (at !== undefined) return at >= chosen_start.at
  // A UUIDv7 begins with it.
  const made = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  return day >= earlier.from || made >= instantFromWire(chosen_start.at)
}

/** The habit with a sum that fits its start, or without one. */
function withSum(
  facts: HabitFacts,
  { start_date, isSumRight }: { start_date: Day; isSumRight: boolean },
): HabitFacts {
  if (!hasNothingEarlier(facts)) return isSumRight ? facts : withoutSum(facts)
  // The sum of a new habit is empty, so it stays right when a session moves the start back: it only ends sooner.
  const { earlier } = facts
  return start_date < earlier.from ? { ...facts, earlier: { ...earlier, from: start_date } } : facts
}

function sameSessions(some: HabitFacts['sessions'], others: HabitFacts['sessions']): boolean {
  const keys = new Set(others.map(keyOf))
  return some.length === others.length && some.every((session) => keys.has(keyOf(session)))
}

function keyOf({ id, day, seconds }: HabitFacts['sessions'][number]): string {
  return `${id} ${day} ${seconds}`
}
