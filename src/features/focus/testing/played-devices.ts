import fc from 'fast-check'
import { defaultPlan, type FocusPlan } from '../plan/focus-plan.ts'
import { isBreak, type Run, type Stretch } from '../timer/phase.ts'
import {
  chooseCounting,
  chooseSubject,
  type Dropped,
  droppedBy,
  endOf,
  type FocusTimer,
  leave,
  lengthenBreak,
  pause,
  reset,
  type Step,
  save,
  start,
  startBreak,
  startFocus,
  stillGoing,
  takeBack,
} from '../timer/timer.ts'
import {
  adoptServerTimer,
  applyNotice,
  applyPress,
  type ClockSet,
  type DeviceTimer,
  differsFromServer,
  followClock,
  neverStarted,
  type Recording,
  type StandingTimer,
  supersedes,
  type TimerStep,
} from '../timer/timer-merge.ts'
import { by } from './beginnings.ts'

// Simulates two devices of one person, each with its own clock, local state and queue, and a server between them whose clock is
// right. An offline device neither sends nor receives.

const minute = 60_000
const ten = Date.UTC(2026, 10, 20, 10)

export class Server {
  standing: StandingTimer | undefined
  sessions = new Map<string, Recording>()
  /** Every write that reached the server, in order. */
  taken: { write: Write; now: number }[] = []
  take(write: Write, now: number) {
    // Serialize and parse, as on the wire.
    const sent: Write = JSON.parse(JSON.stringify(write))
    this.taken.push({ write: sent, now })
    if ('run' in sent) {
      const recorded = this.sessions.get(sent.run.id)
      if (!recorded || sent.at > recorded.at) this.sessions.set(sent.run.id, sent)
      return
    }
    const standing = { ...sent, at: Math.min(sent.at, now) }
    if (!this.standing || supersedes(standing, this.standing)) this.standing = standing
  }
}

export type Write = StandingTimer | Recording

export class Device {
  local = neverStarted
  received: StandingTimer | undefined
  queued: Write[] = []
  online = true
  plan: FocusPlan = defaultPlan
  dropped: Dropped | undefined
  /** The times at which runs of other devices were running that replaced a run of this device. */
  beside: Stretch[] = []
  /**
   * Runs of this device that another run replaced. `recorded` holds what the server had recorded of the replacing run and of the
   * runs before it.
   */
  replaced: { run: Run; recorded: Run[] }[] = []
  /** Milliseconds by which this device believes that the server's clock is ahead of its own. */
  ahead: number
  readonly server: Server
  /** Milliseconds by which this device's clock is ahead of the right time. */
  off: number
  private sets: ClockSet[] = []
  constructor(server: Server, off = 0) {
    this.server = server
    this.off = off
    this.ahead = 0 - off
  }
  setClock(by: number, now: number) {
    this.off += by
    this.ahead -= by
    this.sets.push({ by, at: now + this.off })
    this.apply(now, (standing) => ({ standing, focused: [] }))
  }
  press(take: (timer: FocusTimer, now: number) => Step, now: number) {
    const own = now + this.off
    this.apply(now, (before) => applyPress(before, take(before.timer, own), this.ahead, own))
  }
  look(now: number) {
    this.apply(now, (before) => applyNotice(before, now + this.off, by('none', this.plan, this.ahead)))
  }
  exchange(now: number) {
    if (!this.online) return
    for (const write of this.queued.splice(0)) this.server.take(write, now)
    this.received = this.server.standing
    if (this.received && differsFromServer(this.local, this.received))
      this.apply(now, (standing) => ({ standing, focused: [] }))
    if (this.queued.length > 0) this.exchange(now)
  }
  private apply(now: number, step: (before: DeviceTimer) => TimerStep) {
    const local = followClock(this.local, this.sets, this.ahead)
    const received = this.queued.some((write) => 'timer' in write) ? undefined : this.received
    const adopted = received
      ? adoptServerTimer(local, received, this.ahead, now + this.off)
      : { standing: local, focused: [] }
    if (received && runOf(received.timer) !== runOf(local.timer)) {
      this.beside.push(...stretchesOf(received.timer, now))
      const recorded = namedBy(received.timer).flatMap((id) => this.server.sessions.get(id)?.run ?? [])
      this.replaced.push(...adopted.focused.map(({ run }) => ({ run, recorded })))
    }
    const { standing, toSend, focused } = step(adopted.standing)
    this.local = standing
    this.queued.push(...adopted.focused, ...focused)
    if (toSend) this.queued.push(toSend)
  }
}

function runOf(timer: FocusTimer): string | undefined {
  return timer.status === 'idle' ? undefined : timer.run.id
}

/** The ids of the runs that a timer names: its own run, and the runs before it. */
function namedBy(timer: FocusTimer): string[] {
  const { follows, before = [] } = timer.status === 'idle' ? timer : timer.run
  return [runOf(timer), follows, ...before].filter((id) => id !== undefined)
}

export function stretchesOf(timer: FocusTimer, now: number): Stretch[] {
  if (timer.status === 'idle' || isBreak(timer.phase)) return []
  const { stretches } = timer.run
  return timer.status === 'running' ? [...stretches, { from: timer.since, to: now }] : stretches
}

const presses = [
  ...['start', 'startBreak', 'startFocus', 'pause', 'reset', 'undo', 'save', 'leave', 'stillGoing'],
  ...['lengthen', 'count up', 'count down', 'about a task', 'about a habit', 'about nothing'],
] as const
type Press = (typeof presses)[number]
const plan = fc.record({
  focus: fc.constantFrom(25, 50, 3),
  break: fc.constantFrom(5, 1),
  long_break: fc.constantFrom(15, 2),
  every: fc.constantFrom(4, 2),
  auto_start: fc.boolean(),
})
const each = {
  press: fc.record({
    do: fc.constantFrom<Press>(...presses, 'start', 'startBreak', 'startFocus', 'pause'),
    device: fc.nat(1),
  }),
  look: fc.record({ do: fc.constantFrom('look', 'watch'), device: fc.nat(1) }),
  connection: fc.record({ do: fc.constantFrom('connect', 'disconnect'), device: fc.nat(1) }),
  plan: fc.record({ do: fc.constant('plan' as const), device: fc.nat(1), plan }),
  set: fc.record({
    do: fc.constant('set' as const),
    device: fc.nat(1),
    by: fc.constantFrom(20_000, -20_000, 60 * minute, -60 * minute, 1_440 * minute, -1_440 * minute),
  }),
  pass: fc.record({
    do: fc.constant('pass' as const),
    ms: fc.oneof(
      fc.nat(2_500),
      fc.nat(12 * minute),
      fc.nat(12 * minute),
      fc.nat(90 * minute),
      fc.nat(260 * minute),
    ),
  }),
}
type Happening =
  | { do: Press | 'look' | 'watch' | 'connect' | 'disconnect'; device: number }
  | { do: 'plan'; device: number; plan: FocusPlan }
  | { do: 'set'; device: number; by: number }
  | { do: 'pass'; ms: number }
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: each.press },
  { weight: 2, arbitrary: each.look },
  { weight: 3, arbitrary: each.connection },
  { weight: 1, arbitrary: each.plan },
  { weight: 1, arbitrary: each.set },
  { weight: 4, arbitrary: each.pass },
)
export const happenings = fc.array(happening, { maxLength: 60, size: 'max' })

/** Milliseconds by which the clock of a device is ahead of the right time. */
const off = fc.constantFrom(0, -26 * minute, 26 * minute)
export const clocks: fc.Arbitrary<[number, number]> = fc.tuple(off, off)

const steps = { startBreak, startFocus, start, pause, reset, save, leave, stillGoing }
const subjects = {
  'about a task': { todo_id: idOf(0xfff1) },
  'about a habit': { habit_id: idOf(0xfff2) },
  'about nothing': undefined,
}

function isAbout(what: Press): what is keyof typeof subjects {
  return what in subjects
}

/** Plays all happenings from `begin` on, and records the stretches in which a device saw focus running. */
export function live(happenings: readonly Happening[], [one, other]: readonly [number, number], begin = ten) {
  const server = new Server()
  const devices = [new Device(server, one), new Device(server, other)]
  const seen: { id: string; device: number; stretch: Stretch }[] = []
  const pressedOn = new Map<string, Set<number>>()
  const dropped = new Set<string>()
  const breaks = new Set<string>()
  let now = begin
  let made = 0

  function pressOn(device: Device, number: number, what: Press) {
    const note = (timer: FocusTimer) => {
      if (timer.status === 'idle') return
      pressedOn.set(timer.run.id, (pressedOn.get(timer.run.id) ?? new Set()).add(number))
      if (what === 'reset') dropped.add(timer.run.id)
    }
    device.press((timer, own) => {
      note(timer)
      const beginning = by(idOf(made++), device.plan, device.ahead)
      const step = (): Step => {
        if (isAbout(what)) return chooseSubject(timer, subjects[what])
        if (what === 'undo') return device.dropped ? takeBack(timer, own, device.dropped) : { timer }
        if (what === 'lengthen') return lengthenBreak(timer, own, 5)
        if (what === 'count up' || what === 'count down') {
          return chooseCounting(timer, what === 'count up' ? 'flow' : undefined)
        }
        if (what === 'reset') device.dropped = droppedBy(timer, own)
        return steps[what](timer, own, beginning)
      }
      const taken = step()
      note(taken.timer)
      return taken
    }, now)
  }

  function pass(ms: number) {
    for (const [number, { local, off }] of devices.entries()) {
      const { timer } = local
      const end = endOf(timer)
      if (timer.status !== 'running' || end === undefined || isBreak(timer.phase)) continue
      const to = Math.min(now + ms, end - off)
      if (to > now) seen.push({ id: timer.run.id, device: number, stretch: { from: now, to } })
    }
    now += ms
  }

  function exchangeAll() {
    for (let round = 0; round < 3; round++) for (const device of devices) device.exchange(now)
    for (const { local } of devices) {
      if (local.timer.status !== 'idle' && isBreak(local.timer.phase)) breaks.add(local.timer.run.id)
    }
  }

  for (const each of happenings) {
    if (each.do === 'pass') {
      pass(each.ms)
      continue
    }
    const device = devices[each.device]
    if (!device) throw new Error('There are two devices')
    if (each.do === 'plan') device.plan = each.plan
    else if (each.do === 'set') device.setClock(each.by, now)
    else if (each.do === 'connect' || each.do === 'disconnect') device.online = each.do === 'connect'
    else if (each.do === 'look') device.look(now)
    else if (each.do === 'watch') {
      // The device stays awake until the end of the phase.
      const end = endOf(device.local.timer)
      if (end !== undefined) pass(Math.max(0, end - device.off - now) + 300)
      device.look(now)
    } else pressOn(device, each.device, each.do)
    // A press takes a moment, so that no two presses have the same instant.
    now += 1
    exchangeAll()
  }
  for (const device of devices) device.online = true
  exchangeAll()
  for (const device of devices) device.look(now)
  exchangeAll()
  return { server, devices, now, seen, pressedOn, dropped, breaks }
}

function idOf(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}
