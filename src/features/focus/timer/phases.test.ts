import { describe, expect, test } from 'vitest'
import { defaultPlan, type FocusPlan } from '../plan/focus-plan.ts'
import { by, hour, minute, nine, second } from '../testing/beginnings.ts'
import { focusedFor } from './phase.ts'
import { sessionOfRun } from './session-of-run.ts'
import {
  chooseCounting,
  chooseSubject,
  droppedBy,
  endOf,
  type FocusTimer,
  idle,
  leave,
  lengthenBreak,
  pause,
  reset,
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

const cycle = '019a9c1e-5d02-7a3b-9c4d-0123456789ab'
const task = { todo_id: '019a9c1e-5d00-7a3b-9c4d-0123456789ab' }
const habit = { habit_id: '019a9c1e-5d01-7a3b-9c4d-0123456789ab' }

const begin = (plan: Partial<FocusPlan> = {}) => by(cycle, plan)
const started = (plan: Partial<FocusPlan> = {}) => start(idle, nine, begin(plan)).timer
const focused = (plan: Partial<FocusPlan> = {}) => settle(started(plan), nine + 8 * hour).timer
const counting = () => start(chooseCounting(idle, 'flow').timer, nine, begin()).timer
const phaseOf = (timer: FocusTimer) => (timer.status === 'idle' ? undefined : timer.phase)

describe('phases', () => {
  test('somebody who chose nothing focuses for 25 minutes, and then has a break of 5', () => {
    expect(shownAt(started(), nine)).toMatchObject({ kind: 'focus', secondsLeft: 1_500, length: 1_500 })
    const resting = startBreak(focused(), nine + hour, begin()).timer
    expect(shownAt(resting, nine + hour)).toMatchObject({
      status: 'running',
      kind: 'break',
      secondsLeft: 300,
    })
  })

  test('a phase lasts as long as the plan said when it began, whatever the plan says later', () => {
    const timer = started({ focus: 50 })
    expect(shownAt(timer, nine + 30 * minute, { ...defaultPlan, focus: 10 })).toMatchObject({
      status: 'running',
      secondsLeft: 20 * 60,
    })
    expect(endOf(timer)).toBe(nine + 50 * minute)
    expect(settle(timer, nine + hour).focused?.stretches).toEqual([{ from: nine, to: nine + 50 * minute }])
  })

  test('while nothing runs, the time shown is that of the plan', () => {
    expect(shownAt(idle, nine, { ...defaultPlan, focus: 50 })).toMatchObject({ secondsLeft: 3_000 })
  })

  test('a whole cycle of four ends with the long break, and the next one begins with a new run', () => {
    let timer: FocusTimer = idle
    let now = nine
    const kinds: unknown[] = []
    for (let session = 1; session <= 4; session++) {
      timer = startFocus(timer, now, begin()).timer
      kinds.push(phaseOf(timer)?.kind)
      now += 25 * minute
      timer = startBreak(timer, now, begin()).timer
      kinds.push(phaseOf(timer)?.kind)
      expect(shownAt(timer, now).completed).toBe(session)
      now += phaseOf(timer)?.kind === 'long_break' ? 15 * minute : 5 * minute
    }
    expect(kinds).toEqual(['focus', 'break', 'focus', 'break', 'focus', 'break', 'focus', 'long_break'])
    expect(phaseOf(startFocus(timer, now, begin()).timer)).toMatchObject({ cycle, number: 9, focused: 4 })
  })

  test('a phase that ended while every device slept ended at its own end, and its break is still to be begun', () => {
    const { timer, focused } = settleAwake(
      started({ auto_start: true }),
      nine + 8 * hour,
      begin({ auto_start: true }),
    )
    expect(timer.status).toBe('finished')
    expect(focused?.stretches).toEqual([{ from: nine, to: nine + 25 * minute }])
  })

  test('an end that is noticed more than ten seconds later was slept through', () => {
    const plan = { auto_start: true }
    const noticed = (late: number) => settleAwake(started(plan), nine + 25 * minute + late, begin(plan)).timer
    expect(noticed(10 * second).status).toBe('running')
    expect(noticed(10 * second + 1).status).toBe('finished')
  })

  test('where breaks begin by themselves, the break begins with the end of the focus, noticed a moment later', () => {
    const plan = { auto_start: true }
    const { timer, focused } = settleAwake(started(plan), nine + 25 * minute + 900, begin(plan))
    expect(timer).toMatchObject({
      status: 'running',
      since: nine + 25 * minute,
      phase: { kind: 'break', number: 2 },
    })
    expect(focused).toMatchObject({ id: cycle })
    // Of focus that begins by itself, nobody would know.
    const over = settleAwake(timer, nine + 31 * minute, begin(plan)).timer
    expect(over).toMatchObject({ status: 'finished', phase: { kind: 'break' } })
  })

  test('a break is never recorded, however it ends', () => {
    const resting = startBreak(focused(), nine + hour, begin()).timer
    const later = nine + hour + 2 * minute
    expect(settle(resting, nine + 2 * hour)).not.toHaveProperty('focused')
    expect(reset(resting, later)).not.toHaveProperty('focused')
    expect(leave(resting, later)).not.toHaveProperty('focused')
    expect(save(resting, later)).toEqual({ timer: resting })
    expect(startFocus(resting, later, begin())).not.toHaveProperty('focused')
    expect(leave(pause(resting, later).timer, later)).not.toHaveProperty('focused')
  })

  test('focus can begin in the middle of a break, or in place of it', () => {
    const resting = startBreak(focused(), nine + hour, begin()).timer
    const again = startFocus(resting, nine + hour + minute, begin()).timer
    expect(again).toMatchObject({ status: 'running', phase: { kind: 'focus', number: 3, focused: 1 } })
    expect(startFocus(focused(), nine + hour, begin()).timer).toMatchObject({
      status: 'running',
      phase: { kind: 'focus', number: 2, focused: 1 },
    })
  })

  test('stopping a break returns to the start of the next focus', () => {
    const resting = startBreak(focused(), nine + hour, begin()).timer
    const stopped = reset(resting, nine + hour + minute).timer
    expect(shownAt(stopped, nine + hour + minute)).toMatchObject({
      status: 'idle',
      secondsLeft: 1_500,
      completed: 1,
    })
  })

  test('five minutes more make a break longer, as often as that is pressed', () => {
    const resting = startBreak(focused(), nine + hour, begin()).timer
    const once = lengthenBreak(resting, nine + hour + minute, 5).timer
    const twice = lengthenBreak(once, nine + hour + 2 * minute, 5).timer
    expect(endOf(twice)).toBe(nine + hour + 15 * minute)
    expect(lengthenBreak(started(), nine, 5)).toEqual({ timer: started() })
    const over = settle(resting, nine + 2 * hour).timer
    expect(lengthenBreak(over, nine + 2 * hour, 5)).toEqual({ timer: over })
  })

  test('a focus that was reset or saved early does not count in its cycle', () => {
    const second = startFocus(focused(), nine + hour, begin()).timer
    for (const press of [reset, save]) {
      const { timer } = press(second, nine + hour + 10 * minute)
      expect(shownAt(timer, nine + hour + 10 * minute).completed).toBe(1)
      const third = start(timer, nine + hour + 20 * minute, begin()).timer
      expect(phaseOf(third)).toMatchObject({ cycle, number: 3, focused: 1 })
    }
  })

  test('whoever rests for more than two hours begins another cycle', () => {
    const stopped = reset(focused(), nine + hour).timer
    const rested = (rest: number) => start(stopped, nine + 25 * minute + rest, by('another')).timer
    expect(phaseOf(rested(2 * hour))).toMatchObject({ cycle, number: 2, focused: 1 })
    expect(phaseOf(rested(2 * hour + 1))).toMatchObject({ cycle: 'another', number: 1, focused: 0 })
    expect(shownAt(stopped, nine + 25 * minute + 2 * hour + 1).completed).toBe(0)
  })

  test('a break that was stopped by mistake comes back with what was left of it', () => {
    const resting = startBreak(focused(), nine + hour, begin()).timer
    const dropped = droppedBy(resting, nine + hour + minute)
    if (!dropped) throw new Error('The reset dropped nothing')
    const { timer } = takeBack(reset(resting, nine + hour + minute).timer, nine + hour + 2 * minute, dropped)
    expect(shownAt(timer, nine + hour + 2 * minute)).toMatchObject({ kind: 'break', secondsLeft: 240 })
  })

  test('a run knows the runs before it, so that a device that slept through several finds its own', () => {
    let timer = started()
    const ids: string[] = []
    for (let now = nine; ids.length < 40; now += 25 * minute) {
      if (timer.status !== 'idle') ids.unshift(timer.run.id)
      timer = startFocus(settle(timer, now + 25 * minute).timer, now + 25 * minute, begin()).timer
    }
    if (timer.status === 'idle') throw new Error('It should run')
    const known = [timer.run.follows, ...(timer.run.before ?? [])]
    expect(known).toEqual(ids.slice(0, 25))
  })
})

describe('counting up', () => {
  test('shows the time that passed, and has no end of its own', () => {
    const timer = counting()
    expect(shownAt(timer, nine + 37 * minute + 24 * second)).toMatchObject({
      status: 'running',
      kind: 'flow',
      secondsPassed: 37 * 60 + 24,
      asks: false,
    })
  })

  test('is stopped by hand, and then a fifth of it is due as a break', () => {
    const { timer, focused } = save(counting(), nine + 37 * minute)
    expect(focused && sessionOfRun(focused, 'UTC', 0)).toMatchObject({ kind: 'flow', duration: 37 * 60 })
    expect(timer.status).toBe('finished')
    const resting = startBreak(timer, nine + 38 * minute, begin()).timer
    expect(shownAt(resting, nine + 38 * minute)).toMatchObject({
      kind: 'break',
      secondsLeft: 7 * 60,
      completed: 1,
    })
    // And it goes on counting up after that.
    expect(phaseOf(startFocus(resting, nine + hour, begin()).timer)?.kind).toBe('flow')
  })

  test('after four hours it asks, and unanswered for 15 minutes it ended when it asked', () => {
    const timer = counting()
    const asked = nine + 4 * hour
    expect(shownAt(timer, asked - 1).asks).toBe(false)
    expect(shownAt(timer, asked).asks).toBe(true)
    expect(shownAt(timer, asked + 15 * minute - 1)).toMatchObject({
      asks: true,
      secondsPassed: 4 * 3_600 + 899,
    })
    expect(settle(timer, asked + 15 * minute - 1)).toEqual({ timer })
    const { timer: over, focused } = settle(timer, asked + 15 * minute)
    expect(over.status).toBe('finished')
    expect(focused && focusedFor(focused)).toBe(4 * hour)
    expect(shownAt(timer, asked + 8 * hour)).toMatchObject({ status: 'finished', secondsPassed: 4 * 3_600 })
  })

  test('answered, it goes on, and asks again four hours later', () => {
    const { timer } = stillGoing(counting(), nine + 4 * hour + 10 * minute)
    expect(shownAt(timer, nine + 7 * hour)).toMatchObject({ asks: false, secondsPassed: 7 * 3_600 })
    expect(shownAt(timer, nine + 8 * hour).asks).toBe(true)
    const early = counting()
    expect(stillGoing(early, nine + hour)).toEqual({ timer: early })
  })

  test('whoever pauses or stops it while it asks is there: nothing of it is lost', () => {
    const at = nine + 4 * hour + 14 * minute
    expect(save(counting(), at).focused).toMatchObject({ stretches: [{ from: nine, to: at }] })
    const paused = pause(counting(), at).timer
    const again = start(paused, at + hour, begin()).timer
    expect(shownAt(again, at + hour)).toMatchObject({ asks: false, secondsPassed: 4 * 3_600 + 14 * 60 })
  })

  test('no session is longer than a day', () => {
    let timer = counting()
    for (let asked = 4; asked < 24; asked += 4) timer = stillGoing(timer, nine + asked * hour).timer
    const { timer: over, focused } = settle(timer, nine + 24 * hour)
    expect(over.status).toBe('finished')
    expect(focused && focusedFor(focused)).toBe(24 * hour)
  })

  test('a break never begins by itself after it', () => {
    const plan = { auto_start: true }
    const over = settleAwake(counting(), nine + 4 * hour + 15 * minute, begin(plan)).timer
    expect(over.status).toBe('finished')
  })
})

describe('what the focus is about', () => {
  test('may be chosen before, while it runs, and changed: it counts for the whole session', () => {
    const before = chooseSubject(idle, task).timer
    const running = start(before, nine, begin()).timer
    expect(save(running, nine + minute).focused).toMatchObject({ subject: task })
    const changed = chooseSubject(running, habit).timer
    expect(save(changed, nine + minute).focused).toMatchObject({ subject: habit })
  })

  test('may be chosen after the end: then the recorded session is changed', () => {
    const over = focused()
    expect(chooseSubject(over, task)).toMatchObject({
      timer: { subject: task },
      renamed: { id: cycle, subject: task },
    })
    expect(chooseSubject(chooseSubject(over, task).timer, task)).not.toHaveProperty('renamed')
  })

  test('chosen during a break it is that of the next focus, and the recorded session stays', () => {
    const resting = startBreak(chooseSubject(focused(), task).timer, nine + hour, begin()).timer
    const step = chooseSubject(resting, habit)
    expect(step).not.toHaveProperty('renamed')
    expect(startFocus(step.timer, nine + 2 * hour, begin()).timer).toMatchObject({ subject: habit })
  })

  test('is kept for the next focus, also after a reset', () => {
    const running = chooseSubject(started(), task).timer
    expect(reset(running, nine + minute).timer).toMatchObject({ status: 'idle', subject: task })
  })
})
