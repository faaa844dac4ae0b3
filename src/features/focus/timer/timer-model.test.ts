import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { defaultPlan, type FocusPlan } from '../plan/focus-plan.ts'
import type { FocusSubject } from '../subjects/focus-subject.ts'
import { by, hour, minute, nine, second } from '../testing/beginnings.ts'
import { focusedFor, isBreak, longestOf, type Phase, type Run } from './phase.ts'
import {
  type Beginning,
  chooseCounting,
  chooseSubject,
  type Dropped,
  droppedBy,
  endOf,
  type Focused,
  type FocusTimer,
  idle,
  leave,
  lengthenBreak,
  pause,
  reset,
  type Step,
  save,
  settle,
  settleAwake,
  shownAt,
  start,
  startBreak,
  startFocus,
  stillGoing,
  takeBack,
} from './timer.ts'

const day = 24 * hour

// Tabs share one timer, which the device changes one step at a time. The model uses no instants: it counts the milliseconds
// that passed in the phase and since the last one ended, and remembers what a reset dropped.

interface Counted {
  kind: Phase['kind']
  /** Of what counts up: when it asks. */
  length: number
  passed: number
  /** Completed in the cycle before this phase. */
  completed: number
  next: 'flow' | undefined
  subject: FocusSubject | undefined
}

interface Model extends Counted {
  status: FocusTimer['status']
  plan: FocusPlan
  /** Since the last phase ended, or was paused. */
  rested: number
  /** Since the beginning. */
  clock: number
  recorded: { kind: 'countdown' | 'flow'; ms: number; subject: FocusSubject | undefined }[]
  dropped: (Counted & { status: 'running' | 'paused'; pausedAt: number }) | undefined
}

const untouched: Model = {
  kind: 'focus',
  length: 0,
  passed: 0,
  completed: 0,
  next: undefined,
  subject: undefined,
  status: 'idle',
  plan: defaultPlan,
  rested: 0,
  recorded: [],
  dropped: undefined,
  clock: 0,
}

const counts = ({ kind }: Counted) => kind === 'focus' || kind === 'flow'
const grace = ({ kind, length }: Counted) => (kind === 'flow' ? Math.min(15 * minute, day - length) : 0)
const isOver = (model: Model) => model.status === 'running' && model.passed >= model.length + grace(model)
const asks = (model: Model) =>
  model.status === 'running' && model.kind === 'flow' && model.passed >= model.length && !isOver(model)

function recording(model: Model, ms: number): Model {
  if (!counts(model) || ms < second) return model
  const kind = model.kind === 'flow' ? 'flow' : 'countdown'
  return { ...model, recorded: [...model.recorded, { kind, ms, subject: model.subject }] }
}

function settled(model: Model): Model {
  if (!isOver(model)) return model
  const over = {
    ...model,
    status: 'finished',
    passed: model.length,
    rested: model.passed - model.length,
  } as const
  return recording(over, model.length)
}

function completedIn(model: Model): number {
  return model.completed + (model.status === 'finished' && counts(model) ? 1 : 0)
}

function toRest(model: Model): Model {
  if (model.status === 'idle') return model
  const completed = completedIn(model)
  // Paused before it counted anything, it says nothing of when.
  const untimed = model.status === 'running' || (model.status === 'paused' && model.passed === 0)
  const rested = untimed ? 0 : model.rested
  return { ...model, status: 'idle', completed, rested, passed: 0, length: 0 }
}

function begun(model: Model, kind: Phase['kind'], length: number): Model {
  const resting = toRest(model)
  const completed = resting.rested > 2 * hour ? 0 : resting.completed
  return { ...resting, status: 'running', kind, length, passed: 0, completed, rested: 0 }
}

function focusing(model: Model): Model {
  return model.next === 'flow'
    ? begun(model, 'flow', 4 * hour)
    : begun(model, 'focus', model.plan.focus * minute)
}

function resting(model: Model): Model {
  if (model.kind === 'flow') {
    return begun(model, 'break', Math.max(1, Math.floor(model.passed / minute / 5)) * minute)
  }
  const long = (model.completed + 1) % model.plan.every === 0
  return long
    ? begun(model, 'long_break', model.plan.long_break * minute)
    : begun(model, 'break', model.plan.break * minute)
}

function answering(model: Model): Model {
  return asks(model) ? { ...model, length: model.length + 4 * hour } : model
}

function paused(model: Model): Model {
  return model.status === 'running' ? { ...answering(model), status: 'paused' } : model
}

const plain = [
  'start',
  'startBreak',
  'startFocus',
  'pause',
  'reset',
  'undo',
  'save',
  'settle',
  'notice',
  'leave',
] as const
type Press = (typeof plain)[number] | 'lengthen' | 'still going' | 'count up' | 'count down'

function pressed(before: Model, what: Press): Model {
  if (what === 'count up' || what === 'count down')
    return { ...before, next: what === 'count up' ? 'flow' : undefined }
  const model = settled(before)
  const { status } = model
  const goesOn = status === 'running' || status === 'paused'
  if (what === 'start') {
    if (status === 'idle') return focusing(model)
    return status === 'paused' ? { ...model, status: 'running' } : model
  }
  if (what === 'startBreak') return status === 'finished' && counts(model) ? resting(model) : model
  if (what === 'startFocus') {
    if (status === 'finished' || (goesOn && !counts(model))) return focusing(model)
    return pressed(model, 'start')
  }
  if (what === 'pause') return paused(model)
  if (what === 'reset') {
    if (!goesOn) return toRest(model)
    const { kind, length, passed, completed, next, subject, rested } = paused(model)
    const pausedAt = model.clock - rested
    return { ...toRest(model), dropped: { status, kind, length, passed, completed, next, subject, pausedAt } }
  }
  if (what === 'undo') {
    const { dropped } = model
    if (status !== 'idle' || !dropped) return { ...model, dropped: undefined }
    const { pausedAt, ...underway } = dropped
    return { ...model, ...underway, rested: model.clock - pausedAt, dropped: undefined }
  }
  if (what === 'save') {
    if (status === 'finished' && model.recorded.length > before.recorded.length) return toRest(model)
    if (!goesOn || !counts(model) || model.passed < second) return model
    const saved = recording(paused(model), model.passed)
    return model.kind === 'flow' ? { ...saved, status: 'finished' } : toRest(saved)
  }
  if (what === 'leave') return toRest(goesOn ? recording(paused(model), model.passed) : model)
  if (what === 'notice') {
    const justNow = status === 'finished' && before.status === 'running' && model.rested <= 10_000
    return justNow && model.kind === 'focus' && model.plan.auto_start ? awakeBreak(model) : model
  }
  if (what === 'lengthen') {
    if (!goesOn || counts(model)) return model
    return { ...model, length: Math.min(day, model.length + 5 * minute) }
  }
  return what === 'still going' ? answering(model) : model
}

/** It began when the focus ended. */
function awakeBreak(model: Model): Model {
  return { ...resting(model), passed: model.rested }
}

class Device {
  timer: FocusTimer = idle
  now = nine
  plan = defaultPlan
  recorded: Focused[] = []
  runs = 0
  dropped: Dropped | undefined
  change(step: (timer: FocusTimer) => Step) {
    // Stored and read again: a reload, or another tab, finds this and nothing else.
    const { timer, focused, renamed } = step(JSON.parse(JSON.stringify(this.timer)))
    this.timer = JSON.parse(JSON.stringify(timer))
    if (focused) this.recorded.push(focused)
    if (renamed) {
      this.recorded = this.recorded.map((run) =>
        run.id === renamed.id ? { ...run, subject: renamed.subject } : run,
      )
    }
  }
  press(what: Press, now = this.now) {
    const beginning: Beginning = by(`run ${this.runs++}`, this.plan)
    this.change((timer) => {
      // The toast of an earlier reset has been replaced.
      if (what === 'reset') this.dropped = droppedBy(timer, now) ?? this.dropped
      if (what === 'undo') return this.dropped ? takeBack(timer, now, this.dropped) : settle(timer, now)
      if (what === 'lengthen') return lengthenBreak(timer, now, 5)
      if (what === 'still going') return stillGoing(timer, now)
      if (what === 'count up' || what === 'count down')
        return chooseCounting(timer, what === 'count up' ? 'flow' : undefined)
      const press = { start, startBreak, startFocus, pause, reset, save, settle, leave, notice: settleAwake }[
        what
      ]
      return press(timer, now, beginning)
    })
    if (what === 'undo') this.dropped = undefined
  }
  expectSound() {
    const { secondsLeft, secondsPassed, length, kind } = shownAt(this.timer, this.now, this.plan)
    for (const seconds of [secondsLeft, secondsPassed])
      expect(Number.isInteger(seconds) && seconds >= 0).toBe(true)
    if (kind !== 'flow') expect(secondsLeft).toBeLessThanOrEqual(length)
    const ids = this.recorded.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const run of this.recorded) {
      expect(focusedFor(run)).toBeGreaterThanOrEqual(second)
      expect(focusedFor(run)).toBeLessThanOrEqual(day)
      expectInOrder(run)
    }
    const { timer } = this
    if (timer.status === 'idle') return
    expectInOrder(timer.run)
    expect(focusedFor(timer.run)).toBeLessThanOrEqual(longestOf(timer.phase))
    // A break is recorded nowhere.
    if (isBreak(timer.phase)) expect(ids).not.toContain(timer.run.id)
    const end = endOf(timer)
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

/** What a person does in any tab, and what it does to the model. */
class Command implements fc.Command<Model, Device> {
  readonly name: string
  readonly act: (model: Model, device: Device) => Model
  constructor(name: string, act: (model: Model, device: Device) => Model) {
    this.name = name
    this.act = act
  }
  check = () => true
  run(model: Model, device: Device) {
    Object.assign(model, this.act({ ...model }, device))
    device.expectSound()
    const shown = settled(model)
    expect(shownAt(device.timer, device.now, device.plan)).toMatchObject({
      status: shown.status,
      kind: shown.status === 'idle' ? (shown.next ?? 'focus') : shown.kind,
      secondsPassed: Math.floor(shown.passed / second),
      secondsLeft: leftIn(shown),
      asks: asks(shown),
      completed:
        shown.status !== 'running' && shown.status !== 'paused' && shown.rested > 2 * hour
          ? 0
          : completedIn(shown),
    })
    const said = device.recorded.map((run) => ({ kind: run.kind, ms: focusedFor(run), subject: run.subject }))
    expect(said).toEqual(model.recorded)
  }
  toString = () => this.name
}

function leftIn({ status, kind, length, passed, next, plan }: Model): number {
  if (status === 'idle') return next === 'flow' ? 0 : plan.focus * 60
  return kind === 'flow' ? 0 : Math.ceil((length - passed) / second)
}

function pressing(what: Press): Command {
  return new Command(what, (model, device) => {
    device.press(what)
    return pressed(model, what)
  })
}

/** Whether watched or slept through: nothing ticks in between. */
function passing(ms: number): Command {
  return new Command(`${ms} ms pass`, (model, device) => {
    device.now += ms
    const clock = model.clock + ms
    if (model.status === 'running')
      return { ...model, clock, passed: model.passed + ms, rested: ms > 0 ? 0 : model.rested }
    return { ...model, clock, rested: model.rested + ms }
  })
}

function planning(plan: FocusPlan): Command {
  return new Command(`plan ${JSON.stringify(plan)}`, (model, device) => {
    device.plan = plan
    return { ...model, plan }
  })
}

function choosing(subject: FocusSubject | undefined): Command {
  return new Command(`about ${JSON.stringify(subject)}`, (model, device) => {
    device.change((timer) => chooseSubject(timer, subject))
    const recorded = model.recorded.map((session, place) =>
      model.status === 'finished' && counts(model) && place === model.recorded.length - 1
        ? { ...session, subject }
        : session,
    )
    return { ...model, subject, recorded }
  })
}

const press = fc.constantFrom<Press>(
  ...plain,
  'start',
  'startBreak',
  'startFocus',
  'lengthen',
  'still going',
  'count up',
  'count down',
)
const pass = fc.oneof(
  fc.nat(1_100),
  fc.nat(30 * minute),
  fc.constantFrom(0, 1, second, 5 * minute, 25 * minute - 1, 25 * minute, 25 * minute + 1, 15 * minute),
  fc.constantFrom(2 * hour, 2 * hour + 1, 4 * hour, 4 * hour + 15 * minute - 1, 8 * hour),
)
const plan = fc.record({
  focus: fc.oneof(fc.constantFrom(1, 25, 50), fc.integer({ min: 1, max: 240 })),
  break: fc.integer({ min: 1, max: 120 }),
  long_break: fc.integer({ min: 1, max: 120 }),
  every: fc.integer({ min: 1, max: 4 }),
  auto_start: fc.boolean(),
})
const subject = fc.constantFrom<FocusSubject | undefined>(
  undefined,
  { todo_id: 'one' },
  { habit_id: 'another' },
)

describe('the focus timer, whatever people do in whatever order', () => {
  test('it shows what counting the time would show, whatever becomes of the plan, and records each focus once and no break', () => {
    const pressings = press.map(pressing)
    const passings = pass.map(passing)
    const commands = fc.commands<Model, Device>(
      [pressings, pressings, pressings, passings, passings, plan.map(planning), subject.map(choosing)],
      { maxCommands: 60, size: 'max' },
    )
    fc.assert(
      fc.property(commands, (sequence) =>
        fc.modelRun(() => ({ model: { ...untouched }, real: new Device() }), sequence),
      ),
      { numRuns: runs(20_000, 100) },
    )
  })

  test('jumping clocks, and presses from a slow tab that arrive late, never lead to negative time, more than the length of the phase, or a run recorded twice', () => {
    const jump = fc.record({
      by: fc.oneof(
        fc.integer({ min: -90 * minute, max: 90 * minute }),
        fc.constantFrom(-8 * hour, 8 * hour, -1, 1, -365 * day),
      ),
    })
    const latePress = fc.record({ what: press, late: fc.oneof(fc.constant(0), fc.nat(5 * second)) })
    const steps = fc.array(fc.oneof(latePress, latePress, jump, fc.record({ plan })), {
      maxLength: 60,
      size: 'max',
    })
    fc.assert(
      fc.property(steps, (sequence) => {
        const device = new Device()
        for (const step of sequence) {
          if ('by' in step) device.now += step.by
          else if ('plan' in step) device.plan = step.plan
          else device.press(step.what, device.now - step.late)
          device.expectSound()
        }
      }),
      { numRuns: runs(20_000, 100) },
    )
  })
})
