import { expect, it, vi } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { longestPosition } from '#platform/order/position.ts'
import { randomBelow } from '#testing/runs.ts'
import { playMoves } from '../testing/moves/play-moves.ts'
import { someMoves } from '../testing/moves/some-moves.ts'

// The planted fault is a file of its own, because the server's modules are replaced for all of it.
vi.mock('#platform/order/move.ts', async (original) => ({
  ...(await original<object>()),
  shortenAround: () => [],
}))

describeEachEngine('a server that does not shorten positions', (openEmpty) => {
  it('would let them grow', async () => {
    const { longest } = await playMoves(
      await someMoves(await openEmpty(), 40, randomBelow(1), { intoOneGap: true }),
    )
    expect(longest.stored).toBeGreaterThan(longestPosition)
  })
})
