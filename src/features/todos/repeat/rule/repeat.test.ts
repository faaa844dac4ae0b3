import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { addDays, type Day, dayFromNumber, dayNumber, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import { comesBackOn, dueNow, earlierOn, keptEarlier, type Occurrence } from './repeat.ts'
import { type DoneRule, filledIn, type RepeatRule, sentRuleSchema } from './repeat-rule.ts'
import vectors from './repeat-vectors.json' with { type: 'json' }
import { seriesFrom } from './series.ts'

describe('the vectors that a person can check', () => {
  test('are at least sixty', () => expect(vectors.length).toBeGreaterThanOrEqual(60))

  test.each(vectors)('$name', ({ rule, week_start, settled, today, open, missed, next, days }) => {
    const filled = filledIn(z.parse(sentRuleSchema, rule), (week_start ?? 1) as WeekStart)
    const now = dueNow(filled, { occurrences: occurrencesOf(settled ?? {}) }, today as Day)
    expect({ open: now.open?.day ?? null, missed: now.missed, next: now.next ?? null }).toEqual({
      open,
      missed: missed ?? [],
      next,
    })
    if (filled.mode === 'done' || !days) return
    const series = seriesFrom(filled, filled.from)
    expect(days.map(() => series.next().value ?? null)).toEqual(days)
  })
})

const from = fc.integer({ min: 18_000, max: 23_000 }).map(dayFromNumber)
const lag = fc.oneof(fc.constant(0), fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 400 }))
const ends = fc.record(
  { times: fc.integer({ min: 1, max: 8 }), until: fc.integer({ min: 0, max: 1_500 }) },
  { requiredKeys: [] },
)

describe('mode due', () => {
  const freq = fc.constantFrom('day' as const, 'week' as const, 'month' as const)
  const settled = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom('done', 'skipped', 'open')), {
    maxLength: 50,
  })

  test('the latest day that has come is open unless it is settled, then the next; what is unsettled before is missed', () => {
    fc.assert(
      fc.property(
        freq,
        fc.integer({ min: 1, max: 4 }),
        from,
        ends,
        settled,
        lag,
        (freq, every, from, ends, settled, days) => {
          const until = ends.until === undefined ? undefined : addDays(from, ends.until)
          const sent = z.parse(sentRuleSchema, { freq, every, mode: 'due', from, ...ends, until })
          const rule = filledIn(sent, 1)
          if (rule.mode === 'done') return
          const today = addDays(from, days)
          const all = [...seriesFrom(rule, from).take(600)]
          const occurrences = settled.map(([place, state]) => ({
            day: all[place % all.length] ?? from,
            state,
            done_on: today,
            moved_to: null,
          })) as Occurrence[]
          const states = new Map(occurrences.map(({ day, state }) => [day, state]))
          const isUnsettled = (day: Day) => (states.get(day) ?? 'open') === 'open'
          const come = all.filter((day) => day <= today)
          const coming = all.filter((day) => day > today && isUnsettled(day))
          const latest = come.at(-1)
          const open = latest && isUnsettled(latest) ? latest : coming[0]
          const year = daysFrom(addDays(today, -366), today)
          const unsettled = come.filter((day) => isUnsettled(day) && day !== open && year.includes(day))
          expect(dueNow(rule, { occurrences }, today)).toEqual({
            open: open && { day: open, due: open },
            missed: unsettled,
            missedEarlier: 0,
            missedInAll: unsettled.length,
            next: open === undefined ? undefined : coming.find((day) => day > open),
          })
        },
      ),
      { numRuns: runs(20_000, 500) },
    )
  })
})

test('a year of missed days is counted without laying out each of them', () => {
  // Each day that is laid out is written once.
  const written = vi.spyOn(String.prototype, 'padStart')
  const rule = { mode: 'due', freq: 'day', every: 1, from: '1900-01-01' as Day } as const
  const now = dueNow(rule, { occurrences: [] }, '2026-11-27' as Day)
  const counted = { missed: now.missedInAll, written: written.mock.calls.length }
  const laidOut = { missed: now.missed.length, written: written.mock.calls.length - counted.written }
  written.mockRestore()
  expect(laidOut).toEqual({ missed: 366, written: 367 })
  expect(counted.missed).toBe(366)
  expect(counted.written).toBeLessThan(10)
})

describe('mode done', () => {
  const rule: fc.Arbitrary<DoneRule> = fc.record({
    mode: fc.constant('done' as const),
    freq: fc.constantFrom('day', 'week', 'month', 'year'),
    every: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 30 })),
    from,
  })
  const ticks = fc.array(fc.tuple(lag, fc.constantFrom('done' as const, 'skipped' as const)), {
    maxLength: 10,
  })

  test('each next day is the first that is a whole interval after it was done, and after its own', () => {
    fc.assert(
      fc.property(rule, ends, ticks, fc.integer({ min: 0, max: 5 }), (rule, ends, ticks, reopened) => {
        const until = ends.until === undefined ? undefined : addDays(rule.from, ends.until)
        const limited = { ...rule, times: ends.times, until }
        const occurrences: Occurrence[] = []
        let day = rule.from
        let done = 0
        for (const [place, [lag, state]] of ticks.entries()) {
          const isOver =
            done >= (ends.times ?? Number.POSITIVE_INFINITY) || (until !== undefined && day > until)
          const open = dueNow(limited, { occurrences }, addDays(day, lag)).open
          expect(open).toEqual(isOver ? undefined : { day, due: day })
          if (isOver) return
          const done_on = addDays(day, lag)
          // An undo in between leaves nothing behind.
          if (place === reopened) {
            const undone: Occurrence[] = [
              ...occurrences,
              { day, state: 'open', done_on: null, moved_to: null },
            ]
            expect(dueNow(limited, { occurrences: undone }, done_on).open).toEqual({ day, due: day })
          }
          occurrences.push({ day, state, done_on, moved_to: null })
          if (state === 'done') done++
          day = firstAfter(rule, day, done_on)
        }
      }),
      { numRuns: runs(20_000, 300) },
    )
  })

  test('what comes back is always later than what was settled', () => {
    fc.assert(
      fc.property(rule, lag, (rule, lag) => {
        expect(comesBackOn(rule, rule.from, addDays(rule.from, lag)) > rule.from).toBe(true)
      }),
      { numRuns: runs(20_000, 300) },
    )
  })
})

describe('the sum of earlier occurrences', () => {
  const occurrence = fc.tuple(
    fc.nat({ max: 90 }),
    fc.constantFrom('done', 'skipped', 'open'),
    lag,
    fc.boolean(),
  )

  test('says the same as all of them, whenever it was made and however often', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
        fc.constantFrom('due' as const, 'done' as const),
        fc.integer({ min: 1, max: 3 }),
        from,
        ends,
        fc.array(occurrence, { maxLength: 60 }),
        fc.array(fc.nat({ max: 700 }), { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 500 }),
        (freq, mode, every, from, ends, written, edges, later) => {
          const until = ends.until === undefined ? undefined : addDays(from, ends.until)
          const rule = filledIn(z.parse(sentRuleSchema, { freq, every, mode, from, ...ends, until }), 1)
          const occurrences = occurrencesAt(rule, written)
          const [first = 0, ...rest] = edges.toSorted((one, other) => one - other)
          const today = addDays(from, Math.max(first, ...rest) + later)
          let earlier = keptEarlier(rule, { occurrences }, addDays(from, first))
          for (const days of rest) earlier = keptEarlier(rule, { occurrences, earlier }, addDays(from, days))
          const summed = dueNow(
            rule,
            {
              occurrences: occurrences.filter(({ day }) => day >= earlier.before),
              earlier: earlierOn(today, rule, earlier),
            },
            today,
          )
          const whole = dueNow(rule, { occurrences }, today)
          const missed = ({ missed, missedEarlier }: typeof whole) => missed.length + missedEarlier
          expect({ ...summed, missed: missed(summed) }).toEqual({
            ...whole,
            missed: missed(whole),
            missedEarlier: summed.missedEarlier,
          })
          expect(summed.missedInAll).toBe(missed(summed))
        },
      ),
      { numRuns: runs(20_000, 300) },
    )
  })
})

/** Some on days of the series, or reached in turn, and some on others. */
function occurrencesAt(
  rule: RepeatRule,
  written: readonly (readonly [place: number, state: string, lag: number, inTurn: boolean])[],
): Occurrence[] {
  const byDay = new Map<Day, Occurrence>()
  for (const [place, state, lag, inTurn] of written) {
    const occurrences = [...byDay.values()]
    const open = dueNow(rule, { occurrences }, addDays(rule.from, place)).open
    const day = (inTurn && open?.day) || addDays(rule.from, place)
    const isOpen = state === 'open'
    byDay.set(day, {
      day,
      state: state as Occurrence['state'],
      done_on: isOpen ? null : addDays(day, lag),
      moved_to: isOpen ? addDays(day, 1) : null,
    })
  }
  return [...byDay.values()]
}

/** Day by day: the first after `day` on which the interval since `doneOn` is over. */
function firstAfter({ freq, every }: DoneRule, day: Day, doneOn: Day): Day {
  const [year = 0, month = 0, date = 0] = doneOn.split('-').map(Number)
  const isOver = (candidate: Day) => {
    if (freq === 'day') return dayNumber(candidate) - dayNumber(doneOn) >= every
    if (freq === 'week') return dayNumber(candidate) - dayNumber(doneOn) >= 7 * every
    const [ofYear = 0, ofMonth = 0, ofDate = 0] = candidate.split('-').map(Number)
    const months = (ofYear - year) * 12 + ofMonth - month
    const wanted = freq === 'month' ? every : every * 12
    const isLast = addDays(candidate, 1).endsWith('-01')
    return months > wanted || (months === wanted && (ofDate >= date || isLast))
  }
  let candidate = addDays(day, 1)
  while (!isOver(candidate)) candidate = addDays(candidate, 1)
  return candidate
}

/** As the vectors write them: 'done 2026-11-22', 'skipped 2026-11-22' or 'open', by their days. */
function occurrencesOf(settled: Readonly<Record<string, string | undefined>>): Occurrence[] {
  return Object.entries(settled).map(([day, what = '']) => {
    const [state, done_on = null] = what.split(' ')
    return {
      day: day as Day,
      state: state as Occurrence['state'],
      done_on: done_on as Day | null,
      moved_to: null,
    }
  })
}
