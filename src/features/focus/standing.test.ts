import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { isBehind, type Standing, standsOver, stepFrom, takeOver } from './standing.ts'
import {
  type Dropped,
  droppedBy,
  type FocusTimer,
  focusedFor,
  idle,
  leave,
  pause,
  type Run,
  reset,
  runLength,
  type Step,
  type Stretch,
  save,
  settle,
  shownAt,
  start,
  takeBack,
} from './timer.ts'

const ten = Date.UTC(2026, 10, 20, 10)
const second = 1_000
const minute = 60 * second
const at = (minutes: number) => ten + minutes * minute
const stretch = (from: number, to: number) => ({ from: at(from), to: at(to) })

const rest: Standing = { timer: idle, at: 0 }
const press = (standing: Standing, minutes: number, take: (timer: FocusTimer, now: number) => Step) =>
  stepFrom(standing, take(standing.timer, at(minutes)), at(minutes)).standing
const started = (id: string, minutes: number, before = rest) =>
  press(before, minutes, (timer, now) => start(timer, now, id))
const pausedAt = (standing: Standing, minutes: number) => press(standing, minutes, pause)
const resetAt = (standing: Standing, minutes: number) => press(standing, minutes, reset)
const ended = (standing: Standing, minutes: number) =>
  stepFrom(standing, settle(standing.timer, at(minutes))).standing

describe('of what several devices made of the timer', () => {
  test('the last press stands, and a later one has a later instant though its clock lags behind', () => {
    const running = started('a', 0)
    const lagging = pausedAt(running, -5)
    expect(lagging.at).toBeGreaterThan(running.at)
    expect(standsOver(lagging, running)).toBe(true)
    expect(standsOver(running, lagging)).toBe(false)
    expect(standsOver(resetAt(running, 7), pausedAt(running, 8))).toBe(false)
  })

  test('an end counts as of the press that it follows from: any press since undoes it, the start that came before does not', () => {
    const running = started('a', 0)
    const over = ended(running, 300)
    expect(over).toMatchObject({ timer: { status: 'finished' }, at: running.at })
    expect(standsOver(over, running)).toBe(true)
    expect(standsOver(running, over)).toBe(false)
    expect(standsOver(pausedAt(running, 10), over)).toBe(true)
    expect(standsOver(over, pausedAt(running, 10))).toBe(false)
  })

  test('a step that changes nothing is no press', () => {
    const running = started('a', 0)
    expect(press(running, 1, (timer, now) => start(timer, now, 'b'))).toBe(running)
    expect(resetAt(rest, 1)).toBe(rest)
  })
})

describe('a device that learns what stands', () => {
  test('shows it, with the right time left', () => {
    const known = started('a', 0)
    const { standing, focused } = takeOver(rest, known, at(10))
    expect(shownAt(standing.timer, at(10))).toEqual({ status: 'running', secondsLeft: 900 })
    expect(focused).toEqual([])
  })

  test.each([
    ['a pause', pausedAt(started('a', 0), 10)],
    ['a reset', resetAt(started('a', 0), 10)],
    ['a reset that was taken back', press(resetAt(started('a', 0), 10), 11, takenBack)],
    ['an end', ended(started('a', 0), 25)],
    ['another start after a reset', started('b', 12, resetAt(started('a', 0), 10))],
  ])('takes over %s of the run that it shows, and records nothing of it', (_, known) => {
    const kept = started('a', 0)
    expect(takeOver(kept, known, at(30))).toEqual({ standing: known, focused: [] })
  })

  test('a pause that was pressed before somebody saw the end elsewhere: the pause stands, and nothing is recorded anew', () => {
    const over = ended(started('a', 0), 25)
    const paused = pausedAt(started('a', 0), 10)
    expect(standsOver(paused, over)).toBe(true)
    expect(takeOver(over, paused, at(30))).toEqual({ standing: paused, focused: [] })
  })

  test('two that were started apart: the later one goes on, and of the other is recorded what came before', () => {
    const [first, later] = [started('a', 0), started('b', 5)]
    expect(standsOver(later, first)).toBe(true)
    const { standing, focused } = takeOver(first, later, at(12))
    expect(standing).toBe(later)
    expect(focused).toEqual([expect.objectContaining({ id: 'a', stretches: [stretch(0, 5)] })])
  })

  test('no minute counts for both: what the one that stands had, paused since, is left out of the other', () => {
    const known = pausedAt(started('b', 5), 10)
    const { focused } = takeOver(started('a', 0), known, at(20))
    expect(focused.map(({ stretches }) => stretches)).toEqual([[stretch(0, 5), stretch(10, 20)]])
    const over = ended(started('b', 5), 60)
    expect(takeOver(pausedAt(started('a', 4), 24), over, at(60)).focused).toEqual([
      expect.objectContaining({ id: 'a', stretches: [stretch(4, 5)] }),
    ])
  })

  test('a reset of another run, by somebody who knew nothing of this one: what was focused here is recorded', () => {
    const known = resetAt(started('b', 5), 10)
    const { focused } = takeOver(pausedAt(started('a', 0), 9), known, at(20))
    expect(focused.map(({ stretches }) => stretches)).toEqual([[stretch(0, 9)]])
  })

  test('a run that would have ended meanwhile is recorded with its 25 minutes', () => {
    const { focused } = takeOver(started('a', 0), started('b', 40), at(90))
    expect(focused.map(focusedFor)).toEqual([runLength])
  })

  test('less than a second is not recorded', () => {
    const first = started('a', 0)
    const later: Standing = { ...started('b', 0), at: first.at + 1 }
    expect(takeOver(first, later, at(10)).focused).toEqual([])
  })
})

function takenBack(timer: FocusTimer, now: number): Step {
  const dropped = droppedBy(started('a', 0).timer, at(10))
  if (!dropped) throw new Error('The reset dropped nothing')
  return takeBack(timer, now, dropped)
}

// Two devices of one person, each with what it keeps and what waits to be sent, and a server between them. A device
// without a connection neither sends nor hears.

class Server {
  standing: Standing | undefined
  sessions = new Map<string, Run>()
  take(write: Write) {
    // Through the wire and back.
    const sent: Write = JSON.parse(JSON.stringify(write))
    if ('run' in sent) {
      if (!this.sessions.has(sent.run.id)) this.sessions.set(sent.run.id, sent.run)
    } else if (!this.standing || standsOver(sent, this.standing)) this.standing = sent
  }
}

type Write = Standing | { run: Run }

class Device {
  kept = rest
  known: Standing | undefined
  queued: Write[] = []
  online = true
  dropped: Dropped | undefined
  /** What other runs had when they took the place of one. */
  beside: Stretch[] = []
  readonly server: Server
  constructor(server: Server) {
    this.server = server
  }
  step(take: (timer: FocusTimer) => Step, now: number, pressed?: number) {
    const known = this.queued.some((write) => 'timer' in write) ? undefined : this.known
    const heard = known ? takeOver(this.kept, known, now) : { standing: this.kept, focused: [] }
    if (known && runOf(known.timer) !== runOf(this.kept.timer)) {
      this.beside.push(...stretchesOf(known.timer, now))
    }
    const { standing, focused } = stepFrom(heard.standing, take(heard.standing.timer), pressed)
    this.kept = standing
    this.queued.push(...[...heard.focused, ...focused].map((run) => ({ run })))
    if (standing !== heard.standing) this.queued.push(standing)
  }
  exchange(now: number) {
    if (!this.online) return
    for (const write of this.queued.splice(0)) this.server.take(write)
    this.known = this.server.standing
    if (this.known && isBehind(this.kept, this.known)) this.step((timer) => ({ timer }), now)
    if (this.queued.length > 0) this.exchange(now)
  }
}

function runOf(timer: FocusTimer): string | undefined {
  return timer.status === 'idle' ? undefined : timer.run.id
}

function stretchesOf(timer: FocusTimer, now: number): Stretch[] {
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

/** Everything that happened, and the milliseconds that anybody saw a timer run for a run. */
function live(happenings: readonly Happening[]) {
  const server = new Server()
  const devices = [new Device(server), new Device(server)]
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
    device.step(
      (timer) => {
        note(timer)
        const step = () => {
          if (what === 'start') return start(timer, now, `run ${made++}`)
          if (what === 'undo') return device.dropped ? takeBack(timer, now, device.dropped) : { timer }
          if (what === 'reset') device.dropped = droppedBy(timer, now)
          return { pause, reset, save, leave }[what](timer, now)
        }
        const taken = step()
        note(taken.timer)
        return taken
      },
      now,
      now,
    )
  }

  function exchangeAll() {
    for (let round = 0; round < 3; round++) for (const device of devices) device.exchange(now)
  }

  for (const each of happenings) {
    if (each.do === 'pass') {
      for (const [device, { kept }] of devices.entries()) {
        const { timer } = kept
        if (timer.status !== 'running') continue
        const to = Math.min(now + each.ms, timer.since + runLength - focusedFor(timer.run))
        if (to > now) seen.push({ id: timer.run.id, device, stretch: { from: now, to } })
      }
      now += each.ms
      continue
    }
    const device = devices[each.device]
    if (!device) throw new Error('There are two devices')
    if (each.do === 'connect' || each.do === 'disconnect') device.online = each.do === 'connect'
    else if (each.do === 'look') device.step((timer) => settle(timer, now), now)
    else pressOn(device, each.device, each.do)
    // A press takes a moment, so that no two are made at the same one.
    now += 1
    exchangeAll()
  }
  for (const device of devices) device.online = true
  exchangeAll()
  for (const device of devices) device.step((timer) => settle(timer, now), now)
  exchangeAll()
  return { server, devices, now, seen, pressedOn, dropped }
}

/** Milliseconds of a stretch in which none of the others ran. */
function uncovered(stretches: readonly Stretch[], others: readonly Stretch[]): number {
  const edges = [...stretches, ...others].flatMap(({ from, to }) => [from, to]).toSorted((a, b) => a - b)
  const isIn = (list: readonly Stretch[], from: number, to: number) =>
    list.some((each) => each.from <= from && to <= each.to)
  return edges
    .map((from, place) => [from, edges[place + 1] ?? from] as const)
    .filter(([from, to]) => isIn(stretches, from, to) && !isIn(others, from, to))
    .reduce((sum, [from, to]) => sum + to - from, 0)
}

describe('two devices with a server between them, whatever is pressed on them with and without a connection', () => {
  test('in the end they show the same timer, and what the server says', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
        const { server, devices, now } = live(happenings)
        const standing = server.standing ?? rest
        for (const { kept, queued } of devices) {
          expect(kept).toEqual(standing)
          expect(queued).toEqual([])
          expect(shownAt(kept.timer, now)).toEqual(shownAt(standing.timer, now))
        }
        for (const run of server.sessions.values()) {
          expect(focusedFor(run)).toBeGreaterThanOrEqual(second)
          expect(focusedFor(run)).toBeLessThanOrEqual(runLength)
        }
      }),
      { numRuns: runs(20_000, 400) },
    )
  })

  test('a run that only one of them pressed on, and that nobody reset, is recorded or stands, but for less than a second', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
        const { server, devices, now, seen, pressedOn, dropped } = live(happenings)
        const timer = server.standing?.timer ?? idle
        const standing = stretchesOf(timer, now)
        const kept = [...server.sessions.values()].flatMap(({ stretches }) => stretches)
        // What ran beside another run counts there, whatever becomes of that.
        const beside = devices.flatMap(({ beside }) => beside)
        for (const [id, numbers] of pressedOn) {
          if (numbers.size > 1 || dropped.has(id)) continue
          const [device] = numbers
          const focused = seen.filter((each) => each.id === id && each.device === device)
          const lost = uncovered(
            focused.map(({ stretch }) => stretch),
            [...kept, ...standing, ...beside],
          )
          expect(lost).toBeLessThan(second)
        }
      }),
      { numRuns: runs(20_000, 400) },
    )
  })
})
