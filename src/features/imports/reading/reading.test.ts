import { expect, test } from 'vitest'
import { keysOfPaths } from './reading.ts'

test('things with equal names have different keys, which are the same when the file is read again', () => {
  const read = () => {
    const key = keysOfPaths()
    return [key('Home', 'Water'), key('Home', 'Water'), key('Home', 'Water'), key('Work', 'Water')]
  }
  expect(new Set(read()).size).toBe(4)
  expect(read()).toEqual(read())
})

test('a name that contains what separates names is no path', () => {
  const key = keysOfPaths()
  const keys = [key('a', 'b'), key('a","b'), key('a/b'), key('["a","b"]'), key('a', 'b'), key('a', 'b2')]
  expect(new Set(keys).size).toBe(keys.length)
})
