import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { english } from '#platform/language/english.ts'
import { runs } from '#testing/runs.ts'
import type { QuickAddContext } from './quick-add.ts'
import { readQuickAdd } from './read-quick-add.ts'
import { type Suggestion, suggestionsFor, taken, typedMarkerAt } from './suggestions.ts'

const lists = [
  { id: 'home', name: 'Home' },
  { id: 'office', name: 'Home office' },
  { id: 'garden 1', name: 'Garden' },
  { id: 'garden 2', name: 'Garden' },
  { id: 'soren', name: 'Für Søren' },
]
const tags = ['errands', 'homework', 'two words', 'work']

const context: QuickAddContext = {
  today: daySchema.parse('2026-11-22'),
  weekStart: 1,
  numberOrder: 'day first',
  language: english,
  lists,
  refused: [],
}

type Known = (typeof lists)[number]

/** `|` is the caret. */
function suggested(textWithCaret: string, refused: readonly string[] = []) {
  const caret = textWithCaret.indexOf('|')
  const text = textWithCaret.replace('|', '')
  const marker = typedMarkerAt(text, caret, refused)
  const found = marker && suggestionsFor(marker, { lists, tags, language: english })
  return { text, marker, options: found?.options ?? [], firstIsMeant: found?.firstIsMeant ?? false }
}

function named(suggestion: Suggestion<Known>): string {
  if (suggestion.kind === 'list') return suggestion.list.id
  if (suggestion.kind === 'new list') return `new ${suggestion.name}`
  if (suggestion.kind === 'priority') return suggestion.word
  return suggestion.kind === 'new tag' ? `new #${suggestion.tag}` : `#${suggestion.tag}`
}

const namesFor = (text: string) => suggested(text).options.map(named)

describe('what is suggested', () => {
  test.each([
    ['Mow @|', ['home', 'office', 'garden 1', 'garden 2', 'soren'], false],
    ['Mow @g|', ['garden 1', 'garden 2', 'new g'], true],
    ['Mow @gar| tomorrow', ['garden 1', 'garden 2', 'new gar'], true],
    ['Mow @off|', ['office', 'new off'], false],
    ['Mow @home o|', ['office'], false],
    ['Mow @sor|', ['soren', 'new sor'], false],
    ['Mow @bicycle|', ['new bicycle'], false],
    ['Mow @summer h|', [], false],
    ['Mow @"summer h|', ['new summer h'], false],
    ['Mow #|', ['#errands', '#homework', '#two words', '#work'], false],
    ['Mow #ERR|', ['#errands', 'new #ERR'], true],
    ['Mow #bicycle|', [], false],
    ['Mow !|', ['high', 'medium', 'low'], false],
    ['Mow !m|', ['medium'], true],
    ['Mow !p1|', [], false],
  ])('%s', (text, names, firstIsMeant) => {
    expect(namesFor(text)).toEqual(names)
    expect(suggested(text).firstIsMeant).toBe(firstIsMeant)
  })

  test('nothing where the word is whole and means one thing', () => {
    for (const text of ['Mow !high|', 'Mow #errands|', 'Mow @für søren|', 'Mow @fur soren.|'])
      expect(namesFor(text), text).toEqual([])
  })

  test('of a whole word that means several what they are, but Enter takes none', () => {
    expect(namesFor('Mow @garden|')).toEqual(['garden 1', 'garden 2'])
    expect(suggested('Mow @garden|').firstIsMeant).toBe(false)
    expect(namesFor('Mow @home|')).toEqual(['home', 'office'])
    expect(suggested('Mow @home|').firstIsMeant).toBe(false)
  })

  test('nothing in a word without a sign, in an address, in quotes, after a space, or in what was refused', () => {
    for (const text of [
      '|',
      'Mow|',
      '|@home',
      'Write to ada@home|',
      'Read "all @home|"',
      'Mow @home |',
      'Mow @ |',
      'Mow #home work|',
      'Mow #home,w|',
    ])
      expect(namesFor(text), text).toEqual([])
    expect(suggested('Mow @h|', ['@h']).options).toEqual([])
  })
})

describe('what is taken', () => {
  const take = (text: string, name: string) => {
    const { marker, options, text: plain } = suggested(text)
    const suggestion = options.find((option) => named(option) === name)
    if (!marker || !suggestion) throw new Error(`${name} is not suggested for ${text}`)
    const { text: whole, caret, ...rest } = taken(plain, marker, suggestion, context)
    return [`${whole.slice(0, caret)}|${whole.slice(caret)}`, rest]
  }

  test.each([
    ['Mow @ho|', 'home', 'Mow @Home |', {}],
    ['@ho|', 'home', '@Home |', {}],
    ['Mow @off| fri', 'office', 'Mow @Home office |fri', {}],
    ['Mow @gar|den', 'garden 2', 'Mow @Garden |', { named: 'garden 2' }],
    ['Mow @bicycle|, fri', 'new bicycle', 'Mow @bicycle|, fri', {}],
    ['Mow @"summer h|', 'new summer h', 'Mow @"summer h" |', {}],
    ['Mow #two|', '#two words', 'Mow #"two words" |', {}],
    ['Mow #er| fri', '#errands', 'Mow #errands |fri', {}],
    ['Mow !|', 'medium', 'Mow !medium |', {}],
  ])('of %s %s', (text, name, whole, rest) => {
    expect(take(text, name)).toEqual([whole, rest])
  })

  test('a list that no word can mean is chosen, and none of it stays in the text', () => {
    expect(take('Mow @ho| office', 'home')).toEqual(['Mow |office', { chosen: 'home' }])
    expect(take('Mow @gar| @home', 'garden 1')).toEqual(['Mow |@home', { chosen: 'garden 1' }])
  })

  test('whatever is taken is read as what it is, and no other word is lost', () => {
    const word = fc.constantFrom('Mow', 'fri', '"a', 'b"', '#x', '@home', '@', 'the lawn,', '!low')
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('@', '@g', '@ho', '#', '#wo', '!', '!h'),
        fc.array(word, { maxLength: 3 }),
        fc.nat(),
        (before, typed, after, place) => {
          const start = before.join(' ')
          const { marker, options, text } = suggested(`${start} ${typed}|${['', ...after].join(' ')}`)
          const suggestion = options[place % Math.max(1, options.length)]
          if (!marker || !suggestion) return
          const now = taken(text, marker, suggestion, context)
          const end = after.join(' ')
          expect(now.text.startsWith(text.slice(0, marker.from))).toBe(true)
          expect(now.text.endsWith(end)).toBe(true)
          const read = readQuickAdd(now.text, context)
          if (suggestion.kind === 'list') {
            const meant = now.chosen ?? now.named ?? read.list?.ids[0] ?? suggestion.list.id
            expect(meant).toBe(suggestion.list.id)
          }
          const nothing = read.parts.length === 0
          if (suggestion.kind === 'tag' && !nothing) expect(read.tags).toContain(suggestion.tag)
        },
      ),
      { numRuns: runs(20_000, 300) },
    )
  })
})
