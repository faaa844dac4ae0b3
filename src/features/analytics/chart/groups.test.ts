import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { runs } from '../../../../testing/runs.ts'
import { type DayValue, sumOf } from '../metrics/day-value.ts'
import { maxListedDays, parseDays, parseRange, ranges } from '../metrics/range.ts'
import { daysOf, unitOf } from '../metrics/range-days.ts'
import { groupDays } from './groups.ts'

const today = '2026-11-20' as Day // a Friday

const manyDays = fc
  .tuple(
    fc.integer({ min: -20_000, max: 20_000 }).map((offset) => addDays(today, offset)),
    fc.array(fc.tuple(fc.nat({ max: 90_000 }), fc.nat({ max: 30 })), { maxLength: 400 }),
  )
  .map(([first, values]) =>
    values.map(([amount, occasions], place): DayValue => ({ day: addDays(first, place), amount, occasions })),
  )
const weekStarts = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)
const units = fc.constantFrom('day' as const, 'week' as const, 'month' as const)

describe('the bars of a chart', () => {
  test('never lose a day or count one twice, whatever day weeks begin on', () => {
    fc.assert(
      fc.property(manyDays, units, weekStarts, (days, unit, weekStart) => {
        const groups = groupDays(days, unit, weekStart)
        expect(groups.flatMap(({ from, to }) => daysFrom(from, to))).toEqual(days.map(({ day }) => day))
        expect(sumOf(groups)).toEqual(sumOf(days))
        for (const { from, to, amount, occasions } of groups) {
          const own = sumOf(days.filter(({ day }) => day >= from && day <= to))
          expect({ amount, occasions }).toEqual(own)
        }
      }),
      { numRuns: runs(2_000, 100) },
    )
  })

  test('begin a week on the first day of the person’s week, and a month on its first day', () => {
    fc.assert(
      fc.property(manyDays, weekStarts, (days, weekStart) => {
        const inside = (groups: { from: Day }[]) => groups.slice(1).map(({ from }) => from)
        for (const from of inside(groupDays(days, 'week', weekStart))) expect(weekdayOf(from)).toBe(weekStart)
        for (const from of inside(groupDays(days, 'month', weekStart))) expect(from).toMatch(/-01$/)
      }),
      { numRuns: runs(500, 50) },
    )
  })
})

describe('a range', () => {
  test('ends today, and the previous one is as long and ends on the day before it begins', () => {
    for (const range of ranges) {
      const { from, to, before } = daysOf(range, today)
      expect(to).toBe(today)
      expect(daysFrom(from, to)).toHaveLength(range === 'year' ? 365 : range)
      expect(daysFrom(before.from, before.to)).toHaveLength(range === 'year' ? 365 : range)
      expect(addDays(before.to, 1)).toBe(from)
    }
    expect(ranges.map(unitOf)).toEqual(['day', 'day', 'week', 'month'])
  })

  test('is recognised in an address as number and as text, and anything else is not', () => {
    expect(parseRange({ range: 7 })).toEqual({ range: 7 })
    expect(parseRange({ range: '90' })).toEqual({ range: 90 })
    expect(parseRange({ range: 'year' })).toEqual({ range: 'year' })
    for (const range of [undefined, null, 8, '', 'month', [7, 30], { range: 7 }, true]) {
      expect(parseRange({ range })).toEqual({})
    }
  })

  test('of a list takes two days in order, at most a year apart, and nothing else', () => {
    expect(parseDays({ from: '2026-11-01', to: '2026-11-20' })).toEqual({
      from: '2026-11-01',
      to: '2026-11-20',
    })
    const long = parseDays({ from: '2001-01-01', to: today })
    expect(daysFrom(long.from ?? today, today)).toHaveLength(maxListedDays)
    for (const search of [
      {},
      { from: '2026-11-01' },
      { from: '2026-11-20', to: '2026-11-01' },
      { from: '2026-02-30', to: '2026-03-01' },
      { from: 20261101, to: today },
      { from: '1', to: '2' },
    ]) {
      expect(parseDays(search)).toEqual({})
    }
  })
})
