import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { runs } from '../../../../testing/runs.ts'
import { isCompletedOn, isLeftToDo, statesOf, tickOf } from '../rhythm/day-state.ts'
import { trackOf } from '../rhythm/habit-track.ts'
import { resultsBetween } from '../rhythm/period-result.ts'
import { countResults, listedRateRange } from '../strength/completion-rate.ts'
import { strengthSum } from '../strength/strength.ts'
import { naiveHabit } from '../testing/naive-habit.ts'
import { someHabit } from '../testing/some-habit.ts'
import { countedDays } from './due-by-day.ts'
import { nameOfSummary, numbersOf, rateNeeds, resultsSince, sumUpTrack } from './habit-summary.ts'

const numRuns = runs(20_000, 100)

describe('against the rules walked day by day', () => {
  test('the periods, what they ask for, and what became of each', () => {
    fc.assert(
      fc.property(someHabit, ({ habit, today }) => {
        const naive = naiveHabit(habit, today).periods.filter(
          ({ days: [first] }) => (first?.text ?? '') <= today,
        )
        const track = trackOf(habit)
        const results = resultsBetween(track, Number.NEGATIVE_INFINITY, dayNumber(today), dayNumber(today))
        expect(
          results.map(({ period, result, target, reached }) => ({
            from: dayFromNumber(period.first),
            to: dayFromNumber(period.last),
            cut: period.cut,
            result,
            target,
            reached,
          })),
        ).toEqual(
          naive.map(({ days, cut, status, target, reached }) => ({
            from: days[0]?.text,
            to: days.at(-1)?.text,
            cut,
            result: status,
            target,
            reached,
          })),
        )
      }),
      { numRuns },
    )
  })

  test('what each day is', () => {
    fc.assert(
      fc.property(someHabit, ({ habit, today }) => {
        const naive = naiveHabit(habit, today)
        const range = { from: addDays(habit.startDay, -10), to: addDays(today, 12) }
        expect(statesOf(trackOf(habit), range, today).map(({ day, state }) => `${day} ${state}`)).toEqual(
          naive.walk
            .filter(({ text }) => text >= range.from && text <= range.to)
            .map(({ text }) => `${text} ${naive.stateOn(text)}`),
        )
      }),
      { numRuns },
    )
  })

  test('whether today is completed, and whether anything is left to do', () => {
    fc.assert(
      fc.property(someHabit, ({ habit, today }) => {
        const naive = naiveHabit(habit, today)
        const track = trackOf(habit)
        expect([isCompletedOn(track, today), isLeftToDo(track, today)]).toEqual([
          naive.completed(),
          naive.leftToDo(),
        ])
      }),
      { numRuns },
    )
  })

  test('the tick completes today, unless a limit is passed already', () => {
    fc.assert(
      fc.property(someHabit, ({ habit, today }) => {
        const track = trackOf(habit)
        const tick = tickOf(track, today, today)
        if (tick === null || numbersOf(track, today).now?.result === 'no longer') return
        const amount = 'add' in tick ? (habit.amounts.get(today) ?? 0) + tick.add : tick.set
        const ticked = trackOf({ ...habit, amounts: new Map([...habit.amounts, [today, amount]]) })
        expect(isCompletedOn(ticked, today)).toBe(true)
      }),
      { numRuns },
    )
  })

  test('current streak, longest streak and the records of each unit', () => {
    fc.assert(
      fc.property(someHabit, ({ habit, today }) => {
        expect(numbersOf(trackOf(habit), today).streaks).toEqual(naiveHabit(habit, today).streaks())
      }),
      { numRuns },
    )
  })

  test('the rate over any range, and that of a listed habit', () => {
    fc.assert(
      fc.property(someHabit, fc.nat({ max: 170 }), fc.nat({ max: 170 }), ({ habit, today }, back, length) => {
        const track = trackOf(habit)
        const naive = naiveHabit(habit, today)
        const from = addDays(today, -back)
        const to = addDays(from, length)
        expect(countResults(track, { from, to }, today)).toEqual(naive.rate(from, to))
        const listed = listedRateRange(track, today)
        const { done, due } = naive.rate(listed.from, listed.to)
        expect(numbersOf(track, today).completionRate).toBe(due === 0 ? null : done / due)
      }),
      { numRuns },
    )
  })

  test('strength, and the sum that is shown of it', () => {
    fc.assert(
      fc.property(someHabit, ({ habit, today }) => {
        const track = trackOf(habit)
        const { strength } = numbersOf(track, today)
        const naive = naiveHabit(habit, today).strength()
        expect(strength === null).toBe(naive === null)
        if (strength === null || naive === null) return
        expect(strength).toBeCloseTo(naive, 8)
        expect(strength).toBeGreaterThanOrEqual(0)
        expect(strength).toBeLessThanOrEqual(100)
        const { rows } = strengthSum(track, resultsSince(track, today), dayNumber(today))
        const sum = rows.reduce((total, { weight, share }) => total + weight * share, 0)
        const weight = rows.reduce((total, row) => total + row.weight, 0)
        expect((100 * sum) / weight).toBeCloseTo(strength, 8)
      }),
      { numRuns },
    )
  })

  test('the days on which it is counted: done ones up to the target, the rest when the period is over', () => {
    fc.assert(
      fc.property(someHabit, fc.nat({ max: 170 }), fc.nat({ max: 100 }), ({ habit, today }, back, length) => {
        const from = addDays(today, -back)
        const to = addDays(from, length)
        const expected = naiveHabit(habit, today).counted(from, to)
        const actual = countedDays(trackOf(habit), { from, to }, today)
        expect(Object.fromEntries(actual.map(({ day, ...counted }) => [day, counted]))).toEqual(expected)
        expect(actual.map(({ day }) => day)).toEqual([...new Set(actual.map(({ day }) => day))].sort())
      }),
      { numRuns },
    )
  })
})

describe('a summary of what is older', () => {
  test('gives the same numbers as all days, wherever it ends, and from wherever it goes on', () => {
    fc.assert(
      fc.property(someHabit, fc.nat({ max: 160 }), fc.nat({ max: 160 }), ({ habit, today }, back, then) => {
        const whole = trackOf(habit)
        const expected = numbersOf(whole, today)
        const since = (summary: { from: Day; firstEntry: Day | null }) =>
          trackOf(
            {
              ...habit,
              states: new Map([...habit.states].filter(([day]) => day >= summary.from)),
              amounts: new Map([...habit.amounts].filter(([day]) => day >= summary.from)),
            },
            summary.firstEntry,
          )
        const first = sumUpTrack(whole, addDays(today, -back))
        const second = sumUpTrack(since(first), addDays(today, -then), first)
        const direct = sumUpTrack(whole, addDays(today, -then))
        const furthest = second.from > direct.from ? second : direct
        expect(second.from).toBe(first.from > direct.from ? first.from : direct.from)
        if (second.from === direct.from) {
          expect({ ...second, strength: null }).toEqual({ ...direct, strength: null })
          expect(second.strength.mean).toBeCloseTo(direct.strength.mean, 12)
          expect(second.strength.weight).toBeCloseTo(direct.strength.weight, 9)
        }
        for (const summary of [first, furthest]) {
          const numbers = numbersOf(since(summary), today, summary)
          expect(numbers.streaks).toEqual(expected.streaks)
          expect(numbers.now).toEqual(expected.now)
          if (expected.strength === null) expect(numbers.strength).toBeNull()
          else expect(numbers.strength).toBeCloseTo(expected.strength, 8)
          if (summary.from <= rateNeeds(whole, today))
            expect(numbers.completionRate).toBe(expected.completionRate)
        }
      }),
      { numRuns },
    )
  })

  test('is named by what it was made from: a later change of the rhythm leaves it, an earlier one does not', () => {
    const base = {
      rows: [
        { from_day: '2026-01-05' as Day, rhythm: { times: 3, per: 'week' as const }, target: 'yes' as const },
      ],
      startDay: '2026-01-05' as Day,
      archivedOn: null,
      states: new Map(),
      amounts: new Map(),
      pauses: [],
      weekStart: 1 as const,
    }
    const from = '2026-06-01' as Day
    const withRow = (from_day: string) =>
      nameOfSummary(
        trackOf({
          ...base,
          rows: [...base.rows, { from_day: from_day as Day, rhythm: { every: 2 }, target: null }],
        }),
        from,
      )
    const name = nameOfSummary(trackOf(base), from)
    expect(withRow('2026-06-02')).toBe(name)
    expect(withRow('2026-06-01')).not.toBe(name)
    expect(withRow('2026-03-01')).not.toBe(name)
    expect(nameOfSummary(trackOf({ ...base, weekStart: 7 }), from)).not.toBe(name)
  })
})

test('taking out a day that was not done lowers no streak and no rate, and strength only where a period goes out that was done in part', () => {
  fc.assert(
    fc.property(someHabit, fc.nat({ max: 150 }), fc.boolean(), ({ habit, today }, back, byPause) => {
      const day = addDays(today, -back)
      const track = trackOf(habit)
      const [state] = statesOf(track, { from: day, to: day }, today)
      if (state?.state === 'done' || habit.states.get(day) === 'done') return
      const taken = trackOf({
        ...habit,
        ...(byPause
          ? { pauses: [...habit.pauses, { from_day: day, to_day: day }] }
          : { states: new Map([...habit.states, [day, 'skipped'] as const]) }),
      })
      const before = numbersOf(track, today)
      const after = numbersOf(taken, today)
      expect(after.streaks.current).toBeGreaterThanOrEqual(before.streaks.current)
      expect(after.streaks.longest).toBeGreaterThanOrEqual(before.streaks.longest)
      if (before.completionRate !== null && after.completionRate !== null) {
        expect(after.completionRate).toBeGreaterThanOrEqual(before.completionRate)
      }
      if (before.strength === null || after.strength === null) return
      const outNow = resultsSince(taken, today).filter(({ result }) => result === 'out')
      const partly = resultsSince(track, today).some(
        ({ period, result, reached }) =>
          result === 'failed' && reached > 0 && outNow.some((out) => out.period.first === period.first),
      )
      if (!partly) expect(after.strength).toBeGreaterThanOrEqual(before.strength - 1e-9)
    }),
    { numRuns },
  )
})
