import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { sessionOfRun } from './session-of-run.ts'
import { by } from './testing/beginnings.ts'
import {
  type Dropped,
  droppedBy,
  endOf,
  type FocusTimer,
  focusedFor,
  idle,
  isUnsettled,
  leave,
  pause,
  type Run,
  reset,
  runLength,
  type Step,
  save,
  settle,
  shifted,
  shownAt,
  start,
  takeBack,
} from './timer.ts'

const nine = Date.UTC(2026, 10, 20, 9)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const secondsLeft = (timer: FocusTimer, now: number) => shownAt(timer, now).secondsLeft
const started = (at = nine) => start(idle, at, by('run')).timer
/** Back at 25:00 after the run of these tests. */
const atRest: FocusTimer = { status: 'idle', follows: 'run' }

describe('the focus timer', () => {
  test('counts from 25:00 down to 00:00, a second each second', () => {
    const timer = started()
    expect(secondsLeft(idle, nine)).toBe(1_500)
    for (const [passed, left] of [
      [0, 1_500],
      [1, 1_500],
      [999, 1_500],
      [1_000, 1_499],
      [runLength - 1, 1],
      [runLength, 0],
    ] as const) {
      expect(secondsLeft(timer, nine + passed)).toBe(left)
    }
  })

  test('a pause does not count, however long it is', () => {
    const paused = pause(started(), nine + 10 * minute).timer
    expect(secondsLeft(paused, nine + 8 * hour)).toBe(900)
    const again = start(paused, nine + 8 * hour, by('another')).timer
    expect(secondsLeft(again, nine + 8 * hour + minute)).toBe(840)
    expect(again).toMatchObject({ run: { id: 'run' } })
  })

  test('a run whose end nobody saw is over at its end, with 25 minutes and no more', () => {
    const { timer, focused } = settle(started(), nine + 8 * hour)
    expect(timer.status).toBe('finished')
    expect(focused).toMatchObject({ id: 'run', stretches: [{ from: nine, to: nine + runLength }] })
    expect(shownAt(started(), nine + 8 * hour)).toMatchObject({ status: 'finished', secondsLeft: 0 })
    expect(settle(timer, nine + 9 * hour)).toEqual({ timer })
  })

  test('saving records what was focused so far and starts over', () => {
    const paused = pause(started(), nine + 10 * minute).timer
    const again = start(paused, nine + hour, by('run')).timer
    const { timer, focused } = save(again, nine + hour + 90 * second)
    expect(timer).toEqual(atRest)
    expect(focused?.stretches).toEqual([
      { from: nine, to: nine + 10 * minute },
      { from: nine + hour, to: nine + hour + 90 * second },
    ])
  })

  test('a paused timer can be saved: 1,500 seconds less what is left, however long the pause', () => {
    const paused = pause(started(), nine + minute + 999).timer
    const { timer, focused } = save(paused, nine + hour)
    expect(timer).toEqual(atRest)
    expect(focused).toMatchObject({ id: 'run', stretches: [{ from: nine, to: nine + minute + 999 }] })
    expect(focused && sessionOfRun(focused, 'UTC', 0).duration).toBe(1_500 - secondsLeft(paused, nine + hour))
  })

  test('before the first second there is nothing to save, and the timer stays as it is', () => {
    expect(save(started(), nine + 999)).toEqual({ timer: started() })
    const paused = pause(started(), nine + 999).timer
    expect(save(paused, nine + hour)).toEqual({ timer: paused })
  })

  test('a timer that was not started, or is over, has nothing more to save', () => {
    expect(save(idle, nine)).toEqual({ timer: idle })
    const finished = settle(started(), nine + runLength).timer
    expect(save(finished, nine + hour)).toEqual({ timer: finished })
  })

  test('reset goes back to 25:00 from any state, and records only a run that was over by then', () => {
    expect(reset(started(), nine + minute)).toEqual({ timer: atRest })
    expect(reset(pause(started(), nine + minute).timer, nine + hour)).toEqual({ timer: atRest })
    expect(reset(started(), nine + runLength)).toMatchObject({ timer: atRest, focused: { id: 'run' } })
    const finished = settle(started(), nine + runLength).timer
    expect(reset(finished, nine + hour)).toMatchObject({ timer: atRest })
  })

  test('undoing a reset continues from there: the time since then was not focused', () => {
    const dropped = droppedBy(started(), nine + 10 * minute)
    if (!dropped) throw new Error('The reset dropped nothing')
    const back = takeBack(idle, nine + hour, dropped).timer
    expect(shownAt(back, nine + hour)).toMatchObject({ status: 'running', secondsLeft: 900 })
    expect(shownAt(back, nine + hour + minute)).toMatchObject({ status: 'running', secondsLeft: 840 })
  })

  test('a paused run comes back paused, and none replaces another', () => {
    const paused = pause(started(), nine + minute).timer
    const dropped = droppedBy(paused, nine + hour)
    if (!dropped) throw new Error('The reset dropped nothing')
    expect(takeBack(idle, nine + hour, dropped)).toEqual({ timer: paused })
    const another = start(idle, nine + hour, by('another')).timer
    expect(takeBack(another, nine + hour + 1, dropped)).toEqual({ timer: another })
    expect(droppedBy(idle, nine)).toBe(undefined)
    expect(droppedBy(started(), nine + runLength)).toBe(undefined)
  })

  test('signing out saves what was focused, even during a pause', () => {
    const paused = pause(started(), nine + minute).timer
    expect(leave(paused, nine + hour)).toMatchObject({ timer: atRest, focused: { id: 'run' } })
    expect(leave(started(), nine + minute)).toMatchObject({ timer: atRest, focused: { id: 'run' } })
    const finished = settle(started(), nine + runLength).timer
    expect(leave(finished, nine + hour)).toMatchObject({ timer: atRest })
    expect(leave(idle, nine)).toEqual({ timer: idle })
  })

  test('by a clock that is ahead it shows the same, in every state', () => {
    const running = start(pause(started(), nine + 5 * minute).timer, nine + 8 * minute, by('another')).timer
    const off = 26 * minute
    for (const timer of [
      idle,
      atRest,
      running,
      pause(running, nine + 9 * minute).timer,
      settle(running, nine + hour).timer,
    ]) {
      const now = nine + 10 * minute
      expect(shownAt(shifted(timer, off), now + off)).toEqual(shownAt(timer, now))
      expect(shifted(shifted(timer, off), -off)).toEqual(timer)
    }
    expect(leave(shifted(running, off), nine + off + 10 * minute).focused?.stretches).toEqual([
      { from: nine + off, to: nine + off + 5 * minute },
      { from: nine + off + 8 * minute, to: nine + off + 10 * minute },
    ])
  })

  test('a clock that is set back leaves no time to be counted twice', () => {
    const paused = pause(started(), nine + 10 * minute).timer
    const again = start(paused, nine - hour, by('run')).timer
    const { focused } = save(again, nine - hour + 5 * minute)
    expect(focused?.stretches).toEqual([
      { from: nine - hour - 10 * minute, to: nine - hour },
      { from: nine - hour, to: nine - hour + 5 * minute },
    ])
  })

  test('a clock that is set back while it runs does not stall the timer', () => {
    const held = started()
    expect(secondsLeft(held, nine - hour)).toBe(1_500)
    expect(isUnsettled(held, nine - hour)).toBe(true)
    const { timer } = settle(held, nine - hour)
    expect(secondsLeft(timer, nine - hour + minute)).toBe(1_440)
  })
})

// Tabs share one timer, which the device changes one step at a time. The model uses no instants: it counts the
// milliseconds that passed while the timer ran, and remembers what a reset dropped.

interface Model {
  status: FocusTimer['status']
  focused: number
  dropped: { status: 'running' | 'paused'; focused: number } | undefined
}

class Device {
  timer: FocusTimer = idle
  now = nine
  recorded: Run[] = []
  runs = 0
  dropped: Dropped | undefined
  change(step: (timer: FocusTimer) => Step) {
    // Stored and read again: a reload, or another tab, finds this and nothing else.
    const { timer, focused } = step(JSON.parse(JSON.stringify(this.timer)))
    this.timer = JSON.parse(JSON.stringify(timer))
    if (focused) this.recorded.push(focused)
  }
  press(what: Press, now = this.now) {
    this.change((timer) => {
      if (what === 'start') return start(timer, now, by(`run ${this.runs++}`))
      if (what === 'undo') return this.dropped ? takeBack(timer, now, this.dropped) : settle(timer, now)
      // The toast of an earlier reset has been replaced.
      if (what === 'reset') this.dropped = droppedBy(timer, now) ?? this.dropped
      return { pause, reset, save, settle, leave }[what](timer, now)
    })
    if (what === 'undo') this.dropped = undefined
  }
  expectSound() {
    const { secondsLeft } = shownAt(this.timer, this.now)
    expect(Number.isInteger(secondsLeft) && secondsLeft >= 0 && secondsLeft <= 1_500).toBe(true)
    const ids = this.recorded.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const run of this.recorded) {
      expect(focusedFor(run)).toBeGreaterThanOrEqual(1_000)
      expect(focusedFor(run)).toBeLessThanOrEqual(runLength)
      expectInOrder(run)
    }
    if (this.timer.status !== 'idle') expectInOrder(this.timer.run)
    const end = endOf(this.timer)
    if (end !== undefined) expect(Number.isFinite(end)).toBe(true)
  }
}

function expectInOrder({ stretches }: Run) {
  let last = Number.NEGATIVE_INFINITY
  for (const { from, to } of stretches) {
    expect(from).toBeGreaterThanOrEqual(last)
    expect(to).toBeGreaterThan(from)
    last = to
  }
}

const presses = ['start', 'pause', 'reset', 'undo', 'save', 'settle', 'leave'] as const
type Press = (typeof presses)[number]

/** What a person does in any tab, and what it does to the model. */
class Pressing implements fc.Command<Model, Device> {
  readonly what: Press
  constructor(what: Press) {
    this.what = what
  }
  check = () => true
  run(model: Model, device: Device) {
    const recordedBefore = device.recorded.length
    device.press(this.what)
    const { after, records } = pressed(model, this.what)
    Object.assign(model, after)
    expect(device.recorded.length - recordedBefore).toBe(records)
    device.expectSound()
    expectSame(model, device)
  }
  toString = () => this.what
}

function pressed(model: Readonly<Model>, what: Press): { after: Model; records: number } {
  const { status, focused, dropped } = model
  const atRest: Model = { status: 'idle', focused: 0, dropped }
  const begun = status === 'running' || status === 'paused'
  if (status === 'running' && focused >= runLength) {
    const goesToRest = what === 'reset' || what === 'save' || what === 'leave'
    const after: Model = goesToRest ? atRest : { status: 'finished', focused: runLength, dropped }
    return { after: what === 'undo' ? { ...after, dropped: undefined } : after, records: 1 }
  }
  if (what === 'reset') {
    return { after: { ...atRest, dropped: begun ? { status, focused } : dropped }, records: 0 }
  }
  if (what === 'leave') return { after: atRest, records: begun && focused >= second ? 1 : 0 }
  if (what === 'save' && begun && focused >= second) return { after: atRest, records: 1 }
  if (what === 'undo') {
    const taken = status === 'idle' && dropped ? dropped : { status, focused }
    return { after: { ...taken, dropped: undefined }, records: 0 }
  }
  if (what === 'start' && status !== 'finished') return { after: { ...model, status: 'running' }, records: 0 }
  if (what === 'pause' && begun) return { after: { ...model, status: 'paused' }, records: 0 }
  return { after: model, records: 0 }
}

/** Whether watched or slept through: nothing ticks in between. */
class Passing implements fc.Command<Model, Device> {
  readonly milliseconds: number
  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
  }
  check = () => true
  run(model: Model, device: Device) {
    device.now += this.milliseconds
    if (model.status === 'running') model.focused += this.milliseconds
    device.expectSound()
    expectSame(model, device)
  }
  toString = () => `${this.milliseconds} ms pass`
}

function expectSame(model: Readonly<Model>, device: Device) {
  const over = model.status === 'running' && model.focused >= runLength
  expect(shownAt(device.timer, device.now)).toMatchObject({
    status: over ? 'finished' : model.status,
    secondsLeft: Math.ceil((runLength - Math.min(runLength, model.focused)) / second),
  })
}

const press = fc.constantFrom(...presses)
const passing = fc.oneof(
  fc.nat(1_100),
  fc.nat(30 * minute),
  fc.constantFrom(0, 1, second, runLength - 1, runLength, runLength + 1, 8 * hour),
)

describe('the focus timer, whatever people do in whatever order', () => {
  test('it shows what counting the time would show, and records each run once', () => {
    const commands = fc.commands(
      [press.map((what) => new Pressing(what)), passing.map((milliseconds) => new Passing(milliseconds))],
      { maxCommands: 60, size: 'max' },
    )
    const setUp = (): { model: Model; real: Device } => ({
      model: { status: 'idle', focused: 0, dropped: undefined },
      real: new Device(),
    })
    fc.assert(
      fc.property(commands, (sequence) => fc.modelRun(setUp, sequence)),
      { numRuns: runs(20_000, 300) },
    )
  })

  test('jumping clocks, and presses from a slow tab that arrive late, never lead to negative time, more than 25 minutes, or a run recorded twice', () => {
    const jump = fc.record({
      by: fc.oneof(
        fc.integer({ min: -90 * minute, max: 90 * minute }),
        fc.constantFrom(-8 * hour, 8 * hour, -1, 1, -365 * 24 * hour),
      ),
    })
    const latePress = fc.record({ what: press, late: fc.oneof(fc.constant(0), fc.nat(5 * second)) })
    const steps = fc.array(fc.oneof(latePress, jump), { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(steps, (sequence) => {
        const device = new Device()
        for (const step of sequence) {
          if ('by' in step) device.now += step.by
          else device.press(step.what, device.now - step.late)
          device.expectSound()
        }
      }),
      { numRuns: runs(20_000, 300) },
    )
  })
})
