interface Words {
  /** Whose it is. */
  user: string
  title: string
  body: string
  /** The page to open. */
  url: string
}

/** Of a habit or a to-do. */
export interface AnswerableReminder extends Words {
  kind: 'habit' | 'todo'
  id: string
  /** The day that a habit's is about. */
  day: string | undefined
}

/** What a push brings, once it was read. */
export type PushedReminder = AnswerableReminder | (Words & { kind: 'test' })

/**
 * Undefined where it is none of ours, or from a server that is newer than this worker. Read by hand: the words of
 * the wire stand on zod, which is too large for a worker.
 */
export function readPush(text: string | undefined): PushedReminder | undefined {
  const push = fieldsOf(text)
  const { version, user, kind, id, title, body, day } = push
  if (version !== 1 || typeof user !== 'string' || typeof title !== 'string') return undefined
  const words = { user, title, body: typeof body === 'string' ? body : '', url: ownPath(push.url) }
  if (kind === 'test') return { ...words, kind }
  if ((kind !== 'habit' && kind !== 'todo') || typeof id !== 'string' || !/^[\w-]+$/.test(id))
    return undefined
  if (kind === 'habit' && !isDay(day)) return undefined
  return { ...words, kind, id, day: isDay(day) ? day : undefined }
}

/** What 'Done' asks of the server, made at `at` (ISO 8601 in UTC). */
export function doneRequest({ kind, id, day }: AnswerableReminder, at: string): PushRequest {
  return kind === 'habit'
    ? { method: 'POST', path: `/api/habits/${id}/complete`, body: { date: day, completed: true, at } }
    : { method: 'PUT', path: `/api/todos/${id}`, body: { completed: 1, at } }
}

/** What 'In 30 minutes' asks of the server. */
export function laterRequest({ kind, id, day }: AnswerableReminder): PushRequest {
  return {
    method: 'POST',
    path: `/api/reminders/${kind}/${id}/later`,
    body: day === undefined ? {} : { day },
  }
}

export interface PushRequest {
  method: 'POST' | 'PUT'
  path: string
  body: object
}

function fieldsOf(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

/** A page of ours, whatever the push says. */
function ownPath(url: unknown): string {
  return typeof url === 'string' && /^\/[\w-]+$/.test(url) ? url : '/todos'
}
