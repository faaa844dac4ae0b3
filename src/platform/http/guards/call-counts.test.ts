import { describe, expect, it } from 'vitest'
import { CallCounts } from './call-counts.ts'

const limit = { name: 'x', max: 2, seconds: 10 }
const noon = Date.parse('2026-11-20T12:00:00.000Z')

describe('calls counted in memory', () => {
  it('are let in up to the limit, each client and each kind by itself, and anew once the window ends', () => {
    const counts = new CallCounts()
    const waits = [0, 1, 2, 9_999, 10_000].map((later) => counts.count(limit, 'ada', noon + later))
    expect(waits).toEqual([0, 0, 9_998, 1, 0])
    expect(counts.count(limit, 'eve', noon + 3)).toBe(0)
    expect(counts.count({ ...limit, name: 'y' }, 'ada', noon + 3)).toBe(0)
  })

  it('hold nobody up longer because the clock was set back', () => {
    const counts = new CallCounts()
    for (let count = 0; count < 3; count += 1) counts.count(limit, 'ada', noon)
    expect(counts.count(limit, 'ada', noon - 60 * 60_000)).toBe(0)
  })

  it('leave nothing behind of whoever has not come again', () => {
    const counts = new CallCounts()
    for (let client = 0; client < 1_000; client += 1) counts.count(limit, `client ${client}`, noon)
    expect(counts.size).toBe(1_000)
    counts.count(limit, 'ada', noon + 60_000)
    expect(counts.size).toBe(1)
  })
})
