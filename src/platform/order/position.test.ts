import fc from 'fast-check'
import { generateKeyBetween } from 'fractional-indexing'
import { describe, expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { byPosition, integerOf, isPosition, newestFirst, newestLast, positionSchema } from './position.ts'

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
const someId = bytes.map((each) =>
  [...each]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-7$3-8$4-'),
)
const created = fc.integer({ min: 0, max: Date.UTC(2199, 0, 1) })

describe('the position of a row that nobody has moved', () => {
  it('is by its creation, the newest first or last, and then by its id, as rows stood before there were positions', () => {
    const row = fc.record({ id: someId, created: fc.oneof(created, fc.constant(1_000)) })
    fc.assert(
      fc.property(row, row, (one, other) => {
        fc.pre(one.id.slice(0, 18) !== other.id.slice(0, 18))
        const isFirst = one.created === other.created ? one.id > other.id : one.created > other.created
        const [a, b] = [one, other].map((each) => ({ id: each.id, position: newestFirst(each) }))
        if (a && b) expect(byPosition(a, b)).toBe(isFirst ? -1 : 1)
        const [c, d] = [one, other].map((each) => ({ id: each.id, position: newestLast(each) }))
        if (c && d) expect(byPosition(c, d)).toBe(isFirst ? 1 : -1)
      }),
      { numRuns: runs(100_000, 2_000) },
    )
  })

  it('has others before it, after it and beside it', () => {
    fc.assert(
      fc.property(someId, created, (id, instant) => {
        for (const position of [
          newestFirst({ id, created: instant }),
          newestLast({ id, created: instant }),
        ]) {
          expect(isPosition(position)).toBe(true)
          expect(generateKeyBetween(null, position) < position).toBe(true)
          expect(generateKeyBetween(position, null) > position).toBe(true)
          expect(generateKeyBetween(integerOf(position), position) < position).toBe(true)
        }
      }),
      { numRuns: runs(20_000, 500) },
    )
  })

  it('is one even for an instant that no clock shows', () => {
    for (const instant of [-62_167_219_200_000, 8_640_000_000_000_000]) {
      expect(isPosition(newestFirst({ id: '0199c000-0000-7000-8000-000000000000', created: instant }))).toBe(
        true,
      )
    }
  })
})

describe('rows with the same position', () => {
  it('stand in the order of their ids, however they arrive', () => {
    const rows = ['a', 'b', 'c'].map((id) => ({ id, position: 'a0' }))
    expect([...rows].sort(byPosition)).toEqual(rows)
    expect(rows.toReversed().sort(byPosition)).toEqual(rows)
  })
})

describe('a position that is sent', () => {
  it('is accepted exactly if the library can place something beside it', () => {
    const text = fc.oneof(
      fc.stringMatching(/^[A-Za-z][0-9A-Za-z]{0,30}$/),
      fc.string({ maxLength: 5 }),
      fc.constantFrom('A00000000000000000000000000', 'a0', 'a00', 'Zz', ''),
    )
    fc.assert(
      fc.property(text, (position) => {
        const works = () => {
          try {
            return (
              generateKeyBetween(position, null) > position && generateKeyBetween(null, position) < position
            )
          } catch {
            return false
          }
        }
        if (isPosition(position)) expect(works()).toBe(true)
        else if (/^[0-9A-Za-z]+$/.test(position)) expect(works()).toBe(false)
      }),
      { numRuns: runs(100_000, 3_000) },
    )
  })

  it('is refused with a sentence', () => {
    const { error } = positionSchema.safeParse('nowhere!')
    expect(error?.issues.map(({ message }) => message)).toEqual(['Expected a position, such as a0'])
  })
})
