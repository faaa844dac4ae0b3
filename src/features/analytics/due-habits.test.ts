import { expect, it } from 'vitest'
import type { HabitsDue } from '#features/habits/habit.ts'
import type { Day } from '#platform/calendar/day.ts'
import { readAllDue } from './due-habits.ts'

const day = (text: string) => text as Day

it('the habits due on all days are assembled from as many responses as it takes, each in its place', async () => {
  const read = { id: 'a', name: 'Read', frequency: 'daily' } as const
  const run = { id: 'b', name: 'Run', frequency: 'weekly' } as const
  const answers = new Map<Day, HabitsDue>([
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
    const answer = answers.get(first)
    if (!answer) throw new Error(`Nothing begins on ${first}`)
    return answer
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
