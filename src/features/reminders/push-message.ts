import { addDays, type Day } from '#platform/calendar/day.ts'
import type { PushMessage } from './reminder.ts'

/** What there is to be reminded of, as it is when it is said. */
export type Subject =
  | { kind: 'habit'; id: string; title: string; frequency: 'daily' | 'weekly'; day: Day }
  | { kind: 'todo'; id: string; title: string; dueDay: Day | null; today: Day }

// A push holds 4,096 bytes, of which a title in JSON can take six for a character; more than this no screen shows.
const longestTitle = 200

/** The one line below its title. */
export function bodyOf(subject: Subject): string {
  if (subject.kind === 'habit') {
    return subject.frequency === 'daily' ? 'Not done yet today' : 'Not done yet this week'
  }
  const { dueDay, today } = subject
  if (dueDay === null) return 'To do'
  if (dueDay === today) return 'Due today'
  if (dueDay === addDays(today, 1)) return 'Due tomorrow'
  const day = Temporal.PlainDate.from(dueDay).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(dueDay.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })
  return `${dueDay < today ? 'Was due' : 'Due'} on ${day}`
}

export function pushMessageOf(user: string, subject: Subject): PushMessage {
  const { kind, id, title } = subject
  const shown = { version: 1, user, kind, id, title: shortened(title), body: bodyOf(subject) } as const
  const actions = ['done', 'later'] satisfies PushMessage['actions']
  if (subject.kind === 'habit') return { ...shown, day: subject.day, actions, url: '/habits' }
  return { ...shown, actions, url: '/todos' }
}

export function testMessageOf(user: string, device: string): PushMessage {
  return {
    version: 1,
    user,
    kind: 'test',
    id: device,
    title: 'Reminders arrive here',
    body: 'This is how Daymark reminds you.',
    actions: [],
    url: '/settings',
  }
}

/** A title as far as anybody reads it here. */
export function shortened(title: string): string {
  if (title.length <= longestTitle) return title
  return `${title.slice(0, longestTitle - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
