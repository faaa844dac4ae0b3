import { expect, test } from 'vitest'
import { formatCounts } from './format-counts.ts'

test('what an account holds is told collection by collection, each with what belongs to it', () => {
  expect(
    formatCounts({ todos: 1_204, habits: 12, completions: 4_380, skips: 1, amounts: 2, pauses: 1 }),
  ).toBe('1,204 tasks, 12 habits with 4,380 completions and 1 skipped day and 2 amounts, 1 pause')
  expect(formatCounts({ habits: 1, rhythms: 3 })).toBe('1 habit with 3 rhythm changes')
  expect(formatCounts({})).toBeUndefined()
})
