import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedRows } from './shared-rows.ts'

const rowsOf = (...titles: string[]) => titles.map((title) => ({ id: title, title, tags: [{ of: title }] }))

test('rows that are as before stay the same objects, and so does the array', () => {
  const before = rowsOf('a', 'b')
  expect(sharedRows(before, rowsOf('a', 'b'))).toBe(before)
})

test('one row fewer at the top leaves the others the same objects', () => {
  const before = rowsOf('a', 'b', 'c')
  const after = sharedRows(before, rowsOf('b', 'c'))
  expect(after[0]).toBe(before[1])
  expect(after[1]).toBe(before[2])
})

test('a field that is new, gone or changed at any depth makes another row', () => {
  const before = [{ id: 'a', settled: [{ day: '2026-11-29' }], note: undefined }]
  for (const row of [
    { id: 'a', settled: [{ day: '2026-11-30' }], note: undefined },
    { id: 'a', settled: [], note: undefined },
    { id: 'a', settled: [{ day: '2026-11-29' }], other: undefined },
  ]) {
    const [after] = sharedRows<object>(before, [row])
    expect(after).toBe(row)
  }
})

test('whatever comes is shown as it came, in its order', () => {
  const row = fc.record({
    id: fc.nat(5),
    title: fc.constantFrom('x', 'y'),
    tags: fc.array(fc.nat(2), { maxLength: 2 }),
  })
  const rows = fc.uniqueArray(row, { selector: ({ id }) => id })
  fc.assert(
    fc.property(rows, rows, (before, after) => {
      expect(sharedRows(before, structuredClone(after))).toEqual(after)
    }),
  )
})
