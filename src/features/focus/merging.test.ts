import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Merging } from './merging.ts'

it('items that arrive in sorted groups come out in order, and none is lost', () => {
  const inOrder = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 99 }))), (groups) => {
      const merging = new Merging<number>((one, other) => one < other)
      for (const group of groups) merging.add(inOrder(group))
      expect(merging.all()).toEqual(inOrder(groups.flat()))
    }),
  )
})
