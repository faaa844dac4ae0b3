import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daySchema, instantToWire } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { movedRecord } from '../sessions/web/moved-session.ts'
import { by } from '../testing/beginnings.ts'
import { clocks, Device, happenings, live, Server, stretchesOf } from '../testing/played-devices.ts'
import { shared, uncovered } from '../testing/stretches.ts'
import { focusedFor, runLength } from './phase.ts'
import {
  droppedBy,
  type FocusTimer,
  idle,
  pause,
  reset,
  type Step,
  save,
  shownAt,
  start,
  startFocus,
  takeBack,
} from './timer.ts'
import {
  adoptServerTimer,
  applyNotice,
  applyPress,
  type DeviceTimer,
  followClock,
  neverStarted,
  supersedes,
} from './timer-merge.ts'

const ten = Date.UTC(2026, 10, 20, 10)
const second = 1_000
const minute = 60 * second
const at = (minutes: number) => ten + minutes * minute
const stretch = (from: number, to: number) => ({ from: at(from), to: at(to) })

const press = (standing: DeviceTimer, minutes: number, take: (timer: FocusTimer, now: number) => Step) =>
  applyPress(standing, take(standing.timer, at(minutes)), 0, at(minutes)).standing
const started = (id: string, minutes: number, before = neverStarted) =>
  press(before, minutes, (timer, now) => start(timer, now, by(id)))
const pausedAt = (standing: DeviceTimer, minutes: number) => press(standing, minutes, pause)
const resetAt = (standing: DeviceTimer, minutes: number) => press(standing, minutes, reset)
const ended = (standing: DeviceTimer, minutes: number) =>
  applyNotice(standing, at(minutes), by('none')).standing

describe('merging what several devices did to the timer', () => {
  test('the last press wins, and a later press gets a later instant even if its clock is behind', () => {
    const running = started('a', 0)
    const lagging = pausedAt(running, -5)
    expect(lagging.at).toBeGreaterThan(running.at)
    expect(supersedes(lagging, running)).toBe(true)
    expect(supersedes(running, lagging)).toBe(false)
    expect(supersedes(resetAt(running, 7), pausedAt(running, 8))).toBe(false)
  })

  test('an end counts as of the press before it: any later press undoes it, the start before it does not', () => {
    const running = started('a', 0)
    const over = ended(running, 300)
    expect(over).toMatchObject({ timer: { status: 'finished' }, at: running.at })
    expect(supersedes(over, running)).toBe(true)
    expect(supersedes(running, over)).toBe(false)
    expect(supersedes(pausedAt(running, 10), over)).toBe(true)
    expect(supersedes(over, pausedAt(running, 10))).toBe(false)
  })

  test('a step that changes nothing is not a press', () => {
    const running = started('a', 0)
    expect(press(running, 1, (timer, now) => start(timer, now, by('b')))).toBe(running)
    expect(resetAt(neverStarted, 1)).toBe(neverStarted)
  })
})

describe('a device whose clock is set while the timer runs', () => {
  const hour = 60 * minute
  /** Set when it was right and showed that many minutes after ten. */
  const set = (by: number, minutes: number) => ({ by, at: at(minutes) + by })

  test.each([
    ['an hour forward', hour],
    ['an hour back', -hour],
    ['20 seconds forward', 20 * second],
    ['20 seconds back', -20 * second],
    ['a day forward', 24 * hour],
    ['a day back', -24 * hour],
  ])('%s: five minutes that ran are five minutes', (_, by) => {
    const followed = followClock(started('a', 0), [set(by, 2)], -by)
    expect(shownAt(followed.timer, at(5) + by)).toMatchObject({ status: 'running', secondsLeft: 1_200 })
    const { toSend, focused } = applyPress(followed, save(followed.timer, at(5) + by), -by, at(5) + by)
    expect(focused).toMatchObject([{ run: { stretches: [stretch(0, 5)] }, at: at(5) }])
    expect(toSend?.at).toBe(at(5))
  })

  test('the timer follows once, however many tabs notice it', () => {
    const once = followClock(started('a', 0), [set(hour, 2)], -hour)
    expect(followClock(once, [set(hour, 2)], -hour)).toBe(once)
  })

  test('it follows a clock that was set twice, and one that was set and set right again', () => {
    const running = started('a', 0)
    const twice = [set(hour, 2), { by: 2 * hour, at: at(3) + 3 * hour }]
    expect(followClock(running, twice, -3 * hour)).toMatchObject({ timer: { since: at(0) + 3 * hour } })
    const back = [set(hour, 2), { by: -hour, at: at(3) }]
    expect(followClock(running, back, 0)).toBe(running)
  })

  test('one that is paused, or waits between two phases, follows too', () => {
    const paused = followClock(pausedAt(started('a', 0), 5), [set(-hour, 6)], hour)
    const resumed = applyPress(
      paused,
      start(paused.timer, at(6) - hour, by('b')),
      hour,
      at(6) - hour,
    ).standing
    expect(resumed.byServer).toMatchObject({ since: at(6), run: { stretches: [stretch(0, 5)] } })
  })

  test('one that is over still says when its run was recorded, so that nobody loses time that they focused later', () => {
    const saved = press(started('a', 0), 5, save)
    const followed = followClock(saved, [set(-hour, 6)], hour)
    const next = applyPress(followed, start(followed.timer, at(7) - hour, by('b')), hour, at(7) - hour)
    expect(next.standing.byServer).toMatchObject({ run: { recorded: [stretch(0, 5)] } })
  })

  test('it follows beside a server of which another process is three seconds ahead', () => {
    const followed = followClock(started('a', 0), [set(-hour, 2)], hour - 3_000)
    expect(shownAt(followed.timer, at(5) - hour)).toMatchObject({ secondsLeft: 1_200 })
  })

  test("what is learned of the server's time alone moves nothing", () => {
    const running = started('a', 0)
    expect(followClock(running, [], -hour)).toBe(running)
    expect(followClock(running, [set(20 * second, 2)], -hour)).toBe(running)
  })

  describe('forward, of which it is told only later', () => {
    const later = (standing: DeviceTimer) => followClock(standing, [set(hour, 5)], -hour)

    test('a run that was started since goes on from where it is, and counts from then by the server', () => {
      const running = applyPress(neverStarted, start(idle, at(6) + hour, by('a')), 0, at(6) + hour).standing
      expect(later(running)).toMatchObject({
        timer: { since: at(6) + hour },
        byServer: { since: at(6) },
        at: at(6),
      })
    })

    test('a run that was paused since has the minutes before and after, and not those between', () => {
      const paused = pausedAt(started('a', 0), 68)
      expect(paused.timer).toMatchObject({ status: 'finished' })
      const short = applyPress(started('a', 0), pause(started('a', 0).timer, at(8) + hour), 0, at(8) + hour)
      expect(short.standing.timer).toMatchObject({ status: 'finished' })
      const followed = later(short.standing)
      expect(followed.byServer).toMatchObject({ run: { stretches: [stretch(0, 5)] } })
    })

    test('what was recorded of it meanwhile has only the minutes that passed', () => {
      const move = (instant: number) => (instant >= at(65) ? instant - hour : Math.min(instant, at(5)))
      const session = {
        id: 'a',
        kind: 'countdown' as const,
        todo_id: null,
        habit_id: null,
        started_at: instantToWire(at(0)),
        ended_at: instantToWire(at(25)),
        duration: 1_500,
        days: [{ day: daySchema.parse('2026-11-20'), seconds: 1_500 }],
      }
      const record = { session, label: 'A run', pressed: instantToWire(at(66)) }
      expect(movedRecord(record, move)).toMatchObject({
        session: { ended_at: instantToWire(at(5)), duration: 300, days: [{ seconds: 300 }] },
        pressed: instantToWire(at(6)),
      })
    })
  })
})

describe("a device that receives the server's timer", () => {
  test('shows it, with the right time left', () => {
    const server = started('a', 0)
    const { standing, focused } = adoptServerTimer(neverStarted, server, 0, at(10))
    expect(shownAt(standing.timer, at(10))).toMatchObject({ status: 'running', secondsLeft: 900 })
    expect(focused).toEqual([])
  })

  test.each([
    ['a pause', pausedAt(started('a', 0), 10)],
    ['a reset', resetAt(started('a', 0), 10)],
    ['a reset that was taken back', press(resetAt(started('a', 0), 10), 11, takenBack)],
    ['an end', ended(started('a', 0), 25)],
    ['another start after a reset', started('b', 12, resetAt(started('a', 0), 10))],
  ])('takes over %s of the run that it shows, and records nothing for it', (_, server) => {
    const local = started('a', 0)
    expect(adoptServerTimer(local, server, 0, at(30))).toEqual({ standing: server, focused: [] })
  })

  test('a pause pressed before the end was seen elsewhere wins, and nothing is recorded twice', () => {
    const over = ended(started('a', 0), 25)
    const paused = pausedAt(started('a', 0), 10)
    expect(supersedes(paused, over)).toBe(true)
    expect(adoptServerTimer(over, paused, 0, at(30))).toEqual({ standing: paused, focused: [] })
  })

  test('of two separately started runs the later one goes on, and of the other what came before is recorded', () => {
    const [first, later] = [started('a', 0), started('b', 5)]
    expect(supersedes(later, first)).toBe(true)
    const { standing, focused } = adoptServerTimer(first, later, 0, at(12))
    expect(standing).toEqual(later)
    expect(focused).toMatchObject([{ run: { id: 'a', stretches: [stretch(0, 5)] } }])
  })

  test('no minute counts for both: what the winning run had, now paused, is left out of the other', () => {
    const server = pausedAt(started('b', 5), 10)
    const { focused } = adoptServerTimer(started('a', 0), server, 0, at(20))
    expect(focused.map(({ run }) => run.stretches)).toEqual([[stretch(0, 5), stretch(10, 20)]])
    const over = ended(started('b', 5), 60)
    expect(adoptServerTimer(pausedAt(started('a', 4), 24), over, 0, at(60)).focused).toMatchObject([
      { run: { id: 'a', stretches: [stretch(4, 5)] } },
    ])
  })

  test('no minute counts for both: what was recorded of the other is left out even during the break after it', () => {
    const resting = applyNotice(started('b', 5), at(30), by('none', { auto_start: true })).standing
    const next = press(resting, 32, (timer, now) => startFocus(timer, now, by('none')))
    const stopped = resetAt(resting, 31)
    for (const server of [resting, stopped, next]) {
      const { focused } = adoptServerTimer(pausedAt(started('a', 0), 24), server, 0, at(33))
      expect(focused.map(({ run }) => run.stretches)).toEqual([[stretch(0, 5)]])
    }
  })

  test('after a reset of another run by somebody who did not know of this one, what was focused here is recorded', () => {
    const server = resetAt(started('b', 5), 10)
    const { focused } = adoptServerTimer(pausedAt(started('a', 0), 9), server, 0, at(20))
    expect(focused.map(({ run }) => run.stretches)).toEqual([[stretch(0, 9)]])
  })

  test('a run that would have ended meanwhile is recorded with its 25 minutes', () => {
    const { focused } = adoptServerTimer(started('a', 0), started('b', 40), 0, at(90))
    expect(focused.map(({ run }) => focusedFor(run))).toEqual([runLength])
  })

  test('that slept through several phases finds its own run among those before, and records nothing', () => {
    let server = ended(started('a', 0), 25)
    for (const minutes of [30, 60, 90])
      server = press(server, minutes, (timer, now) => startFocus(timer, now, by('none')))
    expect(adoptServerTimer(started('a', 0), server, 0, at(100))).toEqual({ standing: server, focused: [] })
  })

  test('a break that began by itself wins over the end that it follows from, in either order', () => {
    const before = started('a', 0)
    const resting = applyNotice(before, at(25), by('none', { auto_start: true })).standing
    expect(resting).toMatchObject({ timer: { status: 'running', phase: { kind: 'break' } }, at: before.at })
    const over = ended(before, 25)
    expect(supersedes(resting, over)).toBe(true)
    expect(supersedes(over, resting)).toBe(false)
    expect(supersedes(pausedAt(before, 10), resting)).toBe(true)
  })

  test('less than a second is not recorded', () => {
    const first = started('a', 0)
    const later: DeviceTimer = { ...started('b', 0), at: first.at + 1 }
    expect(adoptServerTimer(first, later, 0, at(10)).focused).toEqual([])
  })
})

function takenBack(timer: FocusTimer, now: number): Step {
  const dropped = droppedBy(started('a', 0).timer, at(10))
  if (!dropped) throw new Error('The reset dropped nothing')
  return takeBack(timer, now, dropped)
}

describe('two devices whose clocks differ', () => {
  /** A run that is started by a right clock, and the other device as it shows that run. */
  function startedBeside(off: number) {
    const server = new Server()
    const [laptop, phone] = [new Device(server), new Device(server, off)]
    const exchange = (minutes: number) => {
      for (const device of [laptop, phone, laptop]) device.exchange(at(minutes))
    }
    laptop.press((timer, now) => start(timer, now, by('a')), at(0))
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
      expect(shownAt(phone.local.timer, at(minutes) + off).secondsLeft).toBe(1_500 - minutes * 60)
    }
    expect(server.standing).toEqual(before)
    expect(shownAt(laptop.local.timer, at(10))).toMatchObject({ status: 'running', secondsLeft: 900 })
    expect(server.sessions.size).toBe(0)
  })

  test.each(wrong)('a device that is %s pauses it, and records it at the right time', (_, off) => {
    const { server, laptop, phone, exchange } = startedBeside(off)
    phone.press(pause, at(10))
    exchange(10)
    expect(shownAt(laptop.local.timer, at(12))).toMatchObject({ status: 'paused', secondsLeft: 900 })
    phone.press((timer, now) => start(timer, now, by('b')), at(20))
    exchange(20)
    expect(shownAt(laptop.local.timer, at(21)).secondsLeft).toBe(840)
    phone.look(at(36))
    exchange(36)
    expect([...server.sessions.values()]).toMatchObject([
      { run: { id: 'a', stretches: [stretch(0, 10), stretch(20, 35)] } },
    ])
  })

  test('a timer that nobody touched stays as it is, whatever a device learns about the time', () => {
    const { phone, exchange } = startedBeside(0)
    const { timer } = phone.local
    phone.ahead = -26 * minute
    exchange(5)
    expect(phone.local.timer).toBe(timer)
  })

  test('a press that the server moves to now, because the clock is further ahead than known, is not moved here', () => {
    const server = new Server()
    const phone = new Device(server)
    phone.ahead = 26 * minute
    phone.press((timer, now) => start(timer, now, by('a')), at(0))
    const { timer } = phone.local
    phone.exchange(at(0))
    phone.ahead = 0
    phone.exchange(at(1))
    expect(phone.local).toMatchObject({ timer, at: at(0) })
  })

  test('when a clock is set back behind a start, other devices hear nothing of it', () => {
    const { server, laptop, phone, exchange } = startedBeside(0)
    const before = structuredClone(server.standing)
    laptop.look(at(-120))
    expect(shownAt(laptop.local.timer, at(-120)).secondsLeft).toBe(1_500)
    exchange(10)
    expect(server.standing).toEqual(before)
    expect(shownAt(phone.local.timer, at(10)).secondsLeft).toBe(900)
  })
})

describe('two devices with a server between them, whatever is pressed on them online and offline', () => {
  test('in the end they show the same timer, and the one that the server has', () => {
    fc.assert(
      fc.property(happenings, clocks, (happenings, clocks) => {
        const { server, devices, now, breaks } = live(happenings, clocks)
        const standing = server.standing ?? neverStarted
        for (const { local, queued, off } of devices) {
          expect(local).toMatchObject({ byServer: standing.timer, at: standing.at })
          expect(queued).toEqual([])
          expect(shownAt(local.timer, now + off)).toEqual(shownAt(standing.timer, now))
        }
        for (const { run } of server.sessions.values()) {
          expect(focusedFor(run)).toBeGreaterThanOrEqual(second)
          expect(focusedFor(run)).toBeLessThanOrEqual(24 * 60 * minute)
          expect(breaks).not.toContain(run.id)
        }
      }),
      { numRuns: runs(20_000, 400) },
    )
  })

  test('a run that only one device pressed on, and that nobody reset, is recorded or still there, give or take a second', () => {
    fc.assert(
      fc.property(happenings, clocks, (happenings, clocks) => {
        const { server, devices, now, seen, pressedOn, dropped } = live(happenings, clocks)
        const timer = server.standing?.timer ?? idle
        const standing = stretchesOf(timer, now)
        const recorded = [...server.sessions.values()].flatMap(({ run }) => run.stretches)
        // Time during which another run ran counts for that run, whatever becomes of it.
        const beside = devices.flatMap(({ beside }) => beside)
        for (const [id, numbers] of pressedOn) {
          if (numbers.size > 1 || dropped.has(id)) continue
          const [device] = numbers
          const focused = seen.filter((each) => each.id === id && each.device === device)
          const lost = uncovered(
            focused.map(({ stretch }) => stretch),
            [...recorded, ...standing, ...beside],
          )
          expect(lost).toBeLessThan(second)
        }
      }),
      { numRuns: runs(20_000, 400) },
    )
  })

  test('no minute counts twice: a run that was replaced has none that was recorded for the other or a run before it', () => {
    fc.assert(
      fc.property(happenings, clocks, (happenings, clocks) => {
        for (const { replaced } of live(happenings, clocks).devices) {
          for (const { run, recorded } of replaced) expect(shared(run, recorded)).toBe(0)
        }
      }),
      { numRuns: runs(20_000, 400) },
    )
  })
})
