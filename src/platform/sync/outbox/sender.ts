import type { Instant } from '#platform/calendar/day.ts'
import { findDeclaredWrite } from '../collections/overlay.ts'
import type { AnyWrite, Moving } from '../collections/write.ts'
import { deviceTimeOf } from '../local-store/change-timestamp.ts'
import { isOfSameRow, type QueuedWrite, rowKey, type WriteFailure } from '../local-store/queued-write.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import { backOff } from '../network/back-off.ts'
import { aheadIn, eraNow } from '../network/era.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'
import type { ServerClock } from '../network/server-clock.ts'
import { settleDoubts } from '../network/settle-doubts.ts'
import { Sleeper } from '../network/sleeper.ts'
import { asLeader, type Leadership } from '../tabs/leader.ts'
import { batchRequest, batchResults, fitIntoRequest, type Sendable, type WriteResult } from './batch.ts'
import { removeWrite, reportLate } from './failed-writes.ts'
import { type KnownTime, lacksTimestamp } from './late-timestamps.ts'
import type { Outbox } from './outbox.ts'
import { saysAnew } from './says-anew.ts'
import { acknowledge, addTimestamps, sentVars } from './sent-writes.ts'

export type SenderState =
  /** Another tab is the leader, or no tab is yet. */
  | 'standby'
  | 'idle'
  | 'sending'
  /** Every remaining row is blocked by something on the way to the server. Each is retried later. */
  | 'waiting'
  /** No response: waits, and tries again when woken. */
  | 'blocked'
  /** The server asked to pause requests for a while. */
  | 'throttled'
  /** Waits for the same person to sign in again. */
  | 'signed-out'
  /** Only writes that this build cannot send are left. */
  | 'stuck'

export interface SenderParts {
  replica: TabReplica
  outbox: Outbox
  clock: ServerClock
  writes: ReadonlyMap<string, AnyWrite>
  leadership(): Omit<Leadership, 'stalled'>
  /** Whether the person is looking at this tab. */
  visible(): boolean
  sendRequest(request: ApiRequest, signal: AbortSignal): Promise<RequestResult>
  /** Sends a request that a working server always answers. Resolves with whether it responded. */
  probe(): Promise<boolean>
  /** Reads a collection again after the server responded to writes to it. Settles when that has succeeded or failed. */
  refresh(collection: string): Promise<unknown>
  onSignedOut(): void
  /** Called after each request. `problem`: why the server could not store the writes, in its own words; undefined if it could. */
  onStorageProblem(problem: string | undefined): void
  onState(): void
  /** Tells the leader to check whether it can send. */
  nudgeLeader(): void
  /** Resolves after `milliseconds`. Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds. Results that come this close together lead to one read of the collection. */
const readDelay = 150
/** Milliseconds after which the leader counts as stalled; longer than a request may take. */
const stallTimeout = 45_000
const nudgeInterval = 3_000
/** A page whose person has to sign in stops sending. One that goes on was refused by mistake, and asks again. */
const signedOutRetryDelay = 60_000
/** How often a write is sent if something else responds in the server's place, such as a firewall that blocks its text. */
const maxAttemptsWhenBlocked = 3
/** How often a write is sent if it gets no response at all while the server responds to others. */
const maxAttemptsInSilence = 10
/** The fewest writes that are sent as a batch. Fewer writes are sent one by one to their own endpoints. */
const minBatch = 4
const blockedReason = 'The server, or something in front of it, refuses this change.'
const otherVersionReason = "It was made in another version of Daymark. It's kept on this device."

/**
 * Sends an account's queued writes while this tab is the leader, several in one request. The writes of one row are sent in order,
 * and trouble with one row never holds up another.
 */
export class Sender {
  state: SenderState = 'standby'
  #parts: SenderParts
  #running: AbortController | undefined
  #sleeper: Sleeper
  #failures = 0
  /** How often each write got no response while the server responded to others. */
  #attempts = new Map<string, number>()
  /** How often the browser's connection has changed, so far and when the last request was sent. */
  #connections = 0
  #connectionsWhenSent = 0
  /** The rows that are skipped for a while, because their first write waits to be retried. */
  #pausedRows = new Map<string, AbortController>()
  /** The ids of writes in a batch that got no response: one of them may be the cause. */
  #suspects: ReadonlySet<string> = new Set()
  /**
   * The ids of writes that the server refused because their row is gone, while later queued changes may still bring the row back.
   */
  #undecided = new Set<string>()
  #unread = new Set<string>()
  #reading = new Set<string>()

  /** For each waiting write without a timestamp: the clock's era (`era.ts`) and reading when this tab first saw the write. */
  #eras = new Map<string, { era: number; seen: Instant }>()
  /** The ids of the writes that were already queued when this sender started. */
  #earlier: ReadonlySet<string> | undefined
  #stopNoting = () => {}

  constructor(parts: SenderParts) {
    this.#parts = parts
    parts.clock.settleDoubtsBy(settleDoubts)
    this.#sleeper = new Sleeper(parts.pause)
  }

  get running(): boolean {
    return this.#running !== undefined
  }

  start(): void {
    this.stop()
    this.#running = new AbortController()
    const { outbox } = this.#parts
    this.#stopNoting = outbox.subscribe(() => this.#noteEras())
    void outbox.ready.then(() => {
      this.#earlier ??= new Set(outbox.queued.map(({ id }) => id))
    })
    void this.#run(this.#running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#stopNoting()
    this.#setState('standby')
  }

  /** Call it when there may be something to send, or a server to send it to. */
  wake(): void {
    this.#sleeper.wake()
  }

  /** Call it when the connection may have changed or the person may be back: stops all waiting. */
  tryNow(): void {
    this.#resumeRows()
    this.#sleeper.wake()
    if (this.running) void this.#findUntold()
  }

  /** Call it when the browser's connection has changed: earlier requests may have failed only for want of a connection. */
  connectionChanged(): void {
    this.#connections += 1
    this.tryNow()
  }

  /** Finds the writes of pages that died before they could tell this one. */
  async #findUntold(): Promise<void> {
    await this.#parts.replica.reread()
    // Whatever else it does, it looks for further writes by itself, and a wake-up would cut its next wait short.
    if (this.state === 'idle' || this.state === 'waiting') this.#sleeper.wake()
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { outbox, nudgeLeader } = this.#parts
    let yielded = false
    await outbox.ready
    // A page that died may have left writes that the leader was never told of.
    if (outbox.queued.length > 0) nudgeLeader()
    while (!signal.aborted) {
      try {
        this.#setState('standby')
        const leadership = {
          ...this.#parts.leadership(),
          stalled: (waiting: AbortSignal) => this.#stalled(waiting),
        }
        if (!(await asLeader(leadership, signal, (whileLeader) => this.#sendAll(whileLeader)))) continue
        // Only writes that this build cannot send are left. Another tab may run a build that can, so let it lead first.
        if (yielded) await this.#holdUnsendable(signal)
        yielded = true
      } catch (error) {
        if (signal.aborted) return
        console.warn('Sending stopped and starts again', error)
        this.#failures += 1
        await this.#sleeper.sleep(signal, backOff(this.#failures, this.#parts.visible())).catch(() => {})
      }
    }
  }

  /** Resolves if a write waits, the person looks at this tab, and the leader sends nothing. */
  async #stalled(signal: AbortSignal): Promise<void> {
    const { outbox, pause, visible } = this.#parts
    for (;;) {
      const first = outbox.queued[0]?.id
      const over = new AbortController()
      this.#nudgeRepeatedly(AbortSignal.any([signal, over.signal])).catch(() => {})
      await pause(stallTimeout, signal)
      over.abort()
      if (first !== undefined && first === outbox.queued[0]?.id && visible()) return
    }
  }

  /** Wakes the leader every few seconds while writes wait: a hidden leader checks less often whether the server is back. */
  async #nudgeRepeatedly(signal: AbortSignal): Promise<void> {
    const { outbox, pause, visible, nudgeLeader } = this.#parts
    for (;;) {
      await pause(nudgeInterval, signal)
      if (outbox.queued.length > 0 && visible()) nudgeLeader()
    }
  }

  async #holdUnsendable(signal: AbortSignal): Promise<void> {
    for (const write of this.#parts.outbox.queued) {
      if (!this.#requestOf(write)) this.#parts.outbox.hold(write, otherVersionReason)
    }
    this.#setState('stuck')
    await this.#sleeper.sleep(signal)
  }

  /** Sends until only writes that this build cannot send are left. */
  async #sendAll(signal: AbortSignal): Promise<void> {
    const { replica, outbox } = this.#parts
    await replica.reread()
    this.#undecided.clear()
    this.#resumeRows()
    this.#findUnread()
    for (;;) {
      signal.throwIfAborted()
      const sendable = this.#sendable()
      if (sendable.length > 0) {
        await this.#send(this.#batch(sendable), signal)
        continue
      }
      this.#setState(this.#pausedRows.size > 0 ? 'waiting' : 'idle')
      if (this.#unread.size > 0) {
        const quiet = await this.#sleeper.sleep(signal, readDelay)
        if (quiet) this.#refresh()
        continue
      }
      if (outbox.queued.length > 0 && this.#pausedRows.size === 0) return
      await this.#sleeper.sleep(signal)
      this.#findUnread()
    }
  }

  /**
   * Finds accepted writes that no read includes yet: a read may have failed, or the tab that should have read may have closed.
   */
  #findUnread(): void {
    for (const collection of this.#parts.outbox.unread)
      if (!this.#reading.has(collection)) this.#unread.add(collection)
  }

  /** Everything that can be sent now, in order. Writes that build on an unsendable write wait with it. */
  #sendable(): Sendable[] {
    const held = new Set<string>()
    const sendable: Sendable[] = []
    for (const write of this.#parts.outbox.queued) {
      const row = rowKey(write)
      if (held.has(row) || this.#pausedRows.has(row)) continue
      if (this.#undecided.has(write.id) && this.#hasLater(write)) continue
      const request = this.#requestOf(write)
      if (request) sendable.push({ write, request })
      else held.add(row)
    }
    return sendable
  }

  #requestOf(write: QueuedWrite): ApiRequest | undefined {
    try {
      const declared = findDeclaredWrite(this.#parts.writes, write)
      return declared && { ...declared.request(sentVars(write)), headers: declared.collection.headers }
    } catch {
      return undefined
    }
  }

  /** What to send next. A retried write is sent alone. Batches that got no response are halved until the cause is found. */
  #batch(sendable: readonly Sendable[]): readonly Sendable[] {
    const retried = sendable.find(({ write }) => this.#attempts.has(write.id))
    if (retried) return [retried]
    const suspects = sendable.filter(({ write }) => this.#suspects.has(write.id))
    if (suspects.length > 0) return fitIntoRequest(suspects.slice(0, Math.ceil(suspects.length / 2)))
    return sendable.length < minBatch ? sendable.slice(0, 1) : fitIntoRequest(sendable)
  }

  async #send(batch: readonly Sendable[], signal: AbortSignal): Promise<void> {
    this.#setState('sending')
    // This request serves all earlier wake-ups; a later one calls for another request.
    this.#sleeper.clearWakeUp()
    this.#connectionsWhenSent = this.#connections
    if (batch.some(({ write }) => lacksTimestamp(write))) return this.#addTimestamps(signal)
    const [first, ...others] = batch
    const isBatch = others.length > 0
    if (!first) return
    const result = await this.#parts.sendRequest(isBatch ? batchRequest(batch) : first.request, signal)
    signal.throwIfAborted()
    if (!isBatch || result.kind === 'signed-out') {
      return this.#settle([{ write: first.write, result }], signal)
    }
    const results = result.kind === 'done' && batchResults(batch, result.body, result.date)
    if (results) return this.#settle(results, signal)
    // Sending fewer at a time finds the write that causes the failure.
    if (result.kind !== 'none' || (await this.#serverRespondsToOthers(result, signal))) {
      this.#suspects = new Set(batch.map(({ write }) => write.id))
    }
  }

  /** Acknowledges the writes that the server accepted and removes those it refused. */
  async #settle(results: readonly WriteResult[], signal: AbortSignal): Promise<void> {
    const { replica, clock } = this.#parts
    if (results.some(({ result }) => result.kind === 'signed-out')) {
      this.#setState('signed-out')
      this.#parts.onSignedOut()
      await this.#sleeper.sleep(signal, signedOutRetryDelay)
      return
    }
    this.#parts.onStorageProblem(results.map(({ result }) => storageProblemOf(result)).find(Boolean))
    const refused: { write: QueuedWrite; result: Refused }[] = []
    const done: QueuedWrite[] = []
    for (const { write, result } of results) {
      if (result.kind !== 'done' && result.kind !== 'refused') continue
      this.#failures = 0
      this.#attempts.delete(write.id)
      this.#unread.add(write.list)
      if (result.kind === 'done') clock.took(write.at, result.date)
      if (result.kind === 'done' || (isGone(result) && this.#isFineWhenGone(write))) done.push(write)
      else refused.push({ write, result })
    }
    // A write without a response stays a suspect: otherwise a later write of its row could be sent first.
    const decided = new Set([...done, ...refused.map(({ write }) => write)].map(({ id }) => id))
    this.#suspects = new Set([...this.#suspects].filter((id) => !decided.has(id)))
    for (const { write, result } of results) if (result.kind === 'done') await this.#tellLate(write, result)
    // Earlier writes to the row of an accepted write may have been refused because the row was gone. The row is back now, and the
    // server has their changes too.
    await acknowledge(
      replica,
      done.flatMap((write) => [...this.#undecidedBefore(write), write]),
    )
    // Another tab may have queued a later change to a missing row, which this tab does not know yet.
    if (refused.some(({ result }) => isGone(result))) await replica.reread()
    for (const { write, result } of refused) await this.#refuse(write, result)
    for (const { write, result } of results) {
      if (result.kind === 'none') return this.#handleNoResponse(write, result, signal)
    }
  }

  /**
   * Reports parts of an accepted write in which a later change won, unless that change is the person's own next one on this
   * device.
   */
  async #tellLate(write: QueuedWrite, { body }: Done): Promise<void> {
    if (findDeclaredWrite(this.#parts.writes, write)?.isAutomatic?.(write.vars)) return
    const own = this.#requestOf(write)
    const next = this.#laterOnesOf(write).flatMap((later) => this.#requestOf(later) ?? [])
    const late = lateParts(body).filter((part) => !own || !next.some((later) => saysAnew(later, own, part)))
    if (late.length === 0) return
    console.warn(`${write.refusal}: a later change stands`)
    const reason = write.takesBack ? 'A later change stands.' : `${write.refusal}.`
    await reportLate(this.#parts.outbox, write, { reason, retriable: false, late })
  }

  #isFineWhenGone(write: QueuedWrite): boolean {
    return findDeclaredWrite(this.#parts.writes, write)?.fineWhenGone === true
  }

  async #refuse(write: QueuedWrite, result: Refused): Promise<void> {
    if (isGone(result) && this.#hasLater(write)) {
      this.#undecided.add(write.id)
      return
    }
    console.warn(`${write.refusal}: ${result.status} ${result.failure.code}`)
    const gone = isGone(result) ? 'later' : undefined
    const stays = write.takesBack ? 'It stays deleted.' : `${write.refusal}.`
    const reason = gone ? stays : result.failure.message
    // Writes that are made while this one is removed may bring the row back, so they stay.
    const last = gone && { last: (this.#laterOnesOf(write).at(-1) ?? write).seq }
    await this.#remove(write, { reason, retriable: result.status >= 500, gone, ...last })
  }

  /** Removes the write together with earlier writes to its row that were refused because the row was gone. */
  async #remove(write: QueuedWrite, failure: WriteFailure): Promise<void> {
    const [first = write] = this.#undecidedBefore(write)
    await removeWrite(this.#parts.outbox, first, failure)
  }

  #undecidedBefore(write: QueuedWrite): QueuedWrite[] {
    if (this.#undecided.size === 0) return []
    return this.#parts.outbox.queued.filter(
      (other) => other.seq < write.seq && isOfSameRow(other, write) && this.#undecided.has(other.id),
    )
  }

  #hasLater(write: QueuedWrite): boolean {
    return this.#laterOnesOf(write).some(({ id }) => !this.#undecided.has(id))
  }

  #laterOnesOf(write: QueuedWrite): QueuedWrite[] {
    return this.#parts.outbox.queued.filter((other) => other.seq > write.seq && isOfSameRow(other, write))
  }

  /**
   * Remembers when this tab first sees a write, as the time it was made. Writes that were queued before this sender started do
   * not count.
   */
  #noteEras(): void {
    const { clock, outbox } = this.#parts
    if (!this.#earlier) return
    const { queued } = outbox
    if (!queued.some(lacksTimestamp)) this.#eras.clear()
    for (const write of queued.toReversed()) {
      if (this.#eras.has(write.id)) return
      if (lacksTimestamp(write) && !this.#earlier.has(write.id))
        this.#eras.set(write.id, eraNow(clock.device))
    }
  }

  /** What is known about the waiting writes once the server's time is known. */
  async #knownTime(): Promise<KnownTime<QueuedWrite>> {
    const { clock, outbox, writes } = this.#parts
    const waiting = outbox.queued.filter(lacksTimestamp)
    const movings = new Map<string, Moving<unknown>>()
    for (const write of waiting) {
      const moving = findDeclaredWrite(writes, write)?.moving
      if (moving && write.guess && !movings.has(write.write)) movings.set(write.write, await moving())
    }
    // All guesses of an earlier page were wrong by the same amount. Its last guess before this sender started tells how much. If
    // that page lives on, its later guesses allow for clock shifts that this page has seen itself.
    const earlier = waiting.filter(({ id }) => this.#earlier?.has(id))
    const lastGuesses = new Map(earlier.flatMap(({ guess }) => (guess ? [[guess.page, guess.ahead]] : [])))
    return {
      aheadOf: ({ id, guess, vars }) => {
        const made = deviceTimeOf(vars)
        if (!this.#earlier?.has(id)) {
          const { era, seen } = this.#eras.get(id) ?? eraNow(clock.device)
          return aheadIn(clock, era, made, seen)
        }
        const last = guess && lastGuesses.get(guess.page)
        return aheadIn(clock, 0, made) + (guess && last !== undefined ? guess.ahead - last : 0)
      },
      moved: ({ write, vars }, move) => movings.get(write)?.moved(vars, move) ?? vars,
    }
  }

  /** Adds the missing timestamps, after asking for the server's time if it is not known. */
  async #addTimestamps(signal: AbortSignal): Promise<void> {
    const { probe, clock, replica } = this.#parts
    if (clock.ahead === undefined) {
      const isUp = await probe()
      signal.throwIfAborted()
      if (!isUp) return this.#backOff(undefined, signal)
    }
    // The device's clock was set just now, so only the next response can tell the server's time.
    if (clock.ahead === undefined) return this.#backOff(undefined, signal)
    await addTimestamps(replica, await this.#knownTime())
  }

  /**
   * Handles a write without a response. If the server responds to other requests, only the write's row waits, and after enough
   * attempts the write is reported as refused.
   */
  async #handleNoResponse(write: QueuedWrite, result: NoResponse, signal: AbortSignal): Promise<void> {
    if (!(await this.#serverRespondsToOthers(result, signal))) return
    const attempts = (this.#attempts.get(write.id) ?? 0) + 1
    this.#suspects = new Set()
    if (attempts < (result.by === undefined ? maxAttemptsInSilence : maxAttemptsWhenBlocked)) {
      this.#attempts.set(write.id, attempts)
      // The connection is back since the request was sent, so retry at once.
      if (this.#connections !== this.#connectionsWhenSent) return
      this.#pauseRow(rowKey(write), backOff(attempts, this.#parts.visible()), signal)
      return
    }
    this.#attempts.delete(write.id)
    console.warn(`${write.refusal}: no answer of the server, which answers to others`)
    this.#unread.add(write.list)
    await this.#remove(write, { reason: blockedReason, retriable: true })
  }

  /** Whether the server accepts other requests now. If not, waits a while before it returns. */
  async #serverRespondsToOthers({ by, retryAfter }: NoResponse, signal: AbortSignal): Promise<boolean> {
    if (by !== 'server' && retryAfter === undefined) {
      const isUp = await this.#parts.probe()
      signal.throwIfAborted()
      if (isUp) {
        this.#failures = 0
        return true
      }
    }
    await this.#backOff(retryAfter, signal)
    return false
  }

  #pauseRow(row: string, milliseconds: number, signal: AbortSignal): void {
    const over = new AbortController()
    this.#pausedRows.set(row, over)
    const end = () => {
      if (this.#pausedRows.get(row) !== over) return
      this.#pausedRows.delete(row)
      this.#sleeper.wake()
    }
    this.#parts.pause(milliseconds, AbortSignal.any([signal, over.signal])).then(end, end)
  }

  #resumeRows(): void {
    for (const rest of this.#pausedRows.values()) rest.abort()
    this.#pausedRows.clear()
  }

  async #backOff(retryAfter: number | undefined, signal: AbortSignal): Promise<void> {
    this.#failures += 1
    if (retryAfter === undefined) {
      this.#setState('blocked')
      await this.#sleeper.sleep(signal, backOff(this.#failures, this.#parts.visible()))
      return
    }
    this.#setState('throttled')
    await this.#parts.pause(retryAfter, signal)
  }

  #refresh(): void {
    for (const collection of this.#unread) {
      this.#reading.add(collection)
      void this.#parts.refresh(collection).finally(() => this.#reading.delete(collection))
    }
    this.#unread.clear()
  }

  #setState(state: SenderState): void {
    if (this.state === state) return
    this.state = state
    this.#parts.onState()
  }
}

type Done = Extract<RequestResult, { kind: 'done' }>
type Refused = Extract<RequestResult, { kind: 'refused' }>
type NoResponse = Extract<RequestResult, { kind: 'none' }>

function storageProblemOf(result: RequestResult): string | undefined {
  return result.kind === 'none' ? result.storageProblem : undefined
}

function lateParts(body: object): string[] {
  const late = 'late' in body && Array.isArray(body.late) ? body.late : []
  return late.filter((part) => typeof part === 'string')
}

function isGone({ status }: Refused): boolean {
  return status === 404
}
