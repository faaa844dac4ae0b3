import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { type KeptStanding, rest, standsOver, stepFrom, takeOver } from './standing.ts'
import { clocks, Device, happenings, live, Server, stretchesOf } from './testing/played-devices.ts'
import {
  droppedBy,
  type FocusTimer,
  focusedFor,
  idle,
  pause,
  reset,
  runLength,
  type Step,
  type Stretch,
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

const press = (standing: KeptStanding, minutes: number, take: (timer: FocusTimer, now: number) => Step) =>
  stepFrom(standing, take(standing.timer, at(minutes)), 0, at(minutes)).standing
const started = (id: string, minutes: number, before = rest) =>
  press(before, minutes, (timer, now) => start(timer, now, id))
const pausedAt = (standing: KeptStanding, minutes: number) => press(standing, minutes, pause)
const resetAt = (standing: KeptStanding, minutes: number) => press(standing, minutes, reset)
const ended = (standing: KeptStanding, minutes: number) =>
  stepFrom(standing, settle(standing.timer, at(minutes)), 0).standing

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
    const { standing, focused } = takeOver(rest, known, 0, at(10))
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
    expect(takeOver(kept, known, 0, at(30))).toEqual({ standing: known, focused: [] })
  })

  test('a pause that was pressed before somebody saw the end elsewhere: the pause stands, and nothing is recorded anew', () => {
    const over = ended(started('a', 0), 25)
    const paused = pausedAt(started('a', 0), 10)
    expect(standsOver(paused, over)).toBe(true)
    expect(takeOver(over, paused, 0, at(30))).toEqual({ standing: paused, focused: [] })
  })

  test('two that were started apart: the later one goes on, and of the other is recorded what came before', () => {
    const [first, later] = [started('a', 0), started('b', 5)]
    expect(standsOver(later, first)).toBe(true)
    const { standing, focused } = takeOver(first, later, 0, at(12))
    expect(standing).toEqual(later)
    expect(focused).toEqual([expect.objectContaining({ id: 'a', stretches: [stretch(0, 5)] })])
  })

  test('no minute counts for both: what the one that stands had, paused since, is left out of the other', () => {
    const known = pausedAt(started('b', 5), 10)
    const { focused } = takeOver(started('a', 0), known, 0, at(20))
    expect(focused.map(({ stretches }) => stretches)).toEqual([[stretch(0, 5), stretch(10, 20)]])
    const over = ended(started('b', 5), 60)
    expect(takeOver(pausedAt(started('a', 4), 24), over, 0, at(60)).focused).toEqual([
      expect.objectContaining({ id: 'a', stretches: [stretch(4, 5)] }),
    ])
  })

  test('a reset of another run, by somebody who knew nothing of this one: what was focused here is recorded', () => {
    const known = resetAt(started('b', 5), 10)
    const { focused } = takeOver(pausedAt(started('a', 0), 9), known, 0, at(20))
    expect(focused.map(({ stretches }) => stretches)).toEqual([[stretch(0, 9)]])
  })

  test('a run that would have ended meanwhile is recorded with its 25 minutes', () => {
    const { focused } = takeOver(started('a', 0), started('b', 40), 0, at(90))
    expect(focused.map(focusedFor)).toEqual([runLength])
  })

  test('less than a second is not recorded', () => {
    const first = started('a', 0)
    const later: KeptStanding = { ...started('b', 0), at: first.at + 1 }
    expect(takeOver(first, later, 0, at(10)).focused).toEqual([])
  })
})

function takenBack(timer: FocusTimer, now: number): Step {
  const dropped = droppedBy(started('a', 0).timer, at(10))
  if (!dropped) throw new Error('The reset dropped nothing')
  return takeBack(timer, now, dropped)
}

describe('two devices whose clocks differ', () => {
  /** A run that is started by a right clock, and the other device as it is shown there. */
  function startedBeside(off: number) {
    const server = new Server()
    const [laptop, phone] = [new Device(server), new Device(server, off)]
    const exchange = (minutes: number) => {
      for (const device of [laptop, phone, laptop]) device.exchange(at(minutes))
    }
    laptop.press((timer, now) => start(timer, now, 'a'), at(0))
    exchange(0)
    return { server, laptop, phone, exchange }
  }
  const wrong = [
    ['26 minutes behind', -26 * minute],
    ['26 minutes ahead', 26 * minute],
  ] as const

  test.each(wrong)('a device that is %s shows what is left, and changes nothing by looking', (_, off) => {
    const { server, laptop, phone, exchange } = startedBeside(off)
    const before = structuredClone(server.standing)
    for (const minutes of [0, 5, 10]) {
      phone.look(at(minutes))
      exchange(minutes)
      expect(shownAt(phone.kept.timer, at(minutes) + off).secondsLeft).toBe(1_500 - minutes * 60)
    }
    expect(server.standing).toEqual(before)
    expect(shownAt(laptop.kept.timer, at(10))).toEqual({ status: 'running', secondsLeft: 900 })
    expect(server.sessions.size).toBe(0)
  })

  test.each(wrong)('a device that is %s pauses it, and records it when it truly was', (_, off) => {
    const { server, laptop, phone, exchange } = startedBeside(off)
    phone.press(pause, at(10))
    exchange(10)
    expect(shownAt(laptop.kept.timer, at(12))).toEqual({ status: 'paused', secondsLeft: 900 })
    phone.press((timer, now) => start(timer, now, 'b'), at(20))
    exchange(20)
    expect(shownAt(laptop.kept.timer, at(21)).secondsLeft).toBe(840)
    phone.look(at(36))
    exchange(36)
    expect([...server.sessions.values()]).toEqual([{ id: 'a', stretches: [stretch(0, 10), stretch(20, 35)] }])
  })

  test('a timer that nobody touched stays as it is, whatever a device learns of the time', () => {
    const { phone, exchange } = startedBeside(0)
    const { timer } = phone.kept
    phone.ahead = -26 * minute
    exchange(5)
    expect(phone.kept.timer).toBe(timer)
  })

  test('a press that the server takes as of now, the clock being ahead of what is known, is not moved', () => {
    const server = new Server()
    const phone = new Device(server)
    phone.ahead = 26 * minute
    phone.press((timer, now) => start(timer, now, 'a'), at(0))
    const { timer } = phone.kept
    phone.exchange(at(0))
    phone.ahead = 0
    phone.exchange(at(1))
    expect(phone.kept).toMatchObject({ timer, at: at(0) })
  })

  test('a clock that is set back behind a start is nothing that other devices hear of', () => {
    const { server, laptop, phone, exchange } = startedBeside(0)
    const before = structuredClone(server.standing)
    laptop.look(at(-120))
    expect(shownAt(laptop.kept.timer, at(-120)).secondsLeft).toBe(1_500)
    exchange(10)
    expect(server.standing).toEqual(before)
    expect(shownAt(phone.kept.timer, at(10)).secondsLeft).toBe(900)
  })
})

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
      fc.property(happenings, clocks, (happenings, clocks) => {
        const { server, devices, now } = live(happenings, clocks)
        const standing = server.standing ?? rest
        for (const { kept, queued, off } of devices) {
          expect(kept).toMatchObject({ byServer: standing.timer, at: standing.at })
          expect(queued).toEqual([])
          expect(shownAt(kept.timer, now + off)).toEqual(shownAt(standing.timer, now))
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
      fc.property(happenings, clocks, (happenings, clocks) => {
        const { server, devices, now, seen, pressedOn, dropped } = live(happenings, clocks)
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
