import type { FocusSession } from '#features/focus/sessions/focus-session.ts'
import { daysOfSessions } from '#features/focus/sessions/focus-session-collection.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { focusedMinutes } from '../amounts/amounts.ts'
import { countedSessions, hasMinutes } from '../amounts/minutes.ts'
import { type HabitFacts, hasNothingEarlier, withoutSum } from './habit-facts.ts'
import { entriesOn, sessionsOn } from './known-amounts.ts'

/** A focus session that this device knows of, including unsent ones. */
export type OwnSession = Pick<FocusSession, 'id' | 'habit_id' | 'ended_at' | 'days'>

/**
 * The habit with the focus sessions that this device knows of. So its minutes are right offline, and before the server knows of a
 * session.
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
  // A session that is missing from the server's response was given to the habit after the response, and so after the start was
  // chosen.
  const { chosen_start } = facts
  const since = sessions.filter(
    ({ id, day }) => day < facts.start_date && (givenAt.get(id) ?? chosen_start.at) >= chosen_start.at,
  )
  const counted = since.filter(
    ({ day }) => focusedMinutes(entriesOn(facts, day), sessionsOn({ ...facts, sessions }, day)) !== null,
  )
  const start_date = counted.reduce((first, { day }) => (day < first ? day : first), facts.start_date)
  return {
    ...withSum(facts, { start_date, isSumRight }),
    start_date,
    sessions: [...facts.sessions.filter((session) => !isOwned(session)), ...sessions],
  }
}

/** The habit with a sum that fits its start and sessions, or without a sum. */
function withSum(
  facts: HabitFacts,
  { start_date, isSumRight }: { start_date: Day; isSumRight: boolean },
): HabitFacts {
  if (!hasNothingEarlier(facts)) return isSumRight ? facts : withoutSum(facts)
  // A habit that began after the summed days has an empty sum. That stays correct when a session moves the start back; it only
  // has to end earlier.
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
