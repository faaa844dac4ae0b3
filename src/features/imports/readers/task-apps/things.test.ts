import { expect, test } from 'vitest'
import { readerContext } from '#features/imports/testing/read.ts'
import { textFile } from '#features/imports/testing/read-sample.ts'
import { things } from './things.ts'

test('the database of Things is recognised, and what to do instead is said', () => {
  const file = { kind: 'database', name: 'main.sqlite', tables: ['TMArea', 'TMTask', 'TMTag'] } as const
  expect(things.recognises(file)).toBe(true)
  expect(things.read(file, readerContext)).toEqual({ problem: expect.stringContaining('Save that as CSV') })
})

test('other databases and files are not', () => {
  expect(things.recognises({ kind: 'database', name: 'x.db', tables: ['Habits'] })).toBe(false)
  expect(things.recognises(textFile('TMTask'))).toBe(false)
})
