import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { repeatSentence } from '#features/todos/repeat/rule/repeat-sentence.ts'
import { daySchema } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { english } from '#platform/language/english.ts'
import { runs } from '#testing/runs.ts'
import type { QuickAddContext } from './quick-add.ts'
import { readQuickAdd } from './read-quick-add.ts'
import { vectorsOf } from './testing/vectors.ts'

const { today, week_start, lists, vectors } = vectorsOf('english')
const corpus: { titles: { text: string }[] } = JSON.parse(
  readFileSync(new URL('corpus.json', import.meta.url), 'utf8'),
)
const context: QuickAddContext = {
  today,
  weekStart: week_start,
  numberOrder: 'day first',
  language: english,
  lists: lists.map((name, place) => ({ id: `${name} ${place + 1}`, name })),
  refused: [],
}
const read = (text: string, more: Partial<QuickAddContext> = {}) =>
  readQuickAdd(text, { ...context, ...more })

/** What each part is, and its piece of the text. */
function partsOf(text: string, more: Partial<QuickAddContext> = {}): string[] {
  return read(text, more).parts.map(({ from, to, kind }) => `${kind}: ${text.slice(from, to)}`)
}

describe('the vectors of English', () => {
  test.each(vectors)('$text', (vector) => {
    const { time, repeat, list, parts, ...found } = read(vector.text)
    const rule = repeat && ruleOf(repeat)
    expect({
      ...found,
      text: vector.text,
      time: time === null ? null : timeOfDay(time),
      repeat: rule ? repeatSentence(rule, today) : null,
      list: list?.name ?? null,
      is_new_list: list !== null && list.ids.length === 0,
    }).toEqual(vector)
    expect(repeat?.from ?? found.due_day).toBe(found.due_day)
  })
})

describe('no word leaves the title unless it is in a part', () => {
  /** All characters but white space, in order, each by where it is. */
  function expectNothingLost(text: string, more: Partial<QuickAddContext> = {}): void {
    const { title, parts } = read(text, more)
    let place = 0
    let left = ''
    for (const { from, to } of parts) {
      expect(from).toBeGreaterThanOrEqual(place)
      expect(to).toBeGreaterThan(from)
      left += text.slice(place, from)
      place = to
    }
    expect(place).toBeLessThanOrEqual(text.length)
    left += text.slice(place)
    expect(title.replaceAll(/\s/g, '')).toBe(left.replaceAll(/\s/g, ''))
    if (text.trim() !== '') expect(title.trim()).not.toBe('')
    expect(title).toBe(title.trim())
  }

  const pieces = [
    ...new Set([...vectors, ...corpus.titles].flatMap(({ text }) => text.split(' '))),
    ...['"', '“', '”', ',', ' ', '\n', '@', '#', '!', '!!', '@"', '.', '…', '😀', 'é', '東京', '٣', 'ﬁ', 'İ'],
    ...[
      'every',
      'until',
      'times',
      'last',
      'first',
      'after',
      'done',
      'on',
      'the',
      'and',
      '31',
      '0',
      '2',
      '1/2',
    ],
  ]

  const mixture = fc
    .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(' ', ' ', ' ', '', '  ')), {
      maxLength: 14,
    })
    .map((words) => words.flat().join(''))

  test('whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => expectNothingLost(text)),
      { numRuns: runs(50_000, 500) },
    )
  })

  test('however the words of tasks are mixed', () => {
    fc.assert(
      fc.property(mixture, fc.subarray(pieces, { maxLength: 3 }), (text, refused) => {
        expectNothingLost(text)
        expectNothingLost(text, { refused })
      }),
      { numRuns: runs(50_000, 500) },
    )
  })

  test('and every word stays once all of them were refused, but what is typed after them is read', () => {
    fc.assert(
      fc.property(mixture, (text) => {
        expect(read(text, { refused: [text] })).toMatchObject({ title: text.trim(), parts: [] })
      }),
      { numRuns: runs(50_000, 300) },
    )
    const refused = ['Buy milk tomorrow #shop']
    expect(read('Buy milk tomorrow #shop fri', { refused })).toMatchObject({
      title: 'Buy milk tomorrow #shop',
      due_day: '2026-11-27',
      tags: [],
    })
  })
})

test.each([
  [
    'Rent every month on the 1st #home !high',
    ['repeat: every month on the 1st', 'tag: #home', 'priority: !high'],
  ],
  ['Buy milk, tomorrow at 9am.', ['due: , tomorrow', 'time: at 9am.']],
  ['#shop Buy milk fri', ['tag: #shop', 'due: fri']],
  ['Swim every day from 1 dec until 9 dec', ['repeat: every day', 'due: from 1 dec', 'repeat: until 9 dec']],
  ['Swim every day until 9 dec', ['repeat: every day until 9 dec']],
  ['Swim every day 5 times at 9am', ['repeat: every day 5 times', 'time: at 9am']],
  ['Pay @home the @side project rent', ['list: @side project']],
  ['Pay !low the rent !high', ['priority: !high']],
  ['Pay the rent !low important', ['priority: !low']],
  ['😀 Buy milk fri', ['due: fri']],
])('%s: %j', (text, parts) => {
  expect(partsOf(text)).toEqual(parts)
})

describe('what was refused stays in the title, and is not asked again', () => {
  test.each([
    ['Buy milk tomorrow', ['tomorrow'], 'Buy milk tomorrow', []],
    ['Buy milk tomorrow!', ['Tomorrow'], 'Buy milk tomorrow!', []],
    ['Buy milk tomorrow at 9am', ['at 9am'], 'Buy milk at 9am', ['due: tomorrow']],
    ['Buy milk tomorrow at 9am', ['tomorrow'], 'Buy milk tomorrow', ['time: at 9am']],
    ['Rent every month on the 1st', ['every month on the 1st'], 'Rent every month on the 1st', []],
    ['Buy milk #shop fri', ['#shop'], 'Buy milk #shop', ['due: fri']],
    ['Buy milk @side project', ['@side project'], 'Buy milk @side project', []],
    ['Buy milk !high', ['!high'], 'Buy milk !high', []],
    ['Buy milk, tomorrow', [', tomorrow'], 'Buy milk, tomorrow', []],
    ['Buy milk tomorrow', ['fri', ''], 'Buy milk', ['due: tomorrow']],
  ])('%s without %j', (text, refused, title, parts) => {
    expect(read(text, { refused }).title).toBe(title)
    expect(partsOf(text, { refused })).toEqual(parts)
  })
})

describe('markers', () => {
  test('of two lists with one name both are offered', () => {
    expect(read('Sow beans @garden').list).toEqual({ name: 'Garden', ids: ['Garden 4', 'Garden 5'] })
  })

  test('the longest name of a list counts, whatever comes after it', () => {
    const two = [
      { id: '1', name: 'Side' },
      { id: '2', name: 'Side project' },
    ]
    const found = (text: string) => read(text, { lists: two }).list
    expect(found('Draw @side projects')).toEqual({ name: 'Side', ids: ['1'] })
    expect(found('Draw @side project, please')).toEqual({ name: 'Side project', ids: ['2'] })
    expect(found('Draw @"side  project"')).toEqual({ name: 'Side project', ids: ['2'] })
    expect(found('Draw @"side by side"')).toEqual({ name: 'side by side', ids: [] })
  })

  test('a list that exists counts before a new one, and otherwise the last', () => {
    expect(read('Ask @anna about it @home @ben').list?.name).toBe('Home')
    expect(read('Ask @anna about it @ben').list?.name).toBe('ben')
  })

  test('a tag is taken once, however it is spelled', () => {
    expect(read('Buy milk #Shop #shop').tags).toEqual(['Shop'])
    expect(read('Buy milk #Shop #shop').title).toBe('Buy milk')
  })

  test('what no tag or list can be called stays in the title', () => {
    for (const text of [
      'a #',
      'a #-',
      'a @',
      'a @...',
      `a #${'x'.repeat(51)}`,
      'a #x\u0000y',
      'a #\ud800',
      'a !p1',
    ])
      expect(read(text)).toMatchObject({ title: text, tags: [], list: null, parts: [] })
  })
})

test('a day that has passed is not read, since nobody plans for it', () => {
  expect(read('Scan receipts 2026-11-21').title).toBe('Scan receipts 2026-11-21')
  expect(read('Scan receipts 2026-11-22').due_day).toBe('2026-11-22')
})

test('every second week begins with the nearest day, however the week stands', () => {
  const next = (today: string) => read('Bins every 2 weeks on tue', { today: daySchema.parse(today) }).due_day
  expect(next('2026-11-24')).toBe('2026-11-24')
  expect(next('2026-11-25')).toBe('2026-12-01')
})

test('what ends before it begins is not read', () => {
  expect(read('Swim every mon from 14 dec until 9 dec')).toMatchObject({ due_day: null, repeat: null })
})

test('a repeat near the last day that can be chosen is not read once no day is left', () => {
  expect(read('Swim every 30 dec', { today: daySchema.parse('2199-12-31') }).repeat).toBeNull()
})
