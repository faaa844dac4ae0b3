import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Alarm, usersWithDueAlarms } from '#platform/alarms/alarm-store.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { storageProblemOf } from '#platform/database/storage/storage-problem.ts'
import { loggable } from '#platform/log/loggable.ts'
import { type Mail, type MailOutcome, sendTimeout as mailPatience } from '#platform/mail/mailer.ts'
import { type Pusher, pushTimeout as pushPatience } from '#platform/push/pusher.ts'
import { findPushDevice } from '../devices/server/push-device-store.ts'
import { pushMessage } from '../devices/server/send-push.ts'
import { longestDelay, longestPhaseDelay, settleDueReminder } from '../reminder/late-reminders.ts'
import { pushMessageOf, type Subject } from '../reminder/push-message.ts'
import type { Reminder } from '../reminder/reminder.ts'
import type { Outcome } from '../reminder/reminder-wire.ts'
import { watchForSetBack } from './clock-set-back.ts'
import { type LaneOptions, openLane } from './delivery-lane.ts'
import {
  type AlarmDecision,
  type Delivery,
  type DeliveryResult,
  fireDueAlarms,
  recordResults,
} from './delivery-store.ts'
import { type PlanAgainParts, planAgain } from './plan-again-store.ts'
import { reminderMail } from './reminder-mail.ts'

type Tx = Parameters<Parameters<typeof fireDueAlarms>[3]>[0]

/** Passed in by the application, so that no feature depends on another. */
export interface SchedulerParts extends Pick<PlanAgainParts, 'planTodosAgain'> {
  database: Database
  log: Logger
  clock: () => Instant
  pusher: Pusher
  /** Undefined if the server sends no mail. `baseUrl` is the origin for links in mail. */
  mail: { try(mail: Mail): Promise<MailOutcome>; baseUrl: string } | undefined
  mailAddressOf(user: string): Promise<{ name: string; email: string } | undefined>
  /** The reminders of habits by user and id; `calendarsOf` returns the calendars of users. */
  remindersOf(
    tx: Tx,
    habits: readonly { user: string; id: string }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Reminder>>>
  calendarsOf(
    tx: Tx,
    users: readonly string[],
  ): Promise<ReadonlyMap<string, { time_zone: string; day_start: number }>>
  /**
   * Records that to-dos were reminded of, and decides about their alarms. Leaves out alarms of locked to-dos, which are tried
   * again later.
   */
  settleTodoAlarms(
    tx: Tx,
    alarms: readonly Alarm[],
    zones: ReadonlyMap<string, string>,
    now: Instant,
  ): Promise<AlarmDecision[]>
  /** What to send now; undefined if the habit or to-do is done or gone. */
  subjectOf(
    delivery: Pick<Delivery, 'user_id' | 'kind' | 'row_id' | 'day' | 'due_at'>,
  ): Promise<Subject | undefined>
}

export interface ReminderScheduler {
  /** Sends everything that is due now, and resolves when that is done. */
  remindNow(): Promise<void>
  /** Sends reminders as they become due, from now on. */
  start(): void
  /** Finishes the deliveries in flight, within `timeout` milliseconds. The rest is left to other processes or the next start. */
  close(timeout: number): Promise<void>
}

// Milliseconds between two checks for due reminders, and after a check that failed.
const interval = 2_000
const intervalAfterFailure = 15_000
// Milliseconds until an unreadable alarm is tried again. By then, somebody may have fixed the cause.
const unreadableDelay = 60 * 60_000
// How many alarms one write turns into deliveries: few, since on SQLite all other writes wait meanwhile.
const alarmsPerWrite = 10
// If a process is killed, at most the deliveries in flight in these lanes were sent without being recorded. Another process sends
// these deliveries again.
export const pushLane: LaneOptions = { kind: 'push', slots: 8, slowSlots: 56, timeout: pushPatience }
const mailLane: LaneOptions = { kind: 'mail', slots: 4, slowSlots: 0, timeout: mailPatience }
// Milliseconds until the next try. The delay doubles with each try, unless the push service asks for a longer one.
const firstRetryDelay = 30_000
const maxRetryDelay = 60 * 60_000

/** Sends each due reminder once, even if several processes use the same database. */
export function openReminderScheduler(parts: SchedulerParts): ReminderScheduler {
  const { database, log, clock } = parts
  const record = recorder(database)
  const dueUsers = usersWithDueAlarms(database)
  const setBack = watchForSetBack(clock)
  const closing = new AbortController()
  const loops: Promise<void>[] = []

  /** How far the clock was set back since reminders were last planned, in milliseconds. */
  let setBackBy = 0

  async function planAgainIfSetBack(): Promise<void> {
    const by = setBack()
    if (by > 0)
      log.warn({ seconds: Math.round(by / 1000) }, 'The clock was set back: reminders are planned again')
    setBackBy += by
    if (setBackBy === 0) return
    await planAgain(parts, clock, setBackBy, closing.signal)
    setBackBy = 0
  }

  /** Turns due alarms into deliveries. */
  async function fireAll(): Promise<void> {
    let skipped = 0
    while (!closing.signal.aborted) {
      const now = clock()
      const users = await dueUsers.next(now, alarmsPerWrite)
      const maxPerUser = Math.floor(alarmsPerWrite / users.length)
      const fired = await fireDueAlarms(database, now, { users, maxPerUser }, (tx, alarms) =>
        decideEach(parts, tx, alarms, now),
      )
      if (fired.alarms === 0) break
      skipped += fired.skipped
      await soon()
    }
    if (skipped > 0) log.warn({ skipped }, 'Reminders were due too long ago to be sent')
  }

  let counts: Record<string, number> = {}

  /** Sends one delivery and records its outcome. */
  async function send(delivery: Delivery): Promise<void> {
    const result = await deliver(parts, delivery).catch((error): DeliveryResult => {
      if (storageProblemOf(error) === undefined) {
        log.error(
          { kind: delivery.kind, error: loggable(error) },
          'A reminder could not be sent; it is tried again',
        )
      }
      return { delivery, end: 'failed', retryAt: nextTry(delivery, clock()) }
    })
    counts[result.end] = (counts[result.end] ?? 0) + 1
    await record(result)
  }

  const lanes = [pushLane, mailLane].map((options) =>
    openLane(database, clock, options, closing.signal, send),
  )

  /** Sends all due deliveries of a lane. */
  async function sendAll(lane: (typeof lanes)[number]): Promise<void> {
    try {
      await lane.sendAll()
    } finally {
      if (Object.keys(counts).length > 0) log.info(counts, 'Reminded')
      counts = {}
    }
  }

  async function repeat(work: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      let wait = interval
      try {
        await work()
      } catch (error) {
        if (storageProblemOf(error) === undefined) {
          log.error({ error: loggable(error) }, 'Reminding failed; it is tried again')
        }
        wait = intervalAfterFailure
      }
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  return {
    async remindNow() {
      await planAgainIfSetBack()
      await fireAll()
      await Promise.all(lanes.map(sendAll))
    },
    start() {
      // The clock may have been set back while the server was not running.
      let planning: () => Promise<void> = () => planAgain(parts, clock, 0, closing.signal)
      const planOnceAndWatch = async () => {
        await planning()
        planning = planAgainIfSetBack
      }
      loops.push(
        repeat(planOnceAndWatch),
        repeat(fireAll),
        ...lanes.map((lane) => repeat(() => sendAll(lane))),
      )
    },
    async close(timeout) {
      closing.abort()
      const settled = new AbortController()
      const timingOut = pause(timeout, undefined, { signal: settled.signal }).catch(() => {})
      await Promise.race([Promise.all(loops), timingOut])
      settled.abort()
    },
  }
}

/** Decides about due alarms. An alarm that cannot be read is postponed, so that it does not hold up the others. */
async function decideEach(
  parts: SchedulerParts,
  tx: Tx,
  alarms: readonly Alarm[],
  now: Instant,
): Promise<AlarmDecision[]> {
  try {
    return await decide(parts, tx, alarms, now)
  } catch (error) {
    // A storage problem is no reason to postpone alarms.
    if (storageProblemOf(error) !== undefined) throw error
    const [alarm] = alarms
    if (alarm && alarms.length === 1) {
      parts.log.error(
        { kind: alarm.kind, error: loggable(error) },
        'An alarm could not be read; it is postponed',
      )
      return [{ alarm, skipped: 0, next: { ...alarm, due_at: now + unreadableDelay } }]
    }
    const due: AlarmDecision[] = []
    for (const each of alarms) due.push(...(await decideEach(parts, tx, [each], now)))
    return due
  }
}

async function decide(
  { remindersOf, calendarsOf, settleTodoAlarms }: SchedulerParts,
  tx: Tx,
  alarms: readonly Alarm[],
  now: Instant,
): Promise<AlarmDecision[]> {
  const ofHabits = alarms.filter(({ kind }) => kind === 'habit')
  const habits = ofHabits.map(({ user_id, row_id }) => ({ user: user_id, id: row_id }))
  const reminders = habits.length > 0 ? await remindersOf(tx, habits) : new Map()
  const ofTodos = alarms.filter(({ kind }) => kind === 'todo')
  const calendars = await calendarsOf(
    tx,
    [...ofHabits, ...ofTodos].map(({ user_id }) => user_id),
  )
  const zones = new Map(calendars.entries().map(([user, { time_zone }]) => [user, time_zone]))
  const decided = await settleTodoAlarms(tx, ofTodos, zones, now)
  const others = alarms.filter(({ kind }) => kind !== 'todo')
  const decisions = others.map((alarm): AlarmDecision => {
    const { kind, user_id, row_id, due_at, day, reminded_on } = alarm
    if (kind !== 'habit') {
      return now - due_at > longestDelayOf(kind)
        ? { alarm, skipped: 1 }
        : { alarm, skipped: 0, send: { due_at, day } }
    }
    const reminder = reminders.get(user_id)?.get(row_id)
    const calendar = calendars.get(user_id)
    if (!reminder || !calendar) return { alarm, skipped: 0 }
    const { time_zone, day_start } = calendar
    const { send, skipped, next, remindedOn } = settleDueReminder(
      reminder,
      due_at,
      now,
      time_zone,
      reminded_on,
    )
    return {
      alarm,
      skipped,
      send: send === undefined ? undefined : { due_at: send, day: dayOf(send, time_zone, day_start) },
      next: { due_at: next, reminded_on: remindedOn },
    }
  })
  return [...decided, ...decisions]
}

/** Sends one delivery and returns its outcome. */
async function deliver(parts: SchedulerParts, delivery: Delivery): Promise<DeliveryResult> {
  const { clock, subjectOf } = parts
  const dropped = { delivery, end: 'dropped' } as const
  if (clock() - delivery.due_at > longestDelayOf(delivery.kind)) return { delivery, end: 'skipped' }
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

/** Returns undefined if the next try would be too late. */
function nextTry({ kind, tries, due_at }: Delivery, now: Instant, retryAfter = 0): Instant | undefined {
  const backOff = Math.min(firstRetryDelay * 2 ** tries, maxRetryDelay)
  const retryAt = now + Math.max(backOff, retryAfter * 1000)
  return retryAt - due_at > longestDelayOf(kind) ? undefined : retryAt
}

function longestDelayOf(kind: Delivery['kind']): number {
  return kind === 'focus' ? longestPhaseDelay : longestDelay
}

interface Sent {
  outcome: Outcome | 'gone'
  /** The endpoint that a push was sent to. */
  endpoint?: string
  retryAfter?: number | undefined
}

async function pushReminder(
  { database, pusher, clock }: SchedulerParts,
  { user_id, kind, target, due_at }: Delivery,
  subject: Subject,
): Promise<Sent | undefined> {
  if (pusher.isOff) return undefined
  const device = await findPushDevice(database, user_id, target, clock())
  if (!device) return undefined
  const ttl = (due_at + longestDelayOf(kind) - clock()) / 1000
  const pushed = await pushMessage(pusher, device, pushMessageOf(user_id, subject), ttl)
  return { ...pushed, endpoint: device.endpoint }
}

async function mailReminder(
  { mail, mailAddressOf }: SchedulerParts,
  { user_id }: Delivery,
  subject: Subject,
): Promise<Sent | undefined> {
  const address = mail && (await mailAddressOf(user_id))
  if (!address) return undefined
  return { outcome: await mail.try(reminderMail(address, subject, mail.baseUrl)) }
}

/** Records results in batches: results that arrive during a write share the next write. Resolves when the result is written. */
function recorder(database: Database): (result: DeliveryResult) => Promise<void> {
  let batch: { results: DeliveryResult[]; written: Promise<void> } | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()
  return (result) => {
    if (!batch) {
      const results: DeliveryResult[] = []
      const written = lastWrite.then(() => {
        batch = undefined
        return recordResults(database, results)
      })
      lastWrite = written.catch(() => {})
      batch = { results, written }
    }
    batch.results.push(result)
    return batch.written
  }
}
