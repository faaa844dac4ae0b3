import { addDays, type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { PushMessage } from './reminder.ts'

/** What a reminder is about, as it is when it is sent, on the person's day `today`. */
export type Subject =
  | {
      kind: 'habit'
      id: string
      title: string
      frequency: 'daily' | 'weekly'
      day: Day
      today: Day
      /** The last day of the period that contains `day`, and when that period ends. */
      lastDay: Day
      until: Instant
    }
  /** `occurrence`: of a to-do that repeats the day by which it is known what is due. */
  | { kind: 'todo'; id: string; title: string; dueDay: Day | null; occurrence?: Day | undefined; today: Day }

// A push holds 4,096 bytes, and a title in JSON can take six for a character. No screen shows more than this.
const maxTitleLength = 200

/** The line below the title. */
export function bodyOf(subject: Subject): string {
  const { today } = subject
  if (subject.kind === 'habit') {
    const { frequency, day, lastDay } = subject
    if (frequency === 'daily') {
      if (today <= lastDay) return 'Not done yet today'
      return `Not done on ${today < addDays(day, 7) ? formatWeekday(day) : formatDay(day, today)}`
    }
    if (today <= lastDay) return 'Not done yet this week'
    return today <= addDays(lastDay, 7) ? 'Not done last week' : 'Not done in a previous week'
  }
  const { dueDay } = subject
  if (dueDay === null) return 'On your list'
  if (dueDay === today) return 'Due today'
  if (dueDay === addDays(today, 1)) return 'Due tomorrow'
  return `${dueDay < today ? 'Was due' : 'Due'} on ${formatDay(dueDay, today)}`
}

export function pushMessageOf(user: string, subject: Subject): PushMessage {
  const { kind, id, title } = subject
  const shared = { version: 1, user, kind, id, title: shortened(title), body: bodyOf(subject) } as const
  if (subject.kind === 'todo') {
    const { occurrence } = subject
    return { ...shared, ...(occurrence !== undefined && { day: occurrence }), url: '/todos' }
  }
  const { day, today, lastDay, until } = subject
  const ofHabit: PushMessage = { ...shared, day, url: '/habits' }
  if (today > lastDay) return ofHabit
  // It may arrive hours after it was sent, when the browser is back online.
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

/** The part of a title that anybody will read here. */
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
