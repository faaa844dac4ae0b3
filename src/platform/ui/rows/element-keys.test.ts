import { expect, test } from 'vitest'
import { ElementKeys } from './element-keys.ts'

const all = () => true

/** Draws the rows, and returns the names of their elements in order. */
function draw(
  keys: ElementKeys,
  ids: string,
  isFree?: (id: string) => boolean,
  needsOwn?: (id: string) => boolean,
) {
  const names = keys.keysFor([...ids], isFree, needsOwn)
  keys.drawn()
  return [...ids].map((id) => names.get(id))
}

test('each row keeps its element while the page scrolls and rows come and go', () => {
  const keys = new ElementKeys()
  expect(draw(keys, 'abcd')).toEqual(['a', 'b', 'c', 'd'])
  expect(draw(keys, 'bcde')).toEqual(['b', 'c', 'd', 'e'])
  expect(draw(keys, 'bxde')).toEqual(['b', 'x', 'd', 'e'])
})

test('the rows that a search brings take over the elements that are there, in their order', () => {
  const keys = new ElementKeys()
  draw(keys, 'abcd')
  expect(draw(keys, 'dxy', all)).toEqual(['a', 'b', 'c'])
  expect(draw(keys, 'ydxz', all)).toEqual(['a', 'b', 'c', 'z'])
})

test('a row in use keeps its element, and nothing moves past it, for that would take the focus away', () => {
  const keys = new ElementKeys()
  draw(keys, 'abcd')
  const notC = (id: string) => id !== 'c'
  expect(draw(keys, 'xcyz', notC)).toEqual(['a', 'c', 'd', 'z'])
  expect(draw(keys, 'uvwcs', notC)).toEqual(['a', 'v', 'w', 'c', 'd'])
})

test('a row in use that the search does not find takes its element along', () => {
  const keys = new ElementKeys()
  draw(keys, 'abc')
  expect(draw(keys, 'xyz', (id) => id !== 'b')).toEqual(['a', 'c', 'z'])
})

test('a row in which something was half typed gets an element of its own, which shows it', () => {
  const keys = new ElementKeys()
  draw(keys, 'abc')
  expect(draw(keys, 'xyz', all, (id) => id === 'y')).toEqual(['a', 'y', 'b'])
})

test('no two rows ever have one element, however often rows come back', () => {
  const keys = new ElementKeys()
  draw(keys, 'abc')
  expect(draw(keys, 'bcd', all)).toEqual(['a', 'b', 'c'])
  expect(draw(keys, 'bcda')).toEqual(['a', 'b', 'c', 'a again'])
  const turns = ['dabc', 'cx', 'xabcdy', '', 'ab', 'yxdcba', 'acegb']
  for (const [turn, ids] of turns.entries()) {
    const names = draw(keys, ids, turn % 2 === 0 ? (id) => id !== 'c' : undefined)
    expect(new Set(names).size).toBe(ids.length)
  }
})

test('what was named but never drawn counts for nothing', () => {
  const keys = new ElementKeys()
  draw(keys, 'abc')
  keys.keysFor(['x', 'y'], all)
  expect(draw(keys, 'cab')).toEqual(['c', 'a', 'b'])
})
