import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '../../../../testing/runs.ts'
import { trackOf } from '../rhythm/habit-track.ts'
import { rhythmOfFrequency } from '../rhythm/rhythm.ts'
import type { Frequency } from '../testing/former-streak.ts'
import { countedDays } from './due-by-day.ts'

const today = '2026-11-20' as Day // a Friday

interface HistoryOfHabit {
  frequency: Frequency
  startDay: Day
  days: Day[]
}

/** Every day of the range, all habits together. */
function ofAll(habits: HistoryOfHabit[], range: { from: Day; to: Day }, weekStart: WeekStart) {
  const counted = habits.flatMap(({ frequency, startDay, days }) => {
    const rows = [{ from_day: startDay, rhythm: rhythmOfFrequency(frequency), target: 'yes' as const }]
    const states = new Map(days.map((day) => [day, 'done' as const]))
    const nothing = { archivedOn: null, amounts: new Map(), pauses: [] }
    return countedDays(trackOf({ rows, startDay, states, weekStart, ...nothing }), range, today)
  })
  const byDay = Map.groupBy(counted, ({ day }) => day)
  return daysFrom(range.from, range.to).map((day) => {
    const ofDay = byDay.get(day) ?? []
    return { day, completed: ofDay.filter(({ completed }) => completed === 1).length, due: ofDay.length }
  })
}

function history(frequency: Frequency, startDay: string, ...days: string[]): HistoryOfHabit {
  return { frequency, startDay: startDay as Day, days: days as Day[] }
}

function between(habits: HistoryOfHabit[], from: string, to: string, weekStart: WeekStart = 1) {
  return ofAll(habits, { from: from as Day, to: to as Day }, weekStart).map(
    ({ day, completed, due }) => `${day.slice(8)} ${completed}/${due}`,
  )
}

test('a daily habit is due on every day from its first to today', () => {
  const habit = history('daily', '2026-11-18', '2026-11-18', '2026-11-20')
  expect(between([habit], '2026-11-17', '2026-11-21')).toEqual([
    '17 0/0',
    '18 1/1',
    '19 0/1',
    '20 1/1',
    '21 0/0',
  ])
})

test('a week is due once, on the day of its first completion', () => {
  const habit = history('weekly', '2026-11-02', '2026-11-04', '2026-11-06')
  expect(between([habit], '2026-11-03', '2026-11-08')).toEqual([
    '03 0/0',
    '04 1/1',
    '05 0/0',
    '06 0/0',
    '07 0/0',
    '08 0/0',
  ])
})

test('a missed week is due on its last day, once it is over', () => {
  const habit = history('weekly', '2026-11-09')
  expect(between([habit], '2026-11-14', '2026-11-22').filter((day) => !day.endsWith('0/0'))).toEqual([
    '15 0/1',
  ])
})

test('every completed period is counted once, and never without being due', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          frequency: fc.constantFrom<Frequency[]>('daily', 'weekly'),
          back: fc.uniqueArray(fc.integer({ min: -1, max: 120 }), { maxLength: 60 }),
          started: fc.integer({ min: 0, max: 60 }),
        }),
        { maxLength: 4 },
      ),
      fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7),
      fc.integer({ min: 0, max: 130 }),
      fc.integer({ min: 0, max: 130 }),
      (recipes, weekStart, fromBack, length) => {
        const habits = recipes.map(({ frequency, back, started }): HistoryOfHabit => {
          const days = back.map((n) => addDays(today, -n)).sort()
          const startDay = [...days, addDays(today, -started)].sort()[0] ?? today
          return { frequency, startDay, days }
        })
        const from = addDays(today, -fromBack)
        const to = addDays(from, length)

        // The model asks of every single day whether its period is counted on it.
        const expected: Record<string, { completed: number; due: number }> = {}
        for (let day = Temporal.PlainDate.from(from); day.toString() <= to; day = day.add({ days: 1 })) {
          const counted = { completed: 0, due: 0 }
          for (const { frequency, startDay, days } of habits) {
            let first = day
            if (frequency === 'weekly')
              while (first.dayOfWeek !== weekStart) first = first.subtract({ days: 1 })
            const period = Array.from({ length: frequency === 'daily' ? 1 : 7 }, (_, n) =>
              first.add({ days: n }).toString(),
            )
            const done = period.find((one) => days.includes(one as Day))
            const last = period.at(-1) ?? ''
            if (done === day.toString()) {
              counted.completed += 1
              counted.due += 1
            } else if (!done && day.toString() === last && last >= startDay) {
              if (frequency === 'daily' ? last <= today : last < today) counted.due += 1
            }
          }
          expected[day.toString()] = counted
        }
        const actual = ofAll(habits, { from, to }, weekStart)
        expect(
          Object.fromEntries(actual.map(({ day, completed, due }) => [day, { completed, due }])),
        ).toEqual(expected)
      },
    ),
    { numRuns: runs(10_000, 80) },
  )
})
