import type { ExportedFocusSession } from '#features/focus/sessions/exported-focus-session.ts'
import { splitByDay } from '#features/focus/sessions/split-by-day.ts'
import type { ExportedHabit } from '#features/habits/account-file/exported-habit.ts'
import type { ExportedTodo } from '#features/todos/todo/exported-todo.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { type DemoDay, instantAt, type SeededRandom, seededRandom } from './demo-days.ts'

/**
 * The focus sessions that begin on a day, in order and without overlap: sessions at work, and now and then one late at
 * night.
 */
export function demoFocus({ day, daysAgo, weekday, kind }: DemoDay, zone: string): ExportedFocusSession[] {
  if (kind === 'away' || kind === 'ill') return []
  const random = seededRandom('focus', day)
  const sessions: ExportedFocusSession[] = []
  const add = (begin: number, minutes: number) => {
    sessions.push(sessionAt(instantAt(day, begin, zone), minutes, zone, random))
  }

  let begin = kind === 'work' ? 8 * 60 + random.between(30, 80) : 10 * 60 + random.between(0, 240)
  for (let count = sessionCount(daysAgo, weekday, kind, random); count > 0; count -= 1) {
    const minutes = random.chance(0.13) ? random.between(6, 24) : 25
    add(begin, minutes)
    begin += minutes + (random.chance(0.6) ? random.between(5, 12) : random.between(40, 130))
  }
  // Urgent work on the evening before a workday; it ends after midnight.
  if ([7, 2, 3].includes(weekday) && random.chance(0.07)) add(23 * 60 + random.between(38, 55), 25)
  return sessions
}

/** The habit that is done in focus sessions. */
export const focusedHabit = 'Write the novel'

/** The habit's sessions on a day: on some mornings, before work. */
export function demoFocusOnHabit(
  { day, daysAgo, weekday, kind }: DemoDay,
  { id, start_date }: ExportedHabit,
  zone: string,
): ExportedFocusSession[] {
  const random = seededRandom('novel', day)
  const isMorning = [1, 2, 4].includes(weekday) && kind === 'work' && day >= start_date
  if (!isMorning || (daysAgo > 10 && random.chance(0.2))) return []
  const begin = 6 * 60 + random.between(20, 35)
  // Most mornings have two sessions, so that the habit gets more than half an hour.
  const begins = random.chance(0.85) ? [begin, begin + 32] : [begin]
  return begins.map((at) => ({ ...sessionAt(instantAt(day, at, zone), 25, zone, random), habit_id: id }))
}

/** Assigns tasks to sessions: most sessions at work are about a task that is open at the time. */
export function withTasks(
  sessions: readonly ExportedFocusSession[],
  todos: readonly ExportedTodo[],
  list: string | undefined,
): ExportedFocusSession[] {
  const ofList = todos
    .filter((todo) => todo.list_id === list && todo.parent_id === null && todo.repeat === null)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return sessions.map((session) => {
    const random = seededRandom('about', session.id)
    const [first, ...others] = ofList.filter((todo) => isOpenDuring(todo, session))
    if (!first || random.chance(0.25)) return session
    return { ...session, todo_id: random.pick([first, ...others]).id }
  })
}

function isOpenDuring(
  { created_at, completed_at }: ExportedTodo,
  { started_at, ended_at }: ExportedFocusSession,
) {
  return created_at <= (started_at ?? ended_at) && (completed_at === null || completed_at >= ended_at)
}

/** Makes a session. A timer may start at any second, and a stopped one may end at any second. */
function sessionAt(from: Instant, minutes: number, zone: string, random: SeededRandom): ExportedFocusSession {
  const started = from + random.between(0, 59) * 1_000
  const duration = minutes === 25 ? 1_500 : minutes * 60 - random.between(0, 59)
  const ended = started + duration * 1_000
  return {
    id: random.id(started),
    kind: 'countdown',
    todo_id: null,
    habit_id: null,
    duration,
    started_at: instantToWire(started),
    ended_at: instantToWire(ended),
    days: splitByDay([{ from: started, to: ended }], zone, 0),
  }
}

/** The number of sessions on a day. It grows over the year; Fridays end early. */
function sessionCount(
  daysAgo: number,
  weekday: number,
  kind: DemoDay['kind'],
  random: ReturnType<typeof seededRandom>,
): number {
  if (kind === 'weekend') return random.chance(0.16) ? random.between(1, 2) : 0
  if (random.chance(0.12)) return 0
  const most = daysAgo > 240 ? 4 : daysAgo > 100 ? 5 : 6
  return Math.max(1, random.between(1, most) - (weekday === 5 ? 1 : 0))
}
