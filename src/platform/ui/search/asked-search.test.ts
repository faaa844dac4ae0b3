import { expect, test } from 'vitest'
import { type Wanted, wantedOf } from '#platform/search/match.ts'
import { searchRows } from '#platform/search/row-search.ts'
import { AskedSearch } from './asked-search.ts'

const rows = ['Water the plants', 'Write a letter', 'Buy water'].map((title) => ({ title }))
const [water, write, buy] = rows

function wanted(typed: string): Wanted {
  const of = wantedOf(typed)
  if (!of) throw new Error('nothing typed')
  return of
}
const asked = (typed: string) =>
  new AskedSearch(searchRows<{ title: string }>({ title: ({ title }) => title }), wanted(typed))

test('a key that finds the same rows leaves the screen as it is, one that finds others does not', () => {
  const search = asked('w')
  expect(search.among(rows)).toEqual([water, write, buy])
  expect(search.goesOnWith(wanted('wa'))).toBe(false)
  const next = asked('wa')
  expect(next.among(rows)).toEqual([water, buy])
  expect(next.goesOnWith(wanted('wat'))).toBe(true)
  expect(next.goesOnWith(wanted('w'))).toBe(false)
})

test('rows that come later are sought by what was typed last', () => {
  const search = asked('wa')
  search.among(rows)
  expect(search.goesOnWith(wanted('water'))).toBe(true)
  expect(search.among([...rows, { title: 'Wait' }])).toEqual([water, buy])
})

test('a screen that looked at single rows or other texts is told of every key', () => {
  const one = asked('wa')
  one.has({ title: 'Walk' })
  expect(one.goesOnWith(wanted('wat'))).toBe(false)
  const other = asked('wa')
  expect(other.hasTexts('Walk')).toBe(true)
  expect(other.goesOnWith(wanted('wat'))).toBe(false)
})

test('a row that is held in its place is sought as it was when it got there', () => {
  const search = asked('wa')
  const placeOf = (row: { title: string }) => (row === write ? { title: 'Wave' } : row)
  expect(search.among(rows, placeOf)).toEqual([water, write, buy])
  expect(search.goesOnWith(wanted('wav'))).toBe(false)
})
