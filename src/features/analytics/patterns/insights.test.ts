import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { runs } from '../../../../testing/runs.ts'
import type { HabitDay } from '../metrics/due-habits.ts'
import { daysByFocus, dayValuesOf, type Facts, insightsOf, minDays } from './insights.ts'

const first = '2026-08-03' as Day // a Monday
const ninety = daysFrom(first, addDays(first, 89))
const isWeekend = (place: number) => place % 7 > 4

interface SampleData {
  todos(place: number): number
  focus(place: number): number
  habits: Record<string, (place: number) => boolean>
}

function factsOf({ todos, focus, habits }: Partial<SampleData>, days = ninety): Facts {
  return {
    todos: days.map((day, place) => ({ day, amount: todos?.(place) ?? 0, occasions: 0 })),
    focus: days.map((day, place) => {
      const seconds = focus?.(place) ?? 0
      return { day, amount: seconds, occasions: seconds > 0 ? 1 : 0 }
    }),
    habits: days.flatMap((day, place) =>
      Object.entries(habits ?? {}).map(
        ([name, done]): HabitDay => ({ day, id: name, name, completed: done(place) }),
      ),
    ),
  }
}

describe('insights', () => {
  test('report a clear difference, with both numbers and every day of the sample', () => {
    const found = insightsOf(
      factsOf({
        focus: (place) => (place % 2) * 1_500,
        todos: (place) => (place % 2 ? 3 : 1) + (place % 3 === 0 ? 1 : 0),
      }),
    )
    const about = found.find(({ metric, split }) => metric === 'todos' && split === 'focus')
    expect(about?.one.days).toHaveLength(45)
    expect(about?.other.days).toHaveLength(45)
    expect([about?.one.amount, about?.other.amount]).toEqual([150, 60])
  })

  test('report one habit that is done more often on weekdays', () => {
    const habits = { Read: (place: number) => !isWeekend(place) || place % 14 === 5, Walk: () => true }
    const found = insightsOf(factsOf({ habits }))
    expect(found.map(({ habit, split }) => [habit, split])).toEqual([['Read', 'weekend']])
    expect(found[0]?.one).toMatchObject({ amount: 65, occasions: 65 })
    expect(found[0]?.other).toMatchObject({ occasions: 25 })
  })

  test('report nothing if all days are alike, or if nothing was recorded', () => {
    expect(insightsOf(factsOf({ todos: () => 3, habits: { Read: () => true } }))).toEqual([])
    expect(insightsOf(factsOf({}))).toEqual([])
    expect(insightsOf({ todos: [], focus: [], habits: [] })).toEqual([])
  })

  test('are not reported for fewer than 14 days of a kind, however clear', () => {
    const facts = (withFocus: number) =>
      factsOf({
        focus: (place) => (place < withFocus ? 1_500 : 0),
        todos: (place) => (place < withFocus ? 9 : place % 2),
      })
    const insightsWith = (withFocus: number) =>
      insightsOf(facts(withFocus)).filter(({ split }) => split === 'focus')
    expect(insightsWith(minDays - 1)).toEqual([])
    expect(insightsWith(minDays)).toHaveLength(1)
    expect(insightsWith(90 - minDays)).toHaveLength(1)
    expect(insightsWith(90 - minDays + 1)).toEqual([])
  })

  test('are at most four, the strongest first', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F']
    const habits = Object.fromEntries(
      names.map((name, index) => [name, (place: number) => !isWeekend(place) || place % (index + 2) === 0]),
    )
    const found = insightsOf(factsOf({ habits }))
    expect(found).toHaveLength(4)
    expect(found.map(({ strength }) => strength)).toEqual(
      found.map(({ strength }) => strength).toSorted((a, b) => b - a),
    )
  })

  test('are not reported where the days and the total of what was due point in different directions', () => {
    // Days with focus: 20 with 1 of 1 done, and 20 with 0 of 9. Days without: 40 with 1 of 4 each.
    const focus = ninety
      .slice(0, 80)
      .map((day, place) => ({ day, amount: place < 40 ? 60 : 0, occasions: place < 40 ? 1 : 0 }))
    const rows = (day: Day, done: number, due: number): HabitDay[] =>
      Array.from({ length: due }, (_, id) => ({ day, id: `${id}`, name: `${id}`, completed: id < done }))
    const habits = focus.flatMap(({ day }, place) =>
      place < 20 ? rows(day, 1, 1) : place < 40 ? rows(day, 0, 9) : rows(day, 1, 4),
    )
    const found = insightsOf({ todos: [], focus, habits })
    expect(found.filter(({ split }) => split === 'focus')).toEqual([])
  })

  test('agree with a manual count, whatever the days were', () => {
    const life = fc.array(
      fc.tuple(fc.nat(6), fc.nat(2), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 })),
      {
        minLength: 20,
        maxLength: 90,
      },
    )
    fc.assert(
      fc.property(life, (lived) => {
        const days = ninety.slice(0, lived.length)
        const facts = factsOf(
          {
            todos: (place) => (lived[place]?.[0] ?? 0) + (lived[place]?.[1] ? 4 : 0),
            focus: (place) => (lived[place]?.[1] ?? 0) * 1_500,
            habits: Object.fromEntries(
              [0, 1, 2].map((id) => [`${id}`, (place) => lived[place]?.[2]?.[id] ?? false]),
            ),
          },
          days,
        )
        for (const { metric, split, habit, one, other, strength } of insightsOf(facts)) {
          const isOne = (day: Day) => {
            const place = days.indexOf(day)
            return split === 'focus' ? (lived[place]?.[1] ?? 0) > 0 : !isWeekend(place)
          }
          const oneByHand = days.filter(isOne)
          const otherByHand = days.filter((day) => !isOne(day))
          expect(one.days.map(({ day }) => day)).toEqual(oneByHand)
          expect(other.days.map(({ day }) => day)).toEqual(otherByHand)
          const count = (those: Day[]) => {
            if (metric === 'habits') {
              return facts.habits.filter(
                ({ day, name, completed }) =>
                  those.includes(day) && completed && (habit === undefined || name === habit),
              ).length
            }
            return facts[metric]
              .filter(({ day }) => those.includes(day))
              .reduce((sum, { amount }) => sum + amount, 0)
          }
          expect([one.amount, other.amount]).toEqual([count(oneByHand), count(otherByHand)])
          expect(Math.min(one.days.length, other.days.length)).toBeGreaterThanOrEqual(minDays)
          expect(strength).toBeGreaterThanOrEqual(3)
        }
      }),
      { numRuns: runs(1_000, 60) },
    )
  })

  test('are rarely reported for mere chance', () => {
    // A fixed seed: the promise is about the rule, not about luck. A dozen comparisons in each of 300 samples.
    const random = seeded(20_261_120)
    let found = 0
    for (let life = 0; life < 300; life += 1) {
      const habits = Object.fromEntries(Array.from({ length: 8 }, (_, id) => [`${id}`, () => random() < 0.7]))
      const todos = () => Math.floor(random() * 6)
      found += insightsOf(factsOf({ todos, focus: () => (random() < 0.5 ? 1_500 : 0), habits })).length
    }
    expect(found / 300).toBeLessThan(0.05)
  })
})

test('a day counts as one with focus by its seconds, both in the count of what is missing and in the comparison', () => {
  const { todos, habits } = factsOf({ todos: (place) => (place < minDays - 1 ? 9 : 0) })
  // One more day was touched by a session that had no second on it.
  const focus = ninety.map((day, place) => ({
    day,
    amount: place < minDays - 1 ? 60 : 0,
    occasions: place < minDays ? 1 : 0,
  }))
  expect(daysByFocus(focus)).toEqual({ withFocus: minDays - 1, without: 91 - minDays })
  expect(insightsOf({ todos, habits, focus }).filter(({ split }) => split === 'focus')).toEqual([])
})

test('the days of the habits are added up in order', () => {
  const rows: HabitDay[] = [
    { day: addDays(first, 1), id: 'a', name: 'a', completed: true },
    { day: first, id: 'a', name: 'a', completed: false },
    { day: first, id: 'b', name: 'b', completed: true },
  ]
  expect(dayValuesOf(rows)).toEqual([
    { day: first, amount: 1, occasions: 2 },
    { day: addDays(first, 1), amount: 1, occasions: 1 },
  ])
})

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
