import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { derivedId } from './derived-id.ts'
import { rowIdSchema } from './row-id.ts'
import { sha256 } from './sha256.ts'

describe('a derived id', () => {
  test('is the same on every device, and never changes', () => {
    expect(derivedId('todoist', 'Home', '7')).toBe('1033563d-b0ef-8389-baa2-8a5ef4306fa7')
  })

  test('is accepted by the server, and tells its parts apart', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (parts, others) => {
        expect(rowIdSchema.parse(derivedId(...parts))).toBe(derivedId(...parts))
        fc.pre(JSON.stringify(parts) !== JSON.stringify(others))
        expect(derivedId(...parts)).not.toBe(derivedId(...others))
      }),
      { numRuns: runs(5_000, 200) },
    )
  })
})

test('SHA-256 is what others compute', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      expect(Buffer.from(sha256(message)).toString('hex')).toBe(
        createHash('sha256').update(message).digest('hex'),
      )
    }),
    { numRuns: runs(10_000, 500) },
  )
})
