import { expect, it } from 'vitest'
import type { HabitsDue } from '#features/habits/past/habits-due.ts'
import type { Day } from '#platform/calendar/day.ts'
import { dueOnTheDay, readAllDue } from './due-habits.ts'

const day = (text: string) => text as Day

it('the habits due on all days are assembled from as many responses as it takes, each in its place', async () => {
  const read = { id: 'a', name: 'Read', frequency: 'daily' } as const
  const run = { id: 'b', name: 'Run', frequency: 'weekly' } as const
  const responses = new Map<Day, HabitsDue>([
    [
      day('2026-11-01'),
      {
        list: 'both',
        habits: [read, run],
        days: [
          { day: day('2026-11-01'), completed: [1], missed: [0] },
          { day: day('2026-11-02'), completed: [], missed: [] },
        ],
        next: day('2026-11-03'),
      },
    ],
    [
      day('2026-11-03'),
      {
        list: 'both',
        habits: null,
        days: [{ day: day('2026-11-03'), completed: [1], missed: [0] }],
        next: day('2026-11-04'),
      },
    ],
    // Renamed in the meantime, and the other one deleted.
    [
      day('2026-11-04'),
      {
        list: 'one',
        habits: [{ ...read, name: 'Read on' }],
        days: [{ day: day('2026-11-04'), completed: [0], missed: [] }],
        next: null,
      },
    ],
  ])
  const requests: unknown[] = []
  const due = await readAllDue(day('2026-11-01'), async (first, list) => {
    requests.push([first, list])
    const response = responses.get(first)
    if (!response) throw new Error(`Nothing begins on ${first}`)
    return response
  })
  expect(due).toEqual([
    { day: '2026-11-01', ...read, completed: false },
    { day: '2026-11-01', ...run, completed: true },
    { day: '2026-11-03', ...read, completed: false },
    { day: '2026-11-03', ...run, completed: true },
    { day: '2026-11-04', ...read, name: 'Read on', completed: true },
  ])
  expect(requests).toEqual([
    ['2026-11-01', undefined],
    ['2026-11-03', 'both'],
    ['2026-11-04', 'both'],
  ])
})

it('a habit that was due several times on a day is there as often, done or not', async () => {
  const gym = { id: 'a', name: 'Gym', frequency: 'weekly' } as const
  const due = await readAllDue(day('2026-11-22'), async () => ({
    list: 'one',
    habits: [gym],
    next: null,
    days: [{ day: day('2026-11-22'), completed: [0], missed: [0, 0] }],
  }))
  expect(due.map(({ completed }) => completed)).toEqual([true, false, false])
})

it('only days on which something was due are compared, by the rhythm of that time', () => {
  const monday = day('2026-11-16')
  const rhythms = [
    { from_day: day('2026-11-01'), rhythm: { times: 3, per: 'week' as const }, target: 'yes' as const },
    { from_day: monday, rhythm: { weekdays: [1, 3, 5] }, target: null },
    {
      from_day: day('2026-11-23'),
      rhythm: null,
      target: { at: 'least', amount: 1, unit: 'km', per: 'week' } as const,
    },
  ]
  const on = (text: string) => ({ day: day(text), id: 'a', name: 'Run', completed: true })
  const all = [on('2026-11-15'), on('2026-11-16'), on('2026-11-20'), on('2026-11-29')]
  expect(dueOnTheDay(all, [{ id: 'a', rhythms }])).toEqual([on('2026-11-16'), on('2026-11-20')])
  expect(dueOnTheDay(all, [])).toEqual([])
})
