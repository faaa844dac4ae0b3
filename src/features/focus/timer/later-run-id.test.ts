import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { runs } from '#testing/runs.ts'
import { laterRunId } from './later-run-id.ts'

const cycle = '019a9c1e-5d02-7a3b-9c4d-0123456789ab'
const started = Date.UTC(2026, 10, 20, 9)

test('the id of a later run is an id, in the order of the starts', () => {
  const id = laterRunId(cycle, 3, started)
  expect(rowIdSchema.parse(id)).toBe(id)
  expect(laterRunId(cycle, 3, started + 1) > id).toBe(true)
})

test('two devices that begin the same phase make the same run, and no other phase has its id', () => {
  const id = laterRunId(cycle, 3, started)
  expect(laterRunId(cycle, 3, started)).toBe(id)
  const others = [
    laterRunId(cycle, 4, started),
    laterRunId(cycle, 3, started + 1),
    laterRunId('019a9c1e-5d02-7a3b-9c4d-0123456789ac', 3, started),
  ]
  expect(new Set([id, ...others]).size).toBe(4)
})

test('of different phases of a cycle no two have the same id', () => {
  const facts = fc.record({
    number: fc.oneof(fc.constant(1), fc.nat(4_095)),
    started: fc.oneof(fc.constant(started), fc.nat(Date.UTC(9999, 11, 31))),
  })
  fc.assert(
    fc.property(facts, facts, (one, other) => {
      const isSame = one.number === other.number && one.started === other.started
      const ids = [one, other].map((phase) => laterRunId(cycle, phase.number, phase.started))
      expect(ids[0] === ids[1]).toBe(isSame)
    }),
    { numRuns: runs(10_000, 100) },
  )
})
