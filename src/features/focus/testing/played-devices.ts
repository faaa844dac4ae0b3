import fc from 'fast-check'
import { isBehind, rest, type Standing, standsOver, stepFrom, takeOver } from '../standing.ts'
import {
  type Dropped,
  droppedBy,
  type FocusTimer,
  focusedFor,
  leave,
  pause,
  type Run,
  reset,
  runLength,
  type Step,
  type Stretch,
  save,
  settle,
  shiftedRun,
  start,
  takeBack,
} from '../timer.ts'

// Two devices of one person, each with a clock of its own, what it keeps and what waits to be sent, and a server between
// them, whose clock is right. A device without a connection neither sends nor hears.

const minute = 60_000
const ten = Date.UTC(2026, 10, 20, 10)

export class Server {
  standing: Standing | undefined
  sessions = new Map<string, Run>()
  take(write: Write, now: number) {
    // Through the wire and back.
    const sent: Write = JSON.parse(JSON.stringify(write))
    if ('run' in sent) {
      if (!this.sessions.has(sent.run.id)) this.sessions.set(sent.run.id, sent.run)
      return
    }
    const standing = { ...sent, at: Math.min(sent.at, now) }
    if (!this.standing || standsOver(standing, this.standing)) this.standing = standing
  }
}

type Write = Standing | { run: Run }

export class Device {
  kept = rest
  known: Standing | undefined
  queued: Write[] = []
  online = true
  dropped: Dropped | undefined
  /** What other runs had when they took the place of one. */
  beside: Stretch[] = []
  /** How far it takes the server's clock to be ahead of its own. */
  ahead: number
  readonly server: Server
  /** How far its clock is ahead of the right one. */
  readonly off: number
  constructor(server: Server, off = 0) {
    this.server = server
    this.off = off
    this.ahead = 0 - off
  }
  press(take: (timer: FocusTimer, now: number) => Step, now: number) {
    const own = now + this.off
    this.step((timer) => take(timer, own), now, own)
  }
  look(now: number) {
    this.step((timer) => settle(timer, now + this.off), now)
  }
  exchange(now: number) {
    if (!this.online) return
    for (const write of this.queued.splice(0)) this.server.take(write, now)
    this.known = this.server.standing
    if (this.known && isBehind(this.kept, this.known)) this.step((timer) => ({ timer }), now)
    if (this.queued.length > 0) this.exchange(now)
  }
  private step(take: (timer: FocusTimer) => Step, now: number, pressed?: number) {
    const known = this.queued.some((write) => 'timer' in write) ? undefined : this.known
    const heard = known
      ? takeOver(this.kept, known, this.ahead, now + this.off)
      : { standing: this.kept, focused: [] }
    if (known && runOf(known.timer) !== runOf(this.kept.timer)) {
      this.beside.push(...stretchesOf(known.timer, now))
    }
    const { standing, told, focused } = stepFrom(
      heard.standing,
      take(heard.standing.timer),
      this.ahead,
      pressed,
    )
    this.kept = standing
    this.queued.push(...[...heard.focused, ...focused].map((run) => ({ run: shiftedRun(run, this.ahead) })))
    if (told) this.queued.push(told)
  }
}

function runOf(timer: FocusTimer): string | undefined {
  return timer.status === 'idle' ? undefined : timer.run.id
}

export function stretchesOf(timer: FocusTimer, now: number): Stretch[] {
  if (timer.status === 'idle') return []
  const { stretches } = timer.run
  return timer.status === 'running' ? [...stretches, { from: timer.since, to: now }] : stretches
}

const presses = ['start', 'pause', 'reset', 'undo', 'save', 'leave'] as const
const each = {
  press: fc.record({ do: fc.constantFrom(...presses), device: fc.nat(1) }),
  look: fc.record({ do: fc.constant('look' as const), device: fc.nat(1) }),
  connection: fc.record({ do: fc.constantFrom('connect', 'disconnect'), device: fc.nat(1) }),
  pass: fc.record({ do: fc.constant('pass' as const), ms: fc.oneof(fc.nat(2_500), fc.nat(12 * minute)) }),
}
type Happening =
  | { do: (typeof presses)[number] | 'look' | 'connect' | 'disconnect'; device: number }
  | { do: 'pass'; ms: number }
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: each.press },
  { weight: 2, arbitrary: each.look },
  { weight: 3, arbitrary: each.connection },
  { weight: 4, arbitrary: each.pass },
)
export const happenings = fc.array(happening, { maxLength: 60, size: 'max' })

/** How far the clocks of the two are ahead of the right one. */
const off = fc.constantFrom(0, -26 * minute, 26 * minute)
export const clocks: fc.Arbitrary<[number, number]> = fc.tuple(off, off)

/** Everything that happened, and the milliseconds that anybody saw a timer run for a run. */
export function live(happenings: readonly Happening[], [one, other]: readonly [number, number]) {
  const server = new Server()
  const devices = [new Device(server, one), new Device(server, other)]
  const seen: { id: string; device: number; stretch: Stretch }[] = []
  const pressedOn = new Map<string, Set<number>>()
  const dropped = new Set<string>()
  let now = ten
  let made = 0

  function pressOn(device: Device, number: number, what: (typeof presses)[number]) {
    const note = (timer: FocusTimer) => {
      if (timer.status === 'idle') return
      pressedOn.set(timer.run.id, (pressedOn.get(timer.run.id) ?? new Set()).add(number))
      if (what === 'reset') dropped.add(timer.run.id)
    }
    device.press((timer, own) => {
      note(timer)
      const step = () => {
        if (what === 'start') return start(timer, own, `run ${made++}`)
        if (what === 'undo') return device.dropped ? takeBack(timer, own, device.dropped) : { timer }
        if (what === 'reset') device.dropped = droppedBy(timer, own)
        return { pause, reset, save, leave }[what](timer, own)
      }
      const taken = step()
      note(taken.timer)
      return taken
    }, now)
  }

  function exchangeAll() {
    for (let round = 0; round < 3; round++) for (const device of devices) device.exchange(now)
  }

  for (const each of happenings) {
    if (each.do === 'pass') {
      for (const [number, { kept, off }] of devices.entries()) {
        const { timer } = kept
        if (timer.status !== 'running') continue
        const to = Math.min(now + each.ms, timer.since - off + runLength - focusedFor(timer.run))
        if (to > now) seen.push({ id: timer.run.id, device: number, stretch: { from: now, to } })
      }
      now += each.ms
      continue
    }
    const device = devices[each.device]
    if (!device) throw new Error('There are two devices')
    if (each.do === 'connect' || each.do === 'disconnect') device.online = each.do === 'connect'
    else if (each.do === 'look') device.look(now)
    else pressOn(device, each.device, each.do)
    // A press takes a moment, so that no two are made at the same one.
    now += 1
    exchangeAll()
  }
  for (const device of devices) device.online = true
  exchangeAll()
  for (const device of devices) device.look(now)
  exchangeAll()
  return { server, devices, now, seen, pressedOn, dropped }
}
