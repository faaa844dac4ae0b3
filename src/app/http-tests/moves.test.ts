import { generateKeyBetween } from 'fractional-indexing'
import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { byPosition, longestPosition, type Placed } from '#platform/order/position.ts'
import { randomBelow, runs } from '#testing/runs.ts'
import { type OrderRules, orderRules, playMoves } from '../testing/moves/play-moves.ts'
import { someMoves } from '../testing/moves/some-moves.ts'

/** A device that stands by the order in which it last showed rows of one position. */
const withoutTieBreak: OrderRules = {
  ...orderRules,
  sort(rows, shown) {
    const inShownOrder = rows.toSorted((one, other) => shown.indexOf(one.id) - shown.indexOf(other.id))
    return inShownOrder.toSorted((one, other) => compare(one.position, other.position))
  },
}

/** A device that asks for a position between two that are the same. */
const keyBetweenEquals: OrderRules = {
  ...orderRules,
  moveAfter(rows, id, above) {
    const others = rows.toSorted(byPosition).filter((row) => row.id !== id)
    const place = others.findIndex((row) => row.id === above) + 1
    return [{ id, position: keyBetween(others[place - 1], others[place]) }]
  },
}

function keyBetween(above: Placed | undefined, below: Placed | undefined): string {
  return generateKeyBetween(above?.position ?? null, below?.position ?? null)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

describeEachEngine('three devices that move the same tasks, now and then offline', (openEmpty) => {
  const play = async (moves: number, below: (limit: number) => number, changes = {}) =>
    playMoves(await someMoves(await openEmpty(), moves, below, changes))

  it(
    'all show one order in the end, and a move writes one row, or two to part equal positions',
    async () => {
      const { orders, written, longest, misplaced } = await play(runs(10_000, 100), randomBelow())
      const counts = [1, 2].map((rows) => written.filter((each) => each === rows).length)
      process.stdout.write(
        `${written.length} moves: ${counts[0]} wrote one row, ${counts[1]} two; the longest position a device made has ${longest.made} characters, the longest in the end ${longest.stored}\n`,
      )
      expect(new Set(orders.map((order) => order.join())).size).toBe(1)
      expect(misplaced).toBe(0)
      expect(Math.max(...written)).toBeLessThanOrEqual(2)
      expect(counts[1]).toBeGreaterThan(0)
      expect(counts[0]).toBeGreaterThan(written.length * 0.9)
      expect(longest.stored).toBeLessThanOrEqual(longestPosition)
    },
    runs(1_800_000, 600_000),
  )

  it('would not, if equal positions had no tie-break', async () => {
    const { orders } = await play(0, randomBelow(1), { rules: withoutTieBreak })
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(1)
  })

  it('would fail, if a position were asked for between two that are equal', async () => {
    await expect(play(0, randomBelow(1), { rules: keyBetweenEquals })).rejects.toThrow()
  })

  it('keep positions short, however many moves go into one gap', async () => {
    const { orders, longest } = await play(runs(5_000, 80), randomBelow(), { intoOneGap: true })
    expect(new Set(orders.map((order) => order.join())).size).toBe(1)
    expect(longest.stored).toBeLessThanOrEqual(longestPosition)
  })
})
