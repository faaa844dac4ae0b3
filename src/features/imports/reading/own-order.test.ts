import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { inOwnOrder } from './own-order.ts'

test('each list has its rows by their places, and those without one behind, as they stand in the file', () => {
  const rows = [
    { key: 'a', list: 'home' },
    { key: 'b', list: 'work' },
    { key: 'c', list: 'home' },
    { key: 'd' },
    { key: 'e', list: 'home' },
    { key: 'f', list: 'home' },
    { key: 'g', list: 'work' },
  ]
  const places = new Map([
    ['f', -3],
    ['c', 2],
    ['g', 1],
    ['b', 7],
  ])
  expect(inOwnOrder(rows, places).map(({ key }) => key)).toEqual(['f', 'g', 'c', 'd', 'a', 'e', 'b'])
})

test('a list whose rows have equal places, or none, stays as it is in the file', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.option(fc.integer(), { nil: undefined }), (keys, place) => {
      const rows = keys.map((key) => ({ key }))
      const places = new Map(place === undefined ? [] : keys.map((key) => [key, place]))
      expect(inOwnOrder(rows, places)).toEqual(rows)
    }),
    { numRuns: runs(10_000, 100) },
  )
})
