import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { fold, foldWithPlaces } from './fold.ts'
import { matchOf, matchRanks, piecesOf, wantedOf } from './match.ts'
import { searchRows } from './row-search.ts'

const found = (typed: string, title: string, more: readonly string[] = []) => {
  const wanted = wantedOf(typed)
  return wanted && matchOf({ title: fold(title), more: more.map(fold) }, wanted)
}

describe('what is typed finds what a reader takes for the same', () => {
  test.each([
    ['omer', 'Call Ömer'],
    ['ÖMER', 'call omer'],
    ['strasse', 'Straße fegen'],
    ['STRAẞE', 'strasse'],
    ['izmir', 'İzmir'],
    ['IZMIR', 'ızmir'],
    ['οδος', 'ΟΔΌΣ'],
    ['ΟΔΟΣ', 'οδός 5'],
    ['семья', 'СЕМЬЯ'],
    ['ё', 'ежик'],
    ['lodz', 'Łódź'],
    ['smorrebrod', 'Smørrebrød'],
    ['aether', 'Æther'],
    ['wifi', 'ｗｉｆｉ'],
    ['office', 'oﬃce'],
    ["don't", 'Don’t forget'],
    ['café', 'cafe\u0301'],
  ])('%s finds %s', (typed, title) => {
    expect(found(typed, title)).toBeDefined()
  })

  test.each([
    ['שלום', 'לומר שָׁלוֹם'],
    ['كتاب', 'قراءة كِتَاب'],
    ['قرا', 'قراءة كتاب'],
  ])('from right to left: %s finds %s', (typed, title) => {
    expect(found(typed, title)).toBeDefined()
  })

  test.each([
    ['電話', '家族に電話'],
    ['ซื้อ', 'ไปซื้อนม'],
    ['하', '오늘 한강'],
  ])('anywhere in scripts without spaces, and while a syllable is typed: %s finds %s', (typed, title) => {
    expect(found(typed, title)).toBeDefined()
  })

  test.each([
    ['ater', 'Water the plants'],
    ['water x', 'Water the plants'],
    ['강', '한강'],
  ])('not in the middle of a word, and only with all words: %s does not find %s', (typed, title) => {
    expect(found(typed, title)).toBeUndefined()
  })

  test('words are found in any order, and across title, note and tags', () => {
    expect(found('pla wat', 'Water the plants')).toBe(matchRanks.title)
    expect(found('water balcony', 'Water the plants', ['On the balcony', '#home'])).toBe(matchRanks.elsewhere)
    expect(found('#home', 'Water the plants', ['#home'])).toBe(matchRanks.elsewhere)
  })

  test('nothing is searched for when only spaces are typed', () => {
    expect(wantedOf(' \t ')).toBeUndefined()
  })
})

const text = fc.string({ unit: 'grapheme', maxLength: 20 })

test('folding a folded text changes nothing', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(fold(fold(any))).toBe(fold(any))
    }),
    { numRuns: runs(50_000, 1_000) },
  )
})

test('a text folds to what its characters fold to', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(foldWithPlaces(any).folded).toBe(fold(any))
    }),
    { numRuns: runs(50_000, 1_000) },
  )
})

test('what is marked as found is part of the text, which stays whole', () => {
  const marked = (typed: string, title: string) =>
    piecesOf(title, wantedOf(typed)).map(({ text, found }) => (found ? `[${text}]` : text))
  expect(marked('wat', 'Water the plants')).toEqual(['[Wat]', 'er the plants'])
  expect(marked('strass', 'Die Straße')).toEqual(['Die ', '[Straß]', 'e'])
  expect(marked('cafe', 'cafe\u0301 noir')).toEqual(['[cafe\u0301]', ' noir'])
  fc.assert(
    fc.property(text, text, (typed, title) => {
      const pieces = piecesOf(title, wantedOf(typed))
      expect(pieces.map((piece) => piece.text).join('')).toBe(title)
    }),
    { numRuns: runs(20_000, 500) },
  )
})

test('what is typed letter by letter finds what it finds at once', () => {
  const line = fc
    .array(fc.constantFrom('wat', 'water', 'wa', 'ter', '家族', '族', 'Über', 'ub', '-a', ' '), {
      maxLength: 4,
    })
    .map((words) => words.join(' '))
  const rows = fc.array(fc.record({ title: line, note: line }), { maxLength: 20 })
  const search = searchRows<{ title: string; note: string }>({
    title: ({ title }) => title,
    more: ({ note }) => [note],
  })
  fc.assert(
    fc.property(rows, line, (all, typed) => {
      for (let end = 1; end <= typed.length; end++) {
        const wanted = wantedOf(typed.slice(0, end))
        if (!wanted) continue
        expect(search.best(all, wanted, 3)).toEqual(search.best([...all], wanted, 3))
      }
    }),
    { numRuns: runs(20_000, 500) },
  )
})

interface Row {
  title: string
  note: string
  done: boolean
  touched: string
}

const rowSearch = searchRows<Row>({
  title: (row) => row.title,
  more: (row) => [row.note],
  isDone: (row) => row.done,
  touched: (row) => row.touched,
})

test('open rows come before done ones, then titles that start so, other titles and notes, the latest first', () => {
  const row = (title: string, { note = '', done = false, touched = '1' } = {}) => ({
    title,
    note,
    done,
    touched,
  })
  const rows = [
    row('Done water', { done: true, touched: '9' }),
    row('Buy seeds', { note: 'and water', touched: '8' }),
    row('The water'),
    row('Water one'),
    row('Water two', { touched: '2' }),
    row('Water three'),
  ]
  const wanted = wantedOf('wat')
  const best = wanted && rowSearch.best(rows, wanted, 9)
  expect(best?.rows.map(({ title }) => title)).toEqual([
    'Water two',
    'Water one',
    'Water three',
    'The water',
    'Buy seeds',
    'Done water',
  ])
})

test('a search answers what looking at every word of every row does', () => {
  const word = fc.constantFrom('Wat', 'water', 'Über', 'uber', 'plan', 'plants', 'Ås', 'as', '家族', '族')
  const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
  const rows = fc.array(
    fc.record({ title: line, note: line, done: fc.boolean(), touched: fc.constantFrom('1', '2', '3') }),
    { maxLength: 30 },
  )
  const wordsOf = (of: string) =>
    of
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .split(' ')
      .filter((each) => each !== '')
  const has = (of: string, sought: string) =>
    wordsOf(of).some((each) =>
      sought === '族' || sought === '家族' ? each.includes(sought) : each.startsWith(sought),
    )
  fc.assert(
    fc.property(rows, line, fc.nat({ max: 8 }), (all, typed, most) => {
      const wanted = wantedOf(typed)
      const sought = wordsOf(typed)
      fc.pre(wanted !== undefined)
      if (!wanted) return
      const rankOf = ({ title, note }: Row) => {
        if (wordsOf(title).join(' ').startsWith(sought.join(' '))) return 0
        if (sought.every((each) => has(title, each))) return 1
        return sought.every((each) => has(title, each) || has(note, each)) ? 2 : undefined
      }
      const expected = all
        .filter((row) => rankOf(row) !== undefined)
        .toSorted(
          (a, b) =>
            Number(a.done) - Number(b.done) ||
            (rankOf(a) ?? 0) - (rankOf(b) ?? 0) ||
            Number(b.touched) - Number(a.touched),
        )
      const { rows: best, count } = rowSearch.best(all, wanted, most)
      expect(best).toEqual(expected.slice(0, most))
      expect(count).toBe(expected.length)
      expect(all.filter((row) => rowSearch.matches(row, wanted))).toHaveLength(count)
    }),
    { numRuns: runs(20_000, 500) },
  )
})

describe('rows are searched without a look at each', () => {
  const letters = fc.constantFrom(
    'wat',
    'Ü',
    '1',
    '2',
    '10',
    ' ',
    '-',
    '#',
    '家',
    '族',
    'e\u0301',
    '’',
    'ﬃ',
    '𝐀',
    '😀',
    'z',
  )
  const line = fc.array(letters, { maxLength: 8 }).map((all) => all.join(''))
  const rows = fc.array(fc.record({ title: fc.oneof(line, text), note: line }), { maxLength: 30 })

  test('and what is found is what a look at each finds, however far they were prepared', () => {
    const search = searchRows<{ title: string; note: string }>({
      title: ({ title }) => title,
      more: ({ note }) => [note],
    })
    fc.assert(
      fc.property(rows, line, fc.nat({ max: 30 }), (all, typed, prepared) => {
        search.prepare(all.slice(0, prepared))
        search.prepare(all, () => true)
        for (let end = 1; end <= typed.length; end++) {
          const wanted = wantedOf(typed.slice(0, end))
          if (!wanted) continue
          const expected = all.flatMap(({ title, note }, place) =>
            matchOf({ title: fold(title), more: [fold(note)] }, wanted) === undefined ? [] : place,
          )
          expect(search.places(all, wanted)).toEqual(expected)
          expect(search.best([...all], wanted, 3).count).toBe(expected.length)
        }
      }),
      { numRuns: runs(20_000, 1_000) },
    )
  })

  test('a few rows at a time are prepared, so that a key never waits for thousands', () => {
    const { many, search, foldedTitles } = thousandSearched()
    const most: number[] = []
    let isDone = false
    while (!isDone) {
      const before = foldedTitles()
      isDone = search.prepare(many, () => true)
      most.push(foldedTitles() - before)
    }
    expect(Math.max(...most)).toBeLessThanOrEqual(20)
    expect(foldedTitles()).toBe(1_000)
  })

  test('of another array only the rows that changed are folded', () => {
    const { many, search, foldedTitles } = thousandSearched()
    search.prepare(many)
    const changed = many.with(500, { title: 'Plan 500', note: '' })
    const plan = wantedOf('plan')
    expect(plan && search.places(changed, plan)).toEqual([500])
    expect(foldedTitles()).toBe(1_001)
  })
})

/** A thousand rows, and a search of them that counts the titles it has folded. */
function thousandSearched() {
  const many = Array.from({ length: 1_000 }, (_, place) => ({ title: `Water ${place}`, note: '' }))
  let folded = 0
  const search = searchRows<(typeof many)[number]>({
    title({ title }) {
      folded++
      return title
    },
  })
  return { many, search, foldedTitles: () => folded }
}
