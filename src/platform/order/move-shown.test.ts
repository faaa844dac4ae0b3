import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { moveShown } from './move-shown.ts'
import { byPosition, type Placed } from './position.ts'

const rows: Placed[] = [
  { id: 'home 1', position: 'a0' },
  { id: 'work 1', position: 'a1' },
  { id: 'home 2', position: 'a2' },
  { id: 'work 2', position: 'a3' },
  { id: 'work 3', position: 'a4' },
  { id: 'home 3', position: 'a5' },
]
const work = ['work 1', 'work 2', 'work 3']

function orderAfter(all: readonly Placed[], written: readonly Placed[]): string[] {
  const moved = new Map(written.map((row) => [row.id, row]))
  return all
    .map((row) => moved.get(row.id) ?? row)
    .sort(byPosition)
    .map(({ id }) => id)
}

describe('a row moved in a list', () => {
  test('stands right after the neighbour that is seen above it, before what the list does not show', () => {
    expect(orderAfter(rows, moveShown(rows, work, { id: 'work 3', to: 1 }))).toEqual([
      'home 1',
      'work 1',
      'work 3',
      'home 2',
      'work 2',
      'home 3',
    ])
  })

  test('at the top of the list stands right before the one that was seen first', () => {
    expect(orderAfter(rows, moveShown(rows, work, { id: 'work 3', to: 0 }))).toEqual([
      'home 1',
      'work 3',
      'work 1',
      'home 2',
      'work 2',
      'home 3',
    ])
  })

  test('writes nothing where it is seen already, whatever stands in between', () => {
    for (const [to, id] of work.entries()) expect(moveShown(rows, work, { id, to })).toEqual([])
  })
})

test('whatever is shown, a moved row is seen where it was put, and all others keep their order', () => {
  const someRows = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(someRows, fc.infiniteStream(fc.nat()), (keys, numbers) => {
      const next = (below: number) => (numbers.next().value ?? 0) % below
      // Rows of one position as well, as two devices make them.
      const all = keys.map((key) => ({ id: `row ${key}`, position: `a${(key % 9) + 1}` })).sort(byPosition)
      const shown = all.filter(() => next(3) > 0).map(({ id }) => id)
      const id = shown[next(Math.max(shown.length, 1))]
      if (id === undefined) return
      const to = next(shown.length)
      const order = orderAfter(all, moveShown(all, shown, { id, to }))
      expect(order.filter((other) => shown.includes(other))).toEqual(
        shown.filter((other) => other !== id).toSpliced(to, 0, id),
      )
      const others = (ids: readonly string[]) => ids.filter((other) => other !== id)
      expect(others(order)).toEqual(others(all.map((row) => row.id)))
    }),
    { numRuns: runs(10_000, 1_000) },
  )
})
