import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { type ChosenRows, noRows, withAll, withoutGone, withRangeTo, withToggled } from './chosen-rows.ts'

const shown = ['a', 'b', 'c', 'd', 'e']
const idsOf = ({ ids }: ChosenRows) => [...ids].sort()

describe('choosing rows', () => {
  test('Shift and an arrow choose the row with the focus and the next', () => {
    const two = withRangeTo(noRows, shown, { from: 'b', to: 'c' })
    expect(idsOf(two)).toEqual(['b', 'c'])
    expect(idsOf(withRangeTo(two, shown, { from: 'c', to: 'd' }))).toEqual(['b', 'c', 'd'])
  })

  test('coming back lets go of what was passed, and goes on to the other side', () => {
    const down = withRangeTo(noRows, shown, { from: 'c', to: 'e' })
    const back = withRangeTo(down, shown, { from: 'e', to: 'd' })
    expect(idsOf(back)).toEqual(['c', 'd'])
    expect(idsOf(withRangeTo(back, shown, { from: 'd', to: 'a' }))).toEqual(['a', 'b', 'c'])
  })

  test('a range begins at the row that was chosen last, and keeps those chosen before', () => {
    const apart = withToggled(withToggled(noRows, 'a'), 'c')
    expect(idsOf(withRangeTo(apart, shown, { from: 'c', to: 'e' }))).toEqual(['a', 'c', 'd', 'e'])
  })

  test('a second press lets go of a row', () => {
    expect(idsOf(withToggled(withToggled(noRows, 'a'), 'a'))).toEqual([])
  })

  test('a range whose beginning has gone begins at the row with the focus', () => {
    const gone = withRangeTo(withToggled(noRows, 'x'), shown, { from: 'b', to: 'c' })
    expect(idsOf(gone)).toEqual(['b', 'c', 'x'])
  })

  test('what has gone is chosen no more', () => {
    const all = withAll(shown)
    expect(idsOf(withoutGone(all, (id) => id !== 'c'))).toEqual(['a', 'b', 'd', 'e'])
    expect(withoutGone(all, () => true)).toBe(all)
  })

  test('however its end moves, a range is what lies between its ends', () => {
    fc.assert(
      fc.property(
        fc.nat(19),
        fc.array(fc.nat(19), { minLength: 1, maxLength: 30 }),
        fc.uniqueArray(fc.nat(19), { maxLength: 5 }),
        (from, ends, before) => {
          const rows = Array.from({ length: 20 }, (_, place) => `row ${place}`)
          const id = (place: number) => `row ${place}`
          // Rows chosen one by one stay, unless the range passed over them and came back.
          const start = { ids: new Set(before.map(id)), range: undefined }
          const end = ends.reduce<ChosenRows>(
            (chosen, to) => withRangeTo(chosen, rows, { from: id(from), to: id(to) }),
            start,
          )
          const last = ends.at(-1) ?? from
          for (const [place, row] of rows.entries()) {
            const isInside = Math.min(from, last) <= place && place <= Math.max(from, last)
            const wasPassed = ends.some((to) => Math.min(from, to) <= place && place <= Math.max(from, to))
            const wasBefore = before.includes(place)
            expect(end.ids.has(row)).toBe(isInside || (wasBefore && !wasPassed))
          }
        },
      ),
      { numRuns: runs(5_000, 200) },
    )
  })
})
