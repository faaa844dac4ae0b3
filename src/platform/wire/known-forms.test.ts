import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { knownForms, readKnown } from './known-forms.ts'

const answerSchema = z.object({
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
  return readKnown(answerSchema, { rows: [rowWith('one', planted), other] }, nones).rows
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
    const answer = {
      rows: [rowWith('one', { kind: form, tags: ['a', form] }), rowWith('other', { id: form })],
    }
    const read = knownForms(answerSchema, answer, nones)
    if ('error' in read) throw read.error
    expect(read.unknown).toEqual([
      ['rows', 0, 'kind'],
      ['rows', 0, 'tags', 1],
      ['rows', 1],
    ])
  })

  test('changes nothing in what was answered', () => {
    const answer = { rows: [rowWith('one', { tags: ['a', form] })] }
    const before = structuredClone(answer)
    readKnown(answerSchema, answer, nones)
    expect(answer).toEqual(before)
  })
})

test('what is no such answer at all is an error', () => {
  for (const answer of [undefined, null, 'rows', {}, { rows: form }]) {
    expect(() => readKnown(answerSchema, answer, nones)).toThrow()
  }
})

test('what is wrong beside its forms is an error where only forms may be unknown', () => {
  const isForm = ({ code }: z.core.$ZodIssue) => code !== 'too_small'
  const read = (planted: object) =>
    knownForms(answerSchema, { rows: [rowWith('one', planted)] }, nones, { isForm })
  expect(read({ when: { time: 1, days: [] } })).toHaveProperty('error')
  expect(read({ kind: form })).toHaveProperty('data')
})

test('a hundred thousand rows with unknown forms are read in one go', () => {
  const rows = Array.from({ length: 100_000 }, (_, nth) => rowWith(`${nth}`, nth % 2 ? { id: form } : {}))
  expect(readKnown(answerSchema, { rows }, nones).rows).toHaveLength(50_000)
})
