import { expect, it } from 'vitest'
import { longestSearch, parseCompletedSearch } from './completed-search.ts'

it('an address asks for a list and for words, and ignores anything else', () => {
  const list = '0199c000-0000-7000-8000-000000000001'
  expect(parseCompletedSearch({ list, search: ' milk ' })).toEqual({ list, search: 'milk' })
  expect(parseCompletedSearch({ search: 7 })).toEqual({ list: undefined, search: '7' })
  expect(parseCompletedSearch({ list: 'home', search: ' ', page: 2 })).toEqual({})
  expect(parseCompletedSearch({ search: 'x'.repeat(500) }).search).toHaveLength(longestSearch)
})
