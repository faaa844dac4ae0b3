import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Issue, knownForms, type Path, readKnown } from './known-forms.ts'

const responseSchema = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['plain', 'round']),
      tags: z.array(z.string()),
      when: z.nullable(z.object({ time: z.number(), days: z.array(z.number()).check(z.minLength(1)) })),
      rules: z.array(z.object({ from: z.string(), rule: z.nullable(z.literal('daily')) })),
    }),
  ),
})
const nones = { rows: { kind: 'plain', when: null, 'rules.rule': null } }
const form = { of: 'the next build' }

function rowWith(id: string, planted: object = {}) {
  const rules = [{ from: '2026-11-01', rule: 'daily' }]
  return { id, kind: 'round', tags: ['a', 'b'], when: { time: 1, days: [2] }, rules, ...planted }
}

function readWith(planted: object, other = rowWith('other')) {
  return readKnown(responseSchema, { rows: [rowWith('one', planted), other] }, nones).rows
}

describe('a form that is not known', () => {
  test('reads as none, and all else as it is', () => {
    expect(readWith({ kind: form })).toEqual([rowWith('one', { kind: 'plain' }), rowWith('other')])
    expect(readWith({ when: { time: form, days: [2] } })).toEqual([
      rowWith('one', { when: null }),
      rowWith('other'),
    ])
    expect(readWith({ rules: [{ from: '2026-11-01', rule: form }] })).toEqual([
      rowWith('one', { rules: [{ from: '2026-11-01', rule: null }] }),
      rowWith('other'),
    ])
  })

  test('is left out of a list in its row', () => {
    expect(readWith({ tags: ['a', form, 'b', form] })).toEqual([rowWith('one'), rowWith('other')])
  })

  test('takes its field along if that is wrong without it, and its row if that cannot be read without the field', () => {
    expect(readWith({ when: { time: 1, days: [form] } })).toEqual([
      rowWith('one', { when: null }),
      rowWith('other'),
    ])
    expect(readWith({ id: form })).toEqual([rowWith('other')])
    expect(readWith({ tags: form })).toEqual([rowWith('other')])
  })

  test('is told by its place', () => {
    const response = {
      rows: [rowWith('one', { kind: form, tags: ['a', form] }), rowWith('other', { id: form })],
    }
    const places: Path[] = []
    knownForms(responseSchema, response, nones, { onUnknown: (place) => places.push(place) })
    expect(places).toEqual([
      ['rows', 0, 'kind'],
      ['rows', 0, 'tags', 1],
      ['rows', 1],
    ])
  })

  test('changes nothing in what was answered', () => {
    const response = { rows: [rowWith('one', { tags: ['a', form] })] }
    const before = structuredClone(response)
    readKnown(responseSchema, response, nones)
    expect(response).toEqual(before)
  })
})

test('what is no such response at all is an error', () => {
  for (const response of [undefined, null, 'rows', {}, { rows: form }]) {
    expect(() => readKnown(responseSchema, response, nones)).toThrow()
  }
})

test('what is no matter of forms is an error where that is asked for', () => {
  const formsOf = (issues: readonly Issue[]) => issues.find(({ code }) => code === 'too_small') ?? issues
  const read = (planted: object) =>
    knownForms(responseSchema, { rows: [rowWith('other'), rowWith('one', planted)] }, nones, { formsOf })
  expect(read({ kind: form, when: { time: 1, days: [] } })).toMatchObject({
    issue: { path: ['rows', 1, 'when', 'days'] },
  })
  expect(read({ kind: form })).toHaveProperty('data')
})

test('however many rows have unknown forms, they are read', () => {
  const planted = { id: form, kind: form, when: form, rules: form, tags: form }
  const rows = Array.from({ length: 30_000 }, (_, nth) =>
    rowWith(`${nth}`, nth % 2 ? planted : { kind: form }),
  )
  expect(readKnown(responseSchema, { rows }, nones).rows).toHaveLength(15_000)
})
