interface PushText {
  /** The user whom the push is for. */
  user: string
  title: string
  body: string
  /** What to show once the period is over: `at` is its end, in epoch milliseconds, and `body` the text. */
  ended: { at: number; body: string } | undefined
  /** The page to open. */
  url: string
}

/** A reminder of a habit or a to-do, which can be completed or snoozed from the notification. */
export interface AnswerableReminder extends PushText {
  kind: 'habit' | 'todo'
  id: string
  /** The day that a habit's reminder is about, or the day of a repeating to-do's occurrence. */
  day: string | undefined
}

/** The end of a phase of the focus timer; `id` is its run. */
export interface PushedEnd extends PushText {
  kind: 'focus'
  id: string
}

/** A push that has been parsed. */
export type PushedReminder = AnswerableReminder | PushedEnd | (PushText & { kind: 'test' })

/**
 * Returns undefined for pushes that are not ours, or are from a server newer than this worker. Does not use the shared schemas:
 * they need zod, which is too large for a worker.
 */
export function readPush(text: string | undefined): PushedReminder | undefined {
  const push = fieldsOf(text)
  const { version, user, kind, id, title, body, day } = push
  if (version !== 1 || typeof user !== 'string' || typeof title !== 'string') return undefined
  const shared = {
    user,
    title,
    body: typeof body === 'string' ? body : '',
    ended: endOf(push),
    url: ownPath(push.url),
  }
  if (kind === 'test') return { ...shared, kind }
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) return undefined
  if (kind === 'focus') return { ...shared, kind, id }
  if (kind !== 'habit' && kind !== 'todo') return undefined
  if (kind === 'habit' && !isDay(day)) return undefined
  return { ...shared, kind, id, day: isDay(day) ? day : undefined }
}

/** Whether the period that the push is about is over at an instant. */
export function hasEnded({ ended }: PushedReminder, now: number): boolean {
  return ended !== undefined && now >= ended.at
}

/** The path of the list that says whether the row is done. There is no endpoint for a single row. */
export function statePath({ kind }: AnswerableReminder): string {
  return kind === 'habit' ? '/api/habits' : '/api/todos'
}

/** What the response of the path `statePath` says about the row; undefined if the response has an unknown format. */
export function stateIn(push: AnswerableReminder, response: unknown): 'open' | 'done' | 'gone' | undefined {
  const rows = fieldOf(response, push.kind === 'habit' ? 'habits' : 'todos')
  if (!Array.isArray(rows)) return undefined
  const row: unknown = rows.find((each) => fieldOf(each, 'id') === push.id)
  if (row === undefined) return 'gone'
  return (push.kind === 'habit' ? isHabitDone(row, push.day) : isTodoDone(row, push.day)) ? 'done' : 'open'
}

function isTodoDone(todo: unknown, occurrence: string | undefined): boolean {
  if (fieldOf(todo, 'completed') === 1) return true
  const settled = fieldOf(todo, 'settled')
  if (occurrence === undefined || !Array.isArray(settled)) return false
  return settled.some((row) => fieldOf(row, 'day') === occurrence && fieldOf(row, 'state') !== 'open')
}

/**
 * Whether the habit is done or skipped on the day of the reminder, or is paused or archived. A limit counts as done once
 * something has been entered. If the reminder asks for a whole week or month, the habit also counts as done if its current period
 * is done, or if it was done since the day of the reminder.
 */
function isHabitDone(habit: unknown, day: string | undefined): boolean {
  if (day === undefined) return false
  const done = daysIn(fieldOf(habit, 'recent'))
  if ([...done, ...daysIn(fieldOf(habit, 'skipped'))].includes(day)) return true
  if (typeof fieldOf(habit, 'archived_at') === 'string') return true
  if (fieldOf(fieldOf(habit, 'today'), 'state') === 'paused') return true
  const completed = fieldOf(habit, 'completed') === true
  if (fieldOf(fieldOf(habit, 'target'), 'at') === 'most') return completed
  return asksForPeriod(habit) && (completed || done.some((each) => each >= day))
}

/**
 * Whether the reminder asks for a whole period: for Weekly, and for an amount summed over a week or month. For all others,
 * `completed` is about today alone.
 */
function asksForPeriod(habit: unknown): boolean {
  const { per } = fieldsIn(fieldOf(habit, 'target'))
  if (per === 'week' || per === 'month') return true
  const rhythm = fieldsIn(fieldOf(habit, 'rhythm'))
  return rhythm.times === 1 && rhythm.per === 'week'
}

/**
 * The request that 'Done' sends. It contains no time: the press takes effect at once, and the clock of this device may be wrong.
 */
export function doneRequest({ kind, id, day }: AnswerableReminder): PushRequest {
  if (kind === 'habit') {
    return { method: 'POST', path: `/api/habits/${id}/complete`, body: { date: day, completed: true } }
  }
  if (day === undefined) return { method: 'PUT', path: `/api/todos/${id}`, body: { completed: 1 } }
  return { method: 'PUT', path: `/api/todos/${id}/days/${day}`, body: { state: 'done' } }
}

/** The result of pressing 'Done' or 'Remind me in 30 min'. */
export type PressOutcome = 'done' | 'signed-out' | 'gone' | 'early' | 'over' | 'broken' | 'unreachable'

/**
 * What the response's status says about a press. Other statuses come from a proxy in front of the server, or from a busy server.
 */
export function pressOutcome(status: number): PressOutcome {
  if (status >= 200 && status < 300) return 'done'
  return outcomes[status] ?? 'unreachable'
}

const outcomes: Record<number, PressOutcome> = {
  401: 'signed-out',
  404: 'gone',
  409: 'early',
  422: 'over',
  500: 'broken',
}

/** The request that 'Remind me in 30 min' sends. */
export function snoozeRequest({ kind, id, day }: AnswerableReminder): PushRequest {
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

function endOf({ until, endedBody }: Record<string, unknown>): PushText['ended'] {
  const at = typeof until === 'string' ? Date.parse(until) : Number.NaN
  return Number.isNaN(at) || typeof endedBody !== 'string' ? undefined : { at, body: endedBody }
}

function fieldsOf(text: string | undefined): Record<string, unknown> {
  try {
    return fieldsIn(JSON.parse(text ?? ''))
  } catch {
    return {}
  }
}

function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function fieldOf(value: unknown, name: string): unknown {
  return fieldsIn(value)[name]
}

function daysIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isDay) : []
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

/** Accepts only paths of this app, whatever the push contains. */
function ownPath(url: unknown): string {
  return typeof url === 'string' && /^\/[\w-]+$/.test(url) ? url : '/todos'
}
