import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Alarm, usersWithDueAlarms } from '#platform/alarms/alarm-store.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { storageProblemOf } from '#platform/database/storage-problem.ts'
import { loggable } from '#platform/http/request-log.ts'
import { type Mail, type MailOutcome, patience as mailPatience } from '#platform/mail/mailer.ts'
import { type Pusher, patience as pushPatience } from '#platform/push/pusher.ts'
import { comeDue, latest } from '../come-due.ts'
import { pushMessageOf, type Subject } from '../push-message.ts'
import type { Outcome, Reminder } from '../reminder.ts'
import { type LaneWishes, openLane } from './delivery-lane.ts'
import { type Delivery, type Due, fireDueAlarms, type Result, recordResults } from './delivery-store.ts'
import { findPushDevice } from './push-device-store.ts'
import { reminderMail } from './reminder-mail.ts'
import { pushMessage } from './send-push.ts'

type Tx = Parameters<Parameters<typeof fireDueAlarms>[3]>[0]

/** What the application hands in, so that no feature knows another. */
export interface RemindingParts {
  database: Database
  log: Logger
  clock: () => Instant
  pusher: Pusher
  /** Undefined where no mail is sent. `baseUrl`: where its links lead. */
  mail: { try(mail: Mail): Promise<MailOutcome>; baseUrl: string } | undefined
  mailAddressOf(user: string): Promise<{ name: string; email: string } | undefined>
  /** The reminders of some habits by user and id, and the calendars of their users. */
  remindersOf(
    tx: Tx,
    habits: readonly { user: string; id: string }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Reminder>>>
  calendarsOf(
    tx: Tx,
    users: readonly string[],
  ): Promise<ReadonlyMap<string, { time_zone: string; day_start: number }>>
  /** Keeps of to-dos that they were reminded of; answers those that cannot be now, and are to be asked of again. */
  keepReminded(
    tx: Tx,
    todos: readonly { user: string; id: string }[],
  ): Promise<readonly { user: string; id: string }[]>
  /** What there is to say, as it is now; undefined where it is done or gone. */
  subjectOf(
    delivery: Pick<Delivery, 'user_id' | 'kind' | 'row_id' | 'day' | 'due_at'>,
  ): Promise<Subject | undefined>
}

export interface Reminding {
  /** Says all that is to be said by now, and resolves when that is done. */
  remindNow(): Promise<void>
  /** Reminds of whatever comes due from now on. */
  begin(): void
  /** Ends what is under way, within `patience` milliseconds, and leaves the rest to others or to the next start. */
  close(patience: number): Promise<void>
}

// Milliseconds between two looks at what is due, and after one that failed.
const every = 2_000
const afterFailure = 15_000
// By then somebody may have put right what made an alarm unreadable.
const afterUnreadable = 60 * 60_000
// Alarms that one write turns into deliveries: few, since on SQLite everybody else's writes wait meanwhile.
const alarmsAtOnce = 10
// A process that is killed has sent as many at most as these lanes hold, without having recorded it, and another says them
// a second time.
export const pushes: LaneWishes = { kind: 'push', slots: 8, aside: 56, patience: pushPatience }
const mails: LaneWishes = { kind: 'mail', slots: 4, aside: 0, patience: mailPatience }
// Milliseconds until the next try, twice as many with each, unless the push service asks for more.
const firstPause = 30_000
const longestPause = 60 * 60_000

/** Reminds people of what is due, once, together with however many other processes on the same database. */
export function openReminding(parts: RemindingParts): Reminding {
  const { database, log, clock } = parts
  const record = recorder(database)
  const turns = usersWithDueAlarms(database)
  const closing = new AbortController()
  const loops: Promise<void>[] = []

  /** Alarms into deliveries. */
  async function fireAll(): Promise<void> {
    let skipped = 0
    while (!closing.signal.aborted) {
      const now = clock()
      const users = await turns.next(now, alarmsAtOnce)
      const mostOfEach = Math.floor(alarmsAtOnce / users.length)
      const fired = await fireDueAlarms(database, now, { users, mostOfEach }, (tx, alarms) =>
        decideEach(parts, tx, alarms, now),
      )
      if (fired.alarms === 0) break
      skipped += fired.skipped
      await soon()
    }
    if (skipped > 0) log.warn({ skipped }, 'Reminders were due too long ago to be sent')
  }

  let ends: Record<string, number> = {}

  /** Sends one delivery, and records what became of it. */
  async function send(delivery: Delivery): Promise<void> {
    const result = await deliver(parts, delivery).catch((error): Result => {
      if (storageProblemOf(error) === undefined) {
        log.error(
          { kind: delivery.kind, error: loggable(error) },
          'A reminder could not be sent; it is tried again',
        )
      }
      return { delivery, end: 'failed', retryAt: nextTry(delivery, clock()) }
    })
    ends[result.end] = (ends[result.end] ?? 0) + 1
    await record(result)
  }

  const lanes = [pushes, mails].map((wishes) => openLane(database, clock, wishes, closing.signal, send))

  /** Deliveries into pushes or mail, until none is left. */
  async function sendAll(lane: (typeof lanes)[number]): Promise<void> {
    try {
      await lane.sendAll()
    } finally {
      if (Object.keys(ends).length > 0) log.info(ends, 'Reminded')
      ends = {}
    }
  }

  async function keepOn(work: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      let wait = every
      try {
        await work()
      } catch (error) {
        if (storageProblemOf(error) === undefined) {
          log.error({ error: loggable(error) }, 'Reminding failed; it is tried again')
        }
        wait = afterFailure
      }
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  return {
    async remindNow() {
      await fireAll()
      await Promise.all(lanes.map(sendAll))
    },
    begin() {
      loops.push(keepOn(fireAll), ...lanes.map((lane) => keepOn(() => sendAll(lane))))
    },
    async close(patience) {
      closing.abort()
      const over = new AbortController()
      const cutting = pause(patience, undefined, { signal: over.signal }).catch(() => {})
      await Promise.race([Promise.all(loops), cutting])
      over.abort()
    },
  }
}

/** What comes of alarms that are due. One of which that cannot be said is looked at later, and holds up none of the others. */
async function decideEach(
  parts: RemindingParts,
  tx: Tx,
  alarms: readonly Alarm[],
  now: Instant,
): Promise<Due[]> {
  try {
    return await decide(parts, tx, alarms, now)
  } catch (error) {
    // That is not for the alarms to be put off by.
    if (storageProblemOf(error) !== undefined) throw error
    const [alarm] = alarms
    if (alarm && alarms.length === 1) {
      parts.log.error(
        { kind: alarm.kind, error: loggable(error) },
        'An alarm could not be read; it is put off',
      )
      return [{ alarm, skipped: 0, next: { ...alarm, due_at: now + afterUnreadable } }]
    }
    const due: Due[] = []
    for (const each of alarms) due.push(...(await decideEach(parts, tx, [each], now)))
    return due
  }
}

async function decide(
  { remindersOf, calendarsOf, keepReminded }: RemindingParts,
  tx: Tx,
  alarms: readonly Alarm[],
  now: Instant,
): Promise<Due[]> {
  const ofHabits = alarms.filter(({ kind }) => kind === 'habit')
  const habits = ofHabits.map(({ user_id, row_id }) => ({ user: user_id, id: row_id }))
  const reminders = habits.length > 0 ? await remindersOf(tx, habits) : new Map()
  const calendars = await calendarsOf(
    tx,
    habits.map(({ user }) => user),
  )
  const ofTodos = alarms.filter(({ kind }) => kind === 'todo')
  const left = await keepReminded(
    tx,
    ofTodos.map(({ user_id, row_id }) => ({ user: user_id, id: row_id })),
  )
  const isLeft = ({ user_id, row_id }: Alarm) =>
    left.some(({ user, id }) => user === user_id && id === row_id)
  return alarms.flatMap((alarm): Due | [] => {
    const { kind, user_id, row_id, due_at, day, reminded_on } = alarm
    if (kind === 'todo' && isLeft(alarm)) return []
    if (kind !== 'habit') {
      return now - due_at > latest ? { alarm, skipped: 1 } : { alarm, skipped: 0, say: { due_at, day } }
    }
    const reminder = reminders.get(user_id)?.get(row_id)
    const calendar = calendars.get(user_id)
    if (!reminder || !calendar) return { alarm, skipped: 0 }
    const { time_zone, day_start } = calendar
    const { say, skipped, next, remindedOn } = comeDue(reminder, due_at, now, time_zone, reminded_on)
    return {
      alarm,
      skipped,
      say: say === undefined ? undefined : { due_at: say, day: dayOf(say, time_zone, day_start) },
      next: { due_at: next, reminded_on: remindedOn },
    }
  })
}

/** Says one delivery, and what became of it. */
async function deliver(parts: RemindingParts, delivery: Delivery): Promise<Result> {
  const { clock, subjectOf } = parts
  const dropped = { delivery, end: 'dropped' } as const
  if (clock() - delivery.due_at > latest) return { delivery, end: 'skipped' }
  const subject = await subjectOf(delivery)
  if (!subject) return dropped
  const sent = await (delivery.target === 'mail'
    ? mailReminder(parts, delivery, subject)
    : pushReminder(parts, delivery, subject))
  if (!sent) return dropped
  const { outcome, endpoint, retryAfter = 0 } = sent
  const at = clock()
  if (outcome === 'gone') return { delivery, end: 'gone', endpoint, at }
  if (outcome !== 'unreachable') return { delivery, end: outcome, endpoint, at }
  return { delivery, end: outcome, endpoint, at, retryAt: nextTry(delivery, at, retryAfter) }
}

/** Undefined when it would be too late to be said. */
function nextTry({ tries, due_at }: Delivery, now: Instant, retryAfter = 0): Instant | undefined {
  const backOff = Math.min(firstPause * 2 ** tries, longestPause)
  const retryAt = now + Math.max(backOff, retryAfter * 1000)
  return retryAt - due_at > latest ? undefined : retryAt
}

interface Sent {
  outcome: Outcome | 'gone'
  /** Where a push went. */
  endpoint?: string
  retryAfter?: number | undefined
}

async function pushReminder(
  { database, pusher, clock }: RemindingParts,
  { user_id, target, due_at }: Delivery,
  subject: Subject,
): Promise<Sent | undefined> {
  const device = await findPushDevice(database, user_id, target, clock())
  if (!device) return undefined
  const ttl = (due_at + latest - clock()) / 1000
  const pushed = await pushMessage(pusher, device, pushMessageOf(user_id, subject), ttl)
  return { ...pushed, endpoint: device.endpoint }
}

async function mailReminder(
  { mail, mailAddressOf }: RemindingParts,
  { user_id }: Delivery,
  subject: Subject,
): Promise<Sent | undefined> {
  const address = mail && (await mailAddressOf(user_id))
  if (!address) return undefined
  return { outcome: await mail.try(reminderMail(address, subject, mail.baseUrl)) }
}

/** Those that end while a write is under way share the next one. Resolves when the result is written. */
function recorder(database: Database): (result: Result) => Promise<void> {
  let collecting: { results: Result[]; written: Promise<void> } | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()
  return (result) => {
    if (!collecting) {
      const results: Result[] = []
      const written = lastWrite.then(() => {
        collecting = undefined
        return recordResults(database, results)
      })
      lastWrite = written.catch(() => {})
      collecting = { results, written }
    }
    collecting.results.push(result)
    return collecting.written
  }
}
