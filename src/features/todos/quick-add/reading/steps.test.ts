import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { english } from '#platform/language/english.ts'
import type { Language } from '#platform/language/language.ts'
import { runs } from '#testing/runs.ts'
import { readQuickAdd } from './read-quick-add.ts'

// Quick add reads with every key, so no text may make it slow. Counted is how often it looks something up among the words of the
// language, which a form that matches its first words does with each next one.

class CountingMap<Value> extends Map<string, Value> {
  steps = 0
  override get(word: string): Value | undefined {
    this.steps++
    return super.get(word)
  }
}

class CountingSet extends Set<string> {
  steps = 0
  override has(word: string): boolean {
    this.steps++
    return super.has(word)
  }
}

function stepsOf(text: string): number {
  let looks = 0
  const looked = <Names extends object>(names: Names): Names =>
    new Proxy(names, {
      get(target, property) {
        if (property === 'findIndex' || property === 'find') looks++
        return Reflect.get(target, property)
      },
    })
  const maps = [
    new CountingMap(english.counts),
    new CountingMap(english.places),
    new CountingMap(english.times),
  ] as const
  const sets = [new CountingSet(english.partOfSentence), new CountingSet(english.verbs)] as const
  const language: Language = {
    ...english,
    counts: maps[0],
    places: maps[1],
    times: maps[2],
    partOfSentence: sets[0],
    verbs: sets[1],
    weekdays: looked(english.weekdays),
    months: looked(english.months),
  }
  readQuickAdd(text, {
    today: daySchema.parse('2026-11-22'),
    weekStart: 1,
    numberOrder: 'day first',
    language,
    lists: [{ id: '1', name: 'a a a a a a a a' }],
    refused: [],
  })
  return [...maps, ...sets].reduce((sum, { steps }) => sum + steps, looks)
}

const words = [
  ...[
    'every',
    'on',
    'the',
    'mon',
    'and',
    'mon,',
    '1',
    '1st',
    'last',
    'day',
    'of',
    'month',
    'jan',
    'at',
    '9',
    'am',
  ],
  ...[
    'until',
    'from',
    'by',
    'due',
    'after',
    'done',
    'in',
    'next',
    '"',
    '@a',
    '#a',
    '!high',
    '2026-12-24',
    '9:30',
  ],
  ...['@"', '“', ',,,', '....', '5', 'times', 'x'],
]

/** As many words as fit, of few kinds, so that what is repeated often is tried, too. */
const hostile = (length: number) =>
  fc
    .uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 5 })
    .chain((some) => fc.array(fc.constantFrom(...some), { minLength: length, maxLength: length }))
    .map((some) => some.join(' ').slice(-length))

/** Twice as many as were seen in 20,000 such texts. */
const mostSteps = 700

test.each([
  [500, 'whatever is typed'],
  [1_000, 'no more than for half of it, since only the end is read in forms'],
])('%i characters take a bounded number of steps: %s', (length) => {
  fc.assert(
    fc.property(hostile(length), (text) => {
      expect(stepsOf(text)).toBeLessThanOrEqual(mostSteps)
    }),
    { numRuns: runs(10_000, 100) },
  )
})
