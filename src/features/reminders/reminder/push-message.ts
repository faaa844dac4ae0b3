import { addDays, type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { lastOfMonth } from '#platform/calendar/month.ts'
import type { PushMessage } from './reminder-wire.ts'

/** What a reminder is about, at the time of sending. `today` is the person's day then. */
export type Subject =
  | HabitSubject
  /** `occurrence` is the day that identifies the due occurrence of a repeating to-do. */
  | { kind: 'todo'; id: string; title: string; dueDay: Day | null; occurrence?: Day | undefined; today: Day }
  /** The end of a phase of the focus timer; `id` is its run. */
  | { kind: 'focus'; id: string; title: string; body: string }

/** What a reminder says about a habit that is left to do on a day. */
export interface ReminderSubject {
  /** The period that is not done yet: the day itself, or the week or month that contains it. */
  asks: 'day' | 'week' | 'month'
  /** Whether the reminder asks for an entry, to check that a limit is kept. */
  isLimit: boolean
  /** The last day on which the habit can be done. */
  lastDay: Day
  /** The progress so far; null if there is nothing to add to 'Not done'. */
  soFar: SoFar | null
}

export type SoFar =
  /** An amount, in thousandths. */
  | { reached: number; target: number; unit: string }
  /** A number of times in the period that contains the day. If `within` is a number, it is the length of the period in days. */
  | { reached: number; target: number; within: 'week' | 'month' | number }

export interface HabitSubject extends ReminderSubject {
  kind: 'habit'
  id: string
  title: string
  day: Day
  today: Day
  /** When `lastDay` ends. */
  until: Instant
}

// A push holds 4,096 bytes, and a character can take six bytes in JSON. No screen shows a longer title.
const maxTitleLength = 200

/** The line below the title. */
export function bodyOf(subject: Subject): string {
  if (subject.kind === 'focus') return subject.body
  if (subject.kind === 'habit') return bodyOfHabit(subject)
  const { dueDay, today } = subject
  if (dueDay === null) return 'On your list'
  if (dueDay === today) return 'Due today'
  if (dueDay === addDays(today, 1)) return 'Due tomorrow'
  return `${dueDay < today ? 'Was due' : 'Due'} on ${formatDay(dueDay, today)}`
}

function bodyOfHabit({ asks, isLimit, day, today, lastDay, soFar }: HabitSubject): string {
  const what = isLimit ? 'Nothing entered' : 'Not done'
  if (today <= lastDay) {
    const present = `${what} yet ${asks === 'day' ? 'today' : `this ${asks}`}`
    return soFar ? `${present}, ${formatSoFar(soFar)}` : present
  }
  if (asks === 'day')
    return `${what} on ${today < addDays(day, 7) ? formatWeekday(day) : formatDay(day, today)}`
  const endOfNext = asks === 'week' ? addDays(lastDay, 7) : lastOfMonth(addDays(lastDay, 1))
  return today <= endOfNext ? `${what} last ${asks}` : `${what} in a previous ${asks}`
}

/** '3 of 8 glasses', '2 of 3 this week' */
function formatSoFar(soFar: SoFar): string {
  if ('unit' in soFar) {
    return `${formatAmount(soFar.reached)} of ${formatAmount(soFar.target)} ${soFar.unit}`
  }
  const { reached, target, within } = soFar
  return `${reached} of ${target} ${typeof within === 'number' ? `in ${within} days` : `this ${within}`}`
}

export function pushMessageOf(user: string, subject: Subject): PushMessage {
  const { kind, id, title } = subject
  const shared = { version: 1, user, kind, id, title: shortened(title), body: bodyOf(subject) } as const
  if (subject.kind === 'focus') return { ...shared, url: '/focus' }
  if (subject.kind === 'todo') {
    const { occurrence } = subject
    return { ...shared, ...(occurrence !== undefined && { day: occurrence }), url: '/todos' }
  }
  const { day, today, lastDay, until } = subject
  const ofHabit: PushMessage = { ...shared, day, url: '/habits' }
  if (today > lastDay) return ofHabit
  // The message may arrive hours later, when the browser is back online. `endedBody` is for after the period has ended.
  const endedBody = bodyOf({ ...subject, today: addDays(lastDay, 1) })
  return { ...ofHabit, until: instantToWire(until), endedBody }
}

export function testMessageOf(user: string, device: string): PushMessage {
  return {
    version: 1,
    user,
    kind: 'test',
    id: device,
    title: 'Reminders work on this device',
    body: 'This is what a reminder looks like.',
    url: '/settings',
  }
}

const amountFormat = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

/** Formats an amount in thousandths: 1500 becomes '1.5'. */
function formatAmount(amount: number): string {
  return amountFormat.format(amount / 1_000)
}

/** Cuts a title to the length that notifications and mail can show. */
export function shortened(title: string): string {
  if (title.length <= maxTitleLength) return title
  return `${title.slice(0, maxTitleLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function formatWeekday(day: Day): string {
  return Temporal.PlainDate.from(day).toLocaleString('en-GB', { weekday: 'long' })
}

function formatDay(day: Day, today: Day): string {
  return Temporal.PlainDate.from(day).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })
}
