import { expect, test } from 'vitest'
import { typedEstimate } from './estimate.ts'

test('an estimate is typed as minutes are, up to the longest', () => {
  expect(typedEstimate('1h 30')).toBe(90)
  expect(typedEstimate('99:59')).toBe(5_999)
  expect(typedEstimate('6000')).toBeUndefined()
  expect(typedEstimate('  ')).toBeNull()
})
