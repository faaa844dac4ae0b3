import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import { runs } from '../../../../testing/runs.ts'
import { isCompletedOn } from '../rhythm/day-state.ts'
import { trackOf } from '../rhythm/habit-track.ts'
import { periodOn } from '../rhythm/periods.ts'
import { frequencyOf, rhythmOfFrequency } from '../rhythm/rhythm.ts'
import { countResults, listedRateRange } from '../strength/completion-rate.ts'
import {
  countPeriods,
  currentStreak,
  type Frequency,
  isCompleted,
  longestStreak,
  periodEnd,
  periodStart,
  rateRange,
  sumUpBefore,
} from '../testing/former-streak.ts'
import { someToday, someWeekStart } from '../testing/some-habit.ts'
import { numbersOf, sumUpTrack } from './habit-summary.ts'

test('Daily and Weekly read as before, to the number', () => {
  fc.assert(
    fc.property(
      someToday,
      fc.constantFrom<Frequency[]>('daily', 'weekly'),
      someWeekStart,
      fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 })), { maxLength: 8 }),
      fc.integer({ min: -20, max: 2 }),
      fc.nat({ max: 60 }),
      fc.nat({ max: 200 }),
      fc.nat({ max: 200 }),
      fc.integer({ min: -400, max: 400 }),
      (today, frequency, weekStart, stretches, ahead, startBack, back, length, rowsBack) => {
        const days: Day[] = []
        let cursor = addDays(today, ahead)
        for (const [gap, count] of stretches) {
          for (let n = 0; n < count; n += 1) days.unshift(addDays(cursor, -n))
          cursor = addDays(cursor, -(count + gap))
        }
        const startDay = addDays(days[0] !== undefined && days[0] < today ? days[0] : today, -startBack)
        const how = { frequency, weekStart }
        const track = trackOf({
          rows: [
            { from_day: addDays(today, -rowsBack), rhythm: rhythmOfFrequency(frequency), target: 'yes' },
          ],
          startDay,
          archivedOn: null,
          states: new Map(days.map((day) => [day, 'done'])),
          amounts: new Map(),
          pauses: [],
          weekStart,
        })
        const { streaks, completionRate } = numbersOf(track, today)
        expect([streaks.current, streaks.longest]).toEqual([
          currentStreak(days, today, how),
          longestStreak(days, how),
        ])
        expect(streaks.unit).toBe(frequency === 'daily' ? 'days' : 'weeks')
        expect(frequencyOf(rhythmOfFrequency(frequency), 'yes')).toBe(frequency)
        expect(isCompletedOn(track, today)).toBe(isCompleted(days, today, how))

        const range = { from: addDays(today, -back), to: addDays(today, length - back) }
        expect(countResults(track, range, today)).toEqual(countPeriods(days, range, startDay, today, how))
        expect(listedRateRange(track, today)).toEqual(rateRange(today, how))
        const { done, due } = countPeriods(days, rateRange(today, how), startDay, today, how)
        expect(completionRate).toBe(due === 0 ? null : done / due)

        const period = periodOn(track, dayNumber(today))
        expect([period?.first, period?.last]).toEqual([
          dayNumber(periodStart(today, how)),
          dayNumber(periodEnd(today, how)),
        ])

        const boundary = addDays(today, -back)
        const summary = sumUpTrack(track, boundary)
        const { run, longest } = sumUpBefore(days, boundary, how)
        if (boundary >= startDay) expect(summary.from).toBe(periodStart(boundary, how))
        expect({ run: summary.run, longest: summary.records[streaks.unit] }).toEqual({ run, longest })
      },
    ),
    { numRuns: runs(20_000, 500) },
  )
})
