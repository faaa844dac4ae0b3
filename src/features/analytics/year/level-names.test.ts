import { expect, test } from 'vitest'
import { levelNames } from './level-names.ts'

test('levels have no names until their steps are known, except those of habits, which never change', () => {
  expect(levelNames('todos', undefined)).toBeUndefined()
  expect(levelNames('focus', undefined)).toBeUndefined()
  expect(levelNames('habits', undefined)?.at(-1)).toBe('All')
  expect(levelNames('todos', [1, 3, 5])).toEqual(['None', '1', '2 to 3', '4 to 5', '6 or more'])
  expect(levelNames('focus', [900, 1_800, 2_700])).toEqual([
    'None',
    'Up to 15 min',
    'Up to 30 min',
    'Up to 45 min',
    'Over 45 min',
  ])
})
