import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { filledIn, sentRuleSchema } from './repeat-rule.ts'
import { nearDay, repeatSentence } from './repeat-sentence.ts'
import { repeatWords } from './repeat-words.ts'

const day = (text: string) => daySchema.parse(text)
const today = day('2026-11-22')

const vectors = z
  .array(z.object({ rule: sentRuleSchema, words: z.string(), sentence: z.string() }))
  .parse(JSON.parse(readFileSync(new URL('repeat-words.vectors.json', import.meta.url), 'utf8')))

test.each(vectors)('$sentence', ({ rule, words, sentence }) => {
  const filled = filledIn(rule, 1)
  expect(repeatWords(filled)).toBe(words)
  expect(repeatSentence(filled, today)).toBe(sentence)
})

test('a day has its year where the day and month alone could be another one', () => {
  expect(nearDay(day('2026-11-22'), today)).toBe('22 Nov')
  expect(nearDay(day('2027-01-22'), today)).toBe('22 Jan')
  expect(nearDay(day('2027-11-22'), today)).toBe('22 Nov 2027')
  expect(nearDay(day('2026-09-01'), today)).toBe('1 Sep')
  expect(nearDay(day('2026-01-01'), today)).toBe('1 Jan 2026')
})
