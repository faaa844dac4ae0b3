import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  type Day,
  dayFromNumber,
  dayNumber,
  dayOf,
  daysFrom,
  earliestDayAnywhere,
  latestDayAnywhere,
} from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekdayOf, weekNumber } from '#platform/calendar/week.ts'
import { runs } from '../../../testing/runs.ts'

const zones = Intl.supportedValuesOf('timeZone')
const zone = fc.constantFrom(...zones)
const dayStart = fc.integer({ min: 0, max: 360 })
const weekStart = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)
const instant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) })
const dayNumbers = fc.integer({ min: dayNumber('1900-01-01' as Day), max: dayNumber('2200-12-31' as Day) })

const formats = new Map<string, Intl.DateTimeFormat>()

/** An independent model: the formatted wall clock, and yesterday's date while the clock is before the day start. */
function dayByTheClockOnTheWall(at: number, inZone: string, dayStartMinutes: number): string {
  let format = formats.get(inZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: inZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(inZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]))
  const date = new Date(Date.UTC(Number(parts.year), Number(parts.month) - 1, Number(parts.day)))
  const minutes = Number(parts.hour) * 60 + Number(parts.minute)
  if (minutes < dayStartMinutes) date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

describe('the day of an instant', () => {
  test('is what the wall clock says, less the day start, in every zone', () => {
    fc.assert(
      fc.property(instant, zone, dayStart, (at, inZone, start) => {
        expect(dayOf(at, inZone, start)).toBe(dayByTheClockOnTheWall(at, inZone, start))
      }),
      { numRuns: runs(20_000, 500) },
    )
  })

  test('is correct on both sides of every daylight-saving change', () => {
    const around = fc.integer({ min: -7 * 3_600_000, max: 7 * 3_600_000 })
    fc.assert(
      fc.property(
        instant,
        zone,
        dayStart,
        fc.array(around, { minLength: 2, maxLength: 6 }),
        (at, inZone, start, offsets) => {
          const change = Temporal.Instant.fromEpochMilliseconds(at)
            .toZonedDateTimeISO(inZone)
            .getTimeZoneTransition('next')?.epochMilliseconds
          fc.pre(change !== undefined)
          for (const offset of [-1, 0, 1, ...offsets]) {
            const near = (change ?? 0) + offset
            expect(dayOf(near, inZone, start)).toBe(dayByTheClockOnTheWall(near, inZone, start))
          }
        },
      ),
      { numRuns: runs(10_000, 300) },
    )
  })

  test('at 23:59 is the day that ends, at midnight the one that begins', () => {
    expect(dayOf(Date.parse('2026-11-20T22:59:59.999Z'), 'Europe/Copenhagen', 0)).toBe('2026-11-20')
    expect(dayOf(Date.parse('2026-11-20T23:00:00.000Z'), 'Europe/Copenhagen', 0)).toBe('2026-11-21')
  })

  test('with a day start of 03:00 is still the day before in the hour after midnight', () => {
    expect(dayOf(Date.parse('2026-11-21T01:59:00.000Z'), 'Europe/Copenhagen', 180)).toBe('2026-11-20')
    expect(dayOf(Date.parse('2026-11-21T02:00:00.000Z'), 'Europe/Copenhagen', 180)).toBe('2026-11-21')
  })

  test('is never later than the latest day anywhere, nor earlier than the earliest', () => {
    fc.assert(
      fc.property(instant, zone, dayStart, (at, inZone, start) => {
        expect(dayOf(at, inZone, start) <= latestDayAnywhere(at)).toBe(true)
        expect(dayOf(at, inZone, start) >= earliestDayAnywhere(at)).toBe(true)
      }),
      { numRuns: runs(10_000, 300) },
    )
  })
})

describe('days and weeks', () => {
  test('a day and its number convert both ways, leap days included', () => {
    fc.assert(
      fc.property(dayNumbers, fc.integer({ min: -4_000, max: 4_000 }), (number, distance) => {
        const day = dayFromNumber(number)
        expect(dayNumber(day)).toBe(number)
        expect(addDays(day, distance)).toBe(Temporal.PlainDate.from(day).add({ days: distance }).toString())
      }),
      { numRuns: runs(10_000, 300) },
    )
    for (let number = dayNumber('0001-01-01' as Day); number <= dayNumber('9999-12-31' as Day); number += 7) {
      const day = new Date(number * 86_400_000).toISOString().slice(0, 10)
      if (dayFromNumber(number) !== day || dayNumber(day as Day) !== number) expect.fail(day)
    }
    expect(addDays('2028-02-28' as Day, 1)).toBe('2028-02-29')
    expect(addDays('2027-02-28' as Day, 1)).toBe('2027-03-01')
  })

  test('a week is the seven days from the week start, whichever day that is', () => {
    fc.assert(
      fc.property(dayNumbers, weekStart, (number, start) => {
        const day = dayFromNumber(number)
        let first = Temporal.PlainDate.from(day)
        while (first.dayOfWeek !== start) first = first.subtract({ days: 1 })
        const week = weekNumber(day, start)
        expect(firstDayOfWeek(week, start)).toBe(first.toString())
        expect(weekNumber(addDays(first.toString() as Day, 6), start)).toBe(week)
        expect(weekNumber(addDays(first.toString() as Day, 7), start)).toBe(week + 1)
        expect(weekdayOf(day)).toBe(Temporal.PlainDate.from(day).dayOfWeek)
      }),
      { numRuns: runs(10_000, 300) },
    )
  })

  test('a range contains every day once, and is empty if it ends before it begins', () => {
    expect(daysFrom('2028-02-28' as Day, '2028-03-01' as Day)).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ])
    expect(daysFrom('2028-03-02' as Day, '2028-03-01' as Day)).toEqual([])
  })
})
