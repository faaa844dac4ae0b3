import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Day, dayFromNumber, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import { nextReminder, startOfDay } from './next-reminder.ts'
import type { Reminder } from './reminder.ts'

const minute = 60_000
const everyDay: Reminder['weekdays'] = [1, 2, 3, 4, 5, 6, 7]

// Zones whose clocks change at unusual hours, over midnight (Nuuk, Cairo, Santiago), by half an hour (Lord Howe), for a
// month in between (Casablanca), and zones that left out a day (Apia, Kwajalein).
const zones = [
  'Europe/Copenhagen',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'America/Havana',
  'America/St_Johns',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'UTC',
]

const reminders = fc.record({
  time: fc.oneof(
    fc.constantFrom(0, 1, 59, 60, 119, 120, 150, 179, 180, 1410, 1439),
    fc.integer({ min: 0, max: 1439 }),
  ),
  weekdays: fc.subarray(everyDay, { minLength: 1 }),
})

/** Half of them near a change of a zone's clocks, the others anywhere. All are whole minutes. */
const moments = fc
  .record({
    zone: fc.constantFrom(...zones),
    at: fc.integer({ min: Date.UTC(1990, 0, 1) / minute, max: Date.UTC(2037, 0, 1) / minute }),
    near: fc.option(fc.integer({ min: -40 * 60, max: 6 * 60 })),
  })
  .map(({ zone, at, near }) => {
    const change = transitionAfter(zone, at * minute)
    const isLater = near !== null && change !== undefined
    return { zone, at: isLater ? change - (change % minute) + near * minute : at * minute }
  })

function transitionAfter(zone: string, at: Instant): Instant | undefined {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).getTimeZoneTransition('next')
    ?.epochMilliseconds
}

const offsets = new Map<string, number>()

function offsetAt(at: Instant, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
}

/**
 * What the wall clock shows, in minutes since 1970-01-01 on the wall. In an hour that begins and ends with the same offset,
 * the clocks do not change.
 */
function wallClock(at: Instant, zone: string): number {
  const hour = Math.floor(at / (60 * minute))
  const key = `${zone} ${hour}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    const first = offsetAt(hour * 60 * minute, zone)
    offset = first === offsetAt((hour + 1) * 60 * minute, zone) ? first : Number.NaN
    if (offsets.size > 100_000) offsets.clear()
    offsets.set(key, offset)
  }
  return Math.floor((at + (Number.isNaN(offset) ? offsetAt(at, zone) : offset)) / minute)
}

/**
 * By brute force: goes on minute by minute, looks at the wall clock, and reminds of a day as soon as the clock shows the
 * time or has jumped past it; but of no day twice, and not if the clocks go back and reach the time again.
 */
function* walk(reminder: Reminder, from: Instant, zoneAt: (at: Instant) => string) {
  let reminded = Number.NEGATIVE_INFINITY
  for (let at = from; ; at += minute) {
    const zone = zoneAt(at)
    const [before, now] = [wallClock(at - minute, zone), wallClock(at, zone)]
    for (const day of new Set([Math.floor(before / 1440), Math.floor(now / 1440)])) {
      const time = day * 1440 + reminder.time
      if (before >= time || now < time || day <= reminded || wasThere(time, at, zone)) continue
      const name = dayFromNumber(day)
      if (!reminder.weekdays.includes(weekdayOf(name))) continue
      reminded = day
      yield { at, day: name }
    }
  }
}

function wasThere(time: number, at: Instant, zone: string): boolean {
  for (let back = 2; back <= 4 * 60; back += 1) if (wallClock(at - back * minute, zone) >= time) return true
  return false
}

describe('the next reminder', () => {
  test('is what somebody sees who looks at the wall clock minute by minute, in every zone', () => {
    fc.assert(
      fc.property(reminders, moments, ({ time, weekdays }, { zone, at }) => {
        const walked = walk({ time, weekdays }, at + minute, () => zone)
        let after = at
        let remindedOn: Day | null = null
        // On all days: the walk to a single weekday is long and takes the same steps.
        for (let times = 0; times < (weekdays.length > 3 ? 3 : 1); times += 1) {
          const next = nextReminder({ time, weekdays }, after, zone, remindedOn)
          expect(next).toEqual(walked.next().value)
          after = next.at
          remindedOn = next.day
        }
      }),
      { numRuns: runs(20_000, 150) },
    )
  })

  test('on a journey, comes at most once for each day, and for every day whose time is still to come', () => {
    const journeys = fc.array(
      fc.record({ zone: fc.constantFrom(...zones), stays: fc.integer({ min: 60, max: 3 * 24 * 60 }) }),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(reminders, moments, journeys, ({ time, weekdays }, { zone, at }, journey) => {
        let arrived = at
        const stays = [{ zone, from: at, until: at + 24 * 60 * minute }]
        for (const { zone, stays: minutes } of journey) {
          arrived = stays.at(-1)?.until ?? at
          stays.push({ zone, from: arrived, until: arrived + minutes * minute })
        }
        const end = stays.at(-1)?.until ?? at

        // The way the stores do it: an alarm, set anew at each arrival and after each reminder.
        const sent: { at: Instant; day: string }[] = []
        let remindedOn: Day | null = null
        for (const { zone, from, until } of stays) {
          let next = nextReminder({ time, weekdays }, from, zone, remindedOn)
          while (next.at <= until) {
            sent.push(next)
            remindedOn = next.day
            next = nextReminder({ time, weekdays }, next.at, zone, remindedOn)
          }
        }

        const walked: { at: Instant; day: string }[] = []
        const zoneAt = (moment: Instant) =>
          stays.find(({ until }) => moment <= until)?.zone ?? stays.at(-1)?.zone ?? zone
        for (const seen of walk({ time, weekdays }, at + minute, zoneAt)) {
          if (seen.at > end) break
          walked.push(seen)
          if (walked.length > 20) break
        }
        expect(sent).toEqual(walked)
        expect(new Set(sent.map(({ day }) => day)).size).toBe(sent.length)
      }),
      { numRuns: runs(10_000, 100) },
    )
  })

  const inCopenhagen = (time: number, after: string, weekdays = everyDay) => {
    const { at, day } = nextReminder({ time, weekdays }, Date.parse(after), 'Europe/Copenhagen')
    return [new Date(at).toISOString(), day]
  }

  test('at 02:30 on the night when the clocks go forward, comes once, when they jump', () => {
    // From 02:00 to 03:00 on 29 March 2026, at 01:00 UTC.
    expect(inCopenhagen(150, '2026-03-28T12:00:00Z')).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-29'])
    expect(inCopenhagen(150, '2026-03-29T01:00:00Z')).toEqual(['2026-03-30T00:30:00.000Z', '2026-03-30'])
  })

  test('at 02:30 on the night when they go back, comes once, the first time it is half past two', () => {
    expect(inCopenhagen(150, '2026-10-24T12:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25'])
    expect(inCopenhagen(150, '2026-10-25T00:30:00Z')).toEqual(['2026-10-26T01:30:00.000Z', '2026-10-26'])
  })

  test('keeps its time on the wall clock all year round', () => {
    expect(inCopenhagen(450, '2026-07-01T00:00:00Z')[0]).toBe('2026-07-01T05:30:00.000Z')
    expect(inCopenhagen(450, '2026-12-01T00:00:00Z')[0]).toBe('2026-12-01T06:30:00.000Z')
  })

  test('comes on its weekdays, as they are where the person is', () => {
    // A Saturday; in Copenhagen it is Sunday already.
    expect(inCopenhagen(30, '2026-11-21T23:00:00Z', [7])).toEqual(['2026-11-21T23:30:00.000Z', '2026-11-22'])
    expect(inCopenhagen(450, '2026-11-20T07:00:00Z', [1, 5])).toEqual([
      '2026-11-23T06:30:00.000Z',
      '2026-11-23',
    ])
  })

  test('skips a day that the zone left out', () => {
    // Samoa had no 30 December 2011, a Friday.
    const { day } = nextReminder(
      { time: 450, weekdays: [5] },
      Date.parse('2011-12-28T12:00:00Z'),
      'Pacific/Apia',
    )
    expect(day).toBe('2012-01-06')
  })

  test('is not silenced by a day recorded by a clock that was years ahead', () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(nextReminder({ time: 450, weekdays: everyDay }, now, 'UTC', '2031-01-01' as Day).day).toBe(
      '2026-11-21',
    )
  })
})

describe('the beginning of a day', () => {
  test.each([
    ['UTC', 0, '2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['Asia/Tokyo', 180, '2026-11-20', '2026-11-19T18:00:00.000Z'],
    // On that day there is no midnight there, and no half past two here.
    ['Africa/Cairo', 0, '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['Europe/Copenhagen', 150, '2026-03-29', '2026-03-29T01:00:00.000Z'],
    // The zone left that day out.
    ['Pacific/Apia', 0, '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ])('in %s, for whom it begins %i minutes after midnight, of %s', (zone, dayStart, day, beginning) => {
    const at = startOfDay(day as Day, zone, dayStart)
    expect(instantToWire(at)).toBe(beginning)
    expect(dayOf(at - 1, zone, dayStart) < day).toBe(true)
    expect(dayOf(at, zone, dayStart) >= day).toBe(true)
  })
})
