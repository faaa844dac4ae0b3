import { describe, expect, it } from 'vitest'
import { typedMinutes } from './typed-minutes.ts'

describe('minutes as people type them', () => {
  it.each([
    ['45', 45],
    [' 90 min ', 90],
    ['20m', 20],
    ['1h 30', 90],
    ['1h30m', 90],
    ['1 h 30 min', 90],
    ['2 hours', 120],
    ['1.5h', 90],
    ['1,5 h', 90],
    ['1:30', 90],
    ['99:59', 5_999],
  ])('%s', (text, minutes) => {
    expect(typedMinutes(text, 5_999)).toBe(minutes)
  })

  it.each(['0', '6000', 'soon', '1:75', '-5', '1.5', 'h', '1h 30 km'])('%s is none', (text) => {
    expect(typedMinutes(text, 5_999)).toBeUndefined()
  })

  it('an empty field is nothing', () => {
    expect(typedMinutes('  ', 5_999)).toBeNull()
  })
})
