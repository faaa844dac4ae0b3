import { expect, test } from 'vitest'
import { exportedHabit } from '#features/habits/testing/habits.ts'
import { todos } from '#features/todos/testing/todos.ts'
import type { ImportPiece } from '#features/your-data/exported-account.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { exportedAccount } from '#features/your-data/testing/exported-account.ts'
import type { Day } from '#platform/calendar/day.ts'
import { neededBefore } from './needed-before.ts'

const id = (nth: number) => `01900000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const tasks = (...rows: readonly { id: string; parent_id?: string }[]): ImportPiece => ({
  todos: rows.map((row) => todos.file(row)),
})

test('the first piece comes before all others, which need not wait for each other', () => {
  expect(neededBefore([])).toEqual([])
  expect(neededBefore([tasks({ id: id(1) }), tasks({ id: id(2) }), tasks({ id: id(3) })])).toEqual([0, 1, 1])
})

test('a subtask waits for the piece with its task', () => {
  const pieces = [
    tasks({ id: id(1) }),
    tasks({ id: id(2) }),
    tasks({ id: id(3) }),
    tasks({ id: id(4), parent_id: id(3) }),
    tasks({ id: id(5), parent_id: id(2) }),
    tasks({ id: id(6) }, { id: id(7), parent_id: id(6) }),
  ]
  expect(neededBefore(pieces)).toEqual([0, 1, 1, 3, 2, 1])
})

test('days wait for their habit and for earlier days of it, and not for those of other habits', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, nth) => `2026-${String(1 + (nth % 12)).padStart(2, '0')}-01` as Day)
  const pieces = splitIntoPieces(
    exportedAccount({
      habits: [
        exportedHabit({ id: id(1), completions: days(1_900) }),
        exportedHabit({ id: id(2), completions: days(3_800) }),
        exportedHabit({ id: id(3), completions: days(1_900) }),
      ],
    }),
    false,
  )
  const habitsOf = ({ completions = [] }: ImportPiece) =>
    completions.map(({ habit_id }) => Number(habit_id.slice(-4)))
  expect(pieces.map(habitsOf)).toEqual([
    [1, 1],
    [2, 2],
    [2, 2],
    [3, 3],
  ])
  expect(neededBefore(pieces)).toEqual([0, 1, 2, 1])
})
