import { describe, expect, test } from 'vitest'
import { by, hour, minute, nine, second } from '../testing/beginnings.ts'
import { runLength } from './phase.ts'
import { sessionOfRun } from './session-of-run.ts'
import {
  droppedBy,
  type FocusTimer,
  idle,
  isUnsettled,
  leave,
  pause,
  reset,
  save,
  settle,
  shifted,
  shownAt,
  start,
  takeBack,
} from './timer.ts'

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
    expect(timer).toEqual({ ...atRest, recorded: focused?.stretches })
    expect(focused?.stretches).toEqual([
      { from: nine, to: nine + 10 * minute },
      { from: nine + hour, to: nine + hour + 90 * second },
    ])
  })

  test('a paused timer can be saved: 1,500 seconds less what is left, however long the pause', () => {
    const paused = pause(started(), nine + minute + 999).timer
    const { timer, focused } = save(paused, nine + hour)
    expect(timer).toEqual({ ...atRest, recorded: focused?.stretches })
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
      { ...atRest, recorded: [{ from: nine - hour, to: nine }] },
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
