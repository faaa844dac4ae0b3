import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import {
  endOf,
  type FocusTimer,
  idle,
  isUnsettled,
  leave,
  pause,
  type Run,
  reset,
  runLength,
  type Step,
  save,
  secondsLeft,
  settle,
  start,
  statusAt,
} from './timer.ts'

const nine = Date.UTC(2026, 10, 20, 9)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const started = (at = nine) => start(idle, at, 'run').timer
const focusedFor = ({ stretches }: Run) => stretches.reduce((sum, { from, to }) => sum + to - from, 0)

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
    const again = start(paused, nine + 8 * hour, 'another').timer
    expect(secondsLeft(again, nine + 8 * hour + minute)).toBe(840)
    expect(again).toMatchObject({ run: { id: 'run' } })
  })

  test('a run that nobody saw end is over at its end, with 25 minutes and no more', () => {
    const { timer, focused } = settle(started(), nine + 8 * hour)
    expect(timer.status).toBe('finished')
    expect(focused).toEqual({ id: 'run', stretches: [{ from: nine, to: nine + runLength }] })
    expect(statusAt(started(), nine + 8 * hour)).toBe('finished')
    expect(settle(timer, nine + 9 * hour)).toEqual({ timer })
  })

  test('saving records what was focused so far and begins anew', () => {
    const paused = pause(started(), nine + 10 * minute).timer
    const again = start(paused, nine + hour, 'run').timer
    const { timer, focused } = save(again, nine + hour + 90 * second)
    expect(timer).toEqual(idle)
    expect(focused?.stretches).toEqual([
      { from: nine, to: nine + 10 * minute },
      { from: nine + hour, to: nine + hour + 90 * second },
    ])
  })

  test('before the first second there is nothing to save, and the timer runs on', () => {
    expect(save(started(), nine + 999)).toEqual({ timer: started() })
  })

  test('saving is there only while it runs', () => {
    const paused = pause(started(), nine + minute).timer
    expect(save(paused, nine + hour)).toEqual({ timer: paused })
    expect(save(idle, nine)).toEqual({ timer: idle })
  })

  test('reset goes back to 25:00 from anywhere, and records only a run that was over by then', () => {
    expect(reset(started(), nine + minute)).toEqual({ timer: idle })
    expect(reset(pause(started(), nine + minute).timer, nine + hour)).toEqual({ timer: idle })
    expect(reset(started(), nine + runLength)).toMatchObject({ timer: idle, focused: { id: 'run' } })
    const finished = settle(started(), nine + runLength).timer
    expect(reset(finished, nine + hour)).toEqual({ timer: idle })
  })

  test('whoever leaves takes what was focused along, also from a pause', () => {
    const paused = pause(started(), nine + minute).timer
    expect(leave(paused, nine + hour)).toMatchObject({ timer: idle, focused: { id: 'run' } })
    expect(leave(started(), nine + minute)).toMatchObject({ timer: idle, focused: { id: 'run' } })
    const finished = settle(started(), nine + runLength).timer
    expect(leave(finished, nine + hour)).toEqual({ timer: idle })
    expect(leave(idle, nine)).toEqual({ timer: idle })
  })

  test('a clock that is set back leaves no time to be counted twice', () => {
    const paused = pause(started(), nine + 10 * minute).timer
    const again = start(paused, nine - hour, 'run').timer
    const { focused } = save(again, nine - hour + 5 * minute)
    expect(focused?.stretches).toEqual([
      { from: nine - hour - 10 * minute, to: nine - hour },
      { from: nine - hour, to: nine - hour + 5 * minute },
    ])
  })

  test('a clock that is set back while it runs does not hold the timer up', () => {
    const held = started()
    expect(secondsLeft(held, nine - hour)).toBe(1_500)
    expect(isUnsettled(held, nine - hour)).toBe(true)
    const { timer } = settle(held, nine - hour)
    expect(secondsLeft(timer, nine - hour + minute)).toBe(1_440)
  })
})

// Tabs act on one timer, which the device changes one step at a time. The model knows nothing of instants: it counts the
// seconds that passed while the timer ran.

interface Model {
  status: FocusTimer['status']
  seconds: number
}

class Device {
  timer: FocusTimer = idle
  now = nine
  recorded: Run[] = []
  runs = 0
  change(step: (timer: FocusTimer, now: number) => Step) {
    // The way to the device and back: a reload finds this and nothing else.
    const { timer, focused } = step(JSON.parse(JSON.stringify(this.timer)), this.now)
    this.timer = JSON.parse(JSON.stringify(timer))
    if (focused) this.recorded.push(focused)
  }
  press = {
    start: () => this.change((timer, now) => start(timer, now, `run ${this.runs++}`)),
    pause: () => this.change(pause),
    reset: () => this.change(reset),
    save: () => this.change(save),
    look: () => this.change(settle),
    leave: () => this.change(leave),
  }
  expectSound() {
    const left = secondsLeft(this.timer, this.now)
    expect(Number.isInteger(left) && left >= 0 && left <= 1_500).toBe(true)
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

type Press = keyof Device['press']
type Real = Device

/** Whatever a person does in whichever tab, and what becomes of the model by it. */
class Pressing implements fc.Command<Model, Real> {
  readonly what: Press
  constructor(what: Press) {
    this.what = what
  }
  check = () => true
  run(model: Model, real: Real) {
    const recordedBefore = real.recorded.length
    real.press[this.what]()
    expect(real.recorded.length - recordedBefore).toBe(this.records(model))
    this.move(model)
    real.expectSound()
    expectSame(model, real)
  }
  records({ status, seconds }: Readonly<Model>): number {
    if (status === 'running' && seconds >= 1_500) return 1
    if (this.what === 'save') return status === 'running' && seconds >= 1 ? 1 : 0
    if (this.what === 'leave') return (status === 'running' || status === 'paused') && seconds >= 1 ? 1 : 0
    return 0
  }
  move(model: Model) {
    const saved = this.what === 'save' && model.status === 'running' && model.seconds >= 1
    if (this.what === 'reset' || this.what === 'leave' || saved) {
      Object.assign(model, { status: 'idle', seconds: 0 })
    } else if (model.status === 'running' && model.seconds >= 1_500) {
      Object.assign(model, { status: 'finished', seconds: 1_500 })
    } else if (this.what === 'start' && model.status !== 'finished') {
      model.status = 'running'
    } else if (this.what === 'pause' && model.status === 'running') {
      model.status = 'paused'
    }
  }
  toString = () => this.what
}

/** Seen or slept through: nothing ticks in between. */
class Passing implements fc.Command<Model, Real> {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
  check = () => true
  run(model: Model, real: Real) {
    real.now += this.seconds * second
    if (model.status === 'running') model.seconds += this.seconds
    real.expectSound()
    expectSame(model, real)
  }
  toString = () => `${this.seconds} s pass`
}

class Reloading implements fc.Command<Model, Real> {
  check = () => true
  run(model: Model, real: Real) {
    real.timer = JSON.parse(JSON.stringify(real.timer))
    expectSame(model, real)
  }
  toString = () => 'reload'
}

function expectSame(model: Readonly<Model>, real: Real) {
  const over = model.status === 'running' && model.seconds >= 1_500
  expect(statusAt(real.timer, real.now)).toBe(over ? 'finished' : model.status)
  expect(secondsLeft(real.timer, real.now)).toBe(1_500 - Math.min(1_500, model.seconds))
}

const presses: Press[] = ['start', 'pause', 'reset', 'save', 'look', 'leave']
const press = fc.constantFrom(...presses)
const passing = fc.oneof(fc.nat(3), fc.nat(1_600), fc.constantFrom(0, 1, 1_499, 1_500, 1_501, 8 * 3_600))

describe('the focus timer, in any order of what people do', () => {
  test('it shows what a count of the seconds shows, and records each run once', () => {
    const commands = fc.commands(
      [
        press.map((what) => new Pressing(what)),
        passing.map((seconds) => new Passing(seconds)),
        fc.constant(new Reloading()),
      ],
      { maxCommands: 60, size: 'max' },
    )
    fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(
          (): { model: Model; real: Real } => ({ model: { status: 'idle', seconds: 0 }, real: new Device() }),
          sequence,
        )
      }),
      { numRuns: runs(20_000, 300) },
    )
  })

  test('a clock that jumps to and fro never makes a negative time, more than 25 minutes, or a run recorded twice', () => {
    const jump = fc.oneof(
      fc.integer({ min: -90 * minute, max: 90 * minute }),
      fc.constantFrom(-8 * hour, 8 * hour, -1, 1, -365 * 24 * hour),
    )
    const steps = fc.array(fc.oneof(press, jump), { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(steps, (sequence) => {
        const device = new Device()
        for (const step of sequence) {
          if (typeof step === 'number') device.now += step
          else device.press[step]()
          device.expectSound()
        }
      }),
      { numRuns: runs(20_000, 300) },
    )
  })
})
