import { describe, expect, test } from 'vitest'
import { newRowId } from './new-row-id.ts'
import { rowIdSchema } from './row-id.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')

describe('an id made by the browser', () => {
  test('is accepted by the server', () => {
    const id = newRowId(noon, crypto.getRandomValues(new Uint8Array(10)))
    expect(rowIdSchema.parse(id)).toBe(id)
  })

  test('contains its instant and version', () => {
    expect(newRowId(noon, new Uint8Array(10).fill(0xff))).toBe('01a1f8d3-ea00-7fff-bfff-ffffffffffff')
    expect(newRowId(0, new Uint8Array(10))).toBe('00000000-0000-7000-8000-000000000000')
  })

  test('sorts after one made a millisecond earlier', () => {
    const earlier = newRowId(noon, new Uint8Array(10).fill(0xff))
    const later = newRowId(noon + 1, new Uint8Array(10))
    expect(later > earlier).toBe(true)
  })
})

describe('an id', () => {
  test('may be one that was derived, which is a UUIDv8', () => {
    const derived = '01A1F8D3-EA00-8fff-bfff-ffffffffffff'
    expect(rowIdSchema.parse(derived)).toBe(derived.toLowerCase())
  })

  test.each(['01a1f8d3-ea00-4fff-bfff-ffffffffffff', '01a1f8d3-ea00-8fff-0fff-ffffffffffff', 'x', 7])(
    'is not %s',
    (other) => {
      expect(rowIdSchema.safeParse(other).success).toBe(false)
    },
  )
})
