import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { IncrementalMergeSort } from './incremental-merge-sort.ts'

it('items that arrive in sorted groups come out in order, and none is lost', () => {
  const inOrder = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 99 }))), (groups) => {
      const sorter = new IncrementalMergeSort<number>((one, other) => one < other)
      for (const group of groups) sorter.add(inOrder(group))
      expect(sorter.all()).toEqual(inOrder(groups.flat()))
    }),
    { numRuns: runs(10_000, 100) },
  )
})
