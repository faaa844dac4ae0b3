import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { countCall } from './rate-limit-store.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const second = 1_000
const day = 24 * 60 * 60 * second
const limit = { name: 'a test', max: 2, seconds: 60 }

describeEachEngine('a limit to calls', (openEmpty) => {
  it('is waited for no longer than it lasts, even after the clock was set back by two days', async () => {
    const database = await openEmpty()
    const call = (at: number) => countCall(database, limit, 'Ada', at)
    const ahead = noon + 2 * day
    expect([await call(ahead), await call(ahead), await call(ahead)]).toEqual([0, 0, 60 * second])
    expect([await call(noon), await call(noon), await call(noon)]).toEqual([0, 0, 60 * second])
    expect(await call(noon + 60 * second)).toBe(0)
  })

  it('is the same for several servers whose clocks differ by seconds', async () => {
    const database = await openEmpty()
    const call = (at: number) => countCall(database, limit, 'Ada', at)
    expect([await call(noon + 5 * second), await call(noon), await call(noon + 6 * second)]).toEqual([
      0,
      0,
      59 * second,
    ])
    expect(await call(noon)).toBe(65 * second)
  })
})
