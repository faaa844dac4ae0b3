import { expect, test } from 'vitest'
import { by, minute, nine } from '../testing/beginnings.ts'
import { endedPhase, idle, pause, save, settle, settleAwake, start, startBreak, startFocus } from './timer.ts'

const focus = start(idle, nine, by('run')).timer

test('a focus that came to its end has ended, and so has one whose break began by itself', () => {
  const end = nine + 25 * minute
  expect(endedPhase(focus, settle(focus, end).timer)).toMatchObject({ kind: 'focus', run: { id: 'run' } })
  const byItself = settleAwake(focus, end, by('next', { auto_start: true })).timer
  expect(byItself).toMatchObject({ status: 'running', phase: { kind: 'break' } })
  expect(endedPhase(focus, byItself)).toMatchObject({
    kind: 'focus',
    run: { id: 'run', stretches: [{ from: nine, to: end }] },
  })
})

test('a break that came to its end has ended, and one that was skipped has not', () => {
  const ended = settle(focus, nine + 25 * minute).timer
  const rest = startBreak(ended, nine + 26 * minute, by('next')).timer
  expect(endedPhase(ended, rest)).toBeUndefined()
  expect(endedPhase(rest, settle(rest, nine + 31 * minute).timer)).toMatchObject({ kind: 'break' })
  expect(endedPhase(rest, startFocus(rest, nine + 28 * minute, by('last')).timer)).toBeUndefined()
})

test('what a press ended has not ended by itself', () => {
  expect(endedPhase(focus, pause(focus, nine + minute).timer)).toBeUndefined()
  const flow = start({ status: 'idle', next: 'flow' }, nine, by('run')).timer
  const saved = save(flow, nine + 30 * minute).timer
  expect(saved.status).toBe('finished')
  expect(endedPhase(flow, saved)).toBeUndefined()
})
