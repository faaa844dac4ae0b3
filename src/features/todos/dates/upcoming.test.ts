import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { addDays, type Day, dayNumber, daysFrom } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import type { SettledDay } from '../repeat/rule/occurrences.ts'
import { ruleOf } from '../repeat/rule/repeat-rule.ts'
import { lastOfSeriesUpTo } from '../repeat/rule/series.ts'
import { todos } from '../testing/todos.ts'
import { allShownOn, dueOf } from '../todo/shown-todo.ts'
import type { Todo } from '../todo/todo.ts'
import { comingAgain, isUpcoming, upcomingDays } from './upcoming.ts'

// A Wednesday.
const today = '2026-11-25' as Day
const inDays = (days: number) => addDays(today, days)
const at = '2026-11-25T08:00:00.000Z'

/** Which titles stand on which day, in how many days; those that come again in brackets. */
function laid(all: readonly Todo[]): Record<number, string[]> {
  const shown = allShownOn(all, today)
  const open = shown.filter((todo) => isUpcoming(today, todo))
  const again = comingAgain(shown, today)
  const days = upcomingDays({ open, again }, { today, timeZone: 'UTC', placeOf: (todo) => todo })
  expect(days.map(({ day }) => day)).toEqual(daysFrom(inDays(1), inDays(14)))
  const filled = days.map(({ day, todos, coming }) => [
    dayNumber(day) - dayNumber(today),
    [...todos.map(({ title }) => title), ...coming.map(({ title }) => `(${title})`)],
  ])
  return Object.fromEntries(filled.filter(([, titles]) => Array.isArray(titles) && titles.length > 0))
}

const due = (title: string, days: number, more: Partial<Todo> = {}) =>
  todos.wire({ title, due_day: inDays(days), ...more })
const settled = (days: number, state: SettledDay['state'], moved?: number): SettledDay => ({
  day: inDays(days),
  state,
  done_on: state === 'done' ? today : null,
  at,
  moved_to: moved === undefined ? null : inDays(moved),
})
const everyDays = (every: number, first: number, more: object = {}) =>
  ({ mode: 'due', freq: 'day', every, from: inDays(first), ...more }) as Todo['repeat']
const repeating = (title: string, repeat: Todo['repeat'], settled: SettledDay[] = []): Todo => ({
  ...todos.wire({ title, repeat }),
  settled,
  settled_from: null,
})

describe('what is due', () => {
  test('stands on its day, from tomorrow to two weeks from today', () => {
    expect(
      laid([due('Today', 0), due('Tomorrow', 1), due('Last', 14), due('Later', 15), due('Overdue', -1)]),
    ).toEqual({ 1: ['Tomorrow'], 14: ['Last'] })
  })

  test('is left out once it is done, and without a day', () => {
    expect(
      laid([due('Done', 2, { completed: 1, completed_at: at }), todos.wire({ title: 'Undated' })]),
    ).toEqual({})
  })

  test('stands by its time, then by its position', () => {
    const reminder = (hour: number) => ({ reminder: { days_before: 0, time: hour * 60 } })
    expect(
      laid([
        due('Second', 3, { position: 'b' }),
        due('First', 3, { position: 'a' }),
        due('Evening', 3, { position: 'c', ...reminder(18) }),
        due('Morning', 3, { position: 'd', ...reminder(9) }),
        due('Day before', 3, { position: 'e', reminder: { days_before: 1, time: 0 } }),
      ]),
    ).toEqual({ 3: ['Morning', 'Evening', 'First', 'Second', 'Day before'] })
  })
})

describe('what repeats', () => {
  test('stands on its open day, and comes again on the later ones', () => {
    expect(laid([repeating('Water', everyDays(5, 2))])).toEqual({
      2: ['Water'],
      7: ['(Water)'],
      12: ['(Water)'],
    })
  })

  test('comes again although it is due today, or overdue', () => {
    expect(laid([repeating('Today', everyDays(6, 0)), repeating('Overdue', everyDays(10, -3))])).toEqual({
      6: ['(Today)'],
      7: ['(Overdue)'],
      12: ['(Today)'],
    })
  })

  test('ends by its last day, and after so many times', () => {
    expect(
      laid([
        repeating('Until', everyDays(4, 1, { until: inDays(5) })),
        repeating('Twice', everyDays(3, 2, { times: 2 })),
      ]),
    ).toEqual({ 1: ['Until'], 2: ['Twice'], 5: ['(Until)', '(Twice)'] })
  })

  test('leaves out the days that were skipped or done ahead', () => {
    expect(laid([repeating('Water', everyDays(3, 1), [settled(4, 'skipped'), settled(7, 'done')])])).toEqual({
      1: ['Water'],
      10: ['(Water)'],
      13: ['(Water)'],
    })
  })

  test('stands where it was moved to, today and later', () => {
    expect(
      laid([repeating('Water', everyDays(7, 1), [settled(1, 'open', 3), settled(15, 'open', 13)])]),
    ).toEqual({ 3: ['Water'], 8: ['(Water)'], 13: ['(Water)'] })
  })

  test('stands where one of a far later day was moved to, without looking at the days between', () => {
    const todo = repeating('Water', everyDays(7, 1), [settled(1 + 7 * 9_000, 'open', 9)])
    // Each day that is looked at is written once.
    const written = vi.spyOn(String.prototype, 'padStart')
    const coming = comingAgain([todo], today)
    const looks = written.mock.calls.length
    written.mockRestore()
    expect(coming.map(({ due_day }) => due_day)).toEqual([inDays(8), inDays(9)])
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThan(30)
  })

  test('stands only on its open day if it comes back after it was done', () => {
    const repeat = { mode: 'done', freq: 'day', every: 2, from: inDays(1) } as Todo['repeat']
    expect(laid([repeating('Cut hair', repeat)])).toEqual({ 1: ['Cut hair'] })
  })

  test('does not come again once its series has ended', () => {
    expect(laid([repeating('Once', everyDays(1, 2, { times: 1 }), [settled(2, 'done')])])).toEqual({})
  })
})

test('each day of a series is shown once, as looking at each day of the range by itself finds it', () => {
  const day = fc.integer({ min: -20, max: 40 })
  const rows = fc.uniqueArray(
    fc.tuple(day, fc.constantFrom('done', 'skipped', 'open'), fc.option(fc.integer({ min: -3, max: 3 }))),
    { maxLength: 20, selector: ([on]) => on },
  )
  const rule = fc.oneof(
    fc.record({ freq: fc.constant('day'), every: fc.integer({ min: 1, max: 9 }) }),
    fc.record({
      freq: fc.constant('week'),
      every: fc.integer({ min: 1, max: 3 }),
      week_start: fc.constant(1),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    }),
    fc.record({
      freq: fc.constant('month'),
      every: fc.constant(1),
      days: fc.uniqueArray(fc.constantFrom(1, 3, 9, 28, 31, -1), { minLength: 1 }),
    }),
  )
  const ends = fc.record(
    { times: fc.integer({ min: 1, max: 12 }), until: fc.integer({ min: 0, max: 30 }) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(rule, day, ends, rows, (rule, first, { times, until }, changes) => {
      const repeat = {
        mode: 'due',
        ...rule,
        from: inDays(first),
        ...(times !== undefined && { times }),
        ...(until !== undefined && { until: inDays(Math.max(first, until)) }),
      } as Todo['repeat']
      const changed = changes.map(([on, state, by]) =>
        settled(on, state as SettledDay['state'], state === 'open' && by !== null ? on + by : undefined),
      )
      const [todo] = allShownOn([repeating('It', repeat, changed)], today)
      const parsed = todo?.repeat && ruleOf(todo.repeat)
      if (!todo || parsed?.mode !== 'due') throw new Error('The rule is not valid')
      const open = dueOf(todo, undefined, today)?.open
      // Of each day by itself: which days of the series stand on it.
      const byDay = new Map(changed.map((row) => [row.day, row]))
      const candidates = daysFrom(inDays(-60), inDays(60)).filter(
        (each) => open && each > open.day && lastOfSeriesUpTo(parsed, each) === each,
      )
      const expected = daysFrom(inDays(1), inDays(14)).filter((each) =>
        candidates.some((candidate) => {
          const row = byDay.get(candidate)
          return (row?.state ?? 'open') === 'open' && (row?.moved_to ?? candidate) === each
        }),
      )
      expect(comingAgain([todo], today).map(({ due_day }) => due_day)).toEqual(expected)
    }),
    { numRuns: runs(20_000, 400) },
  )
})
