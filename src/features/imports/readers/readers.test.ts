import { expect, test } from 'vitest'
import type { OpenedFile } from '../reading/reading.ts'
import { sampleFile, textFile } from '../testing/read-sample.ts'
import { readers } from './readers.ts'

const sourceOf = (file: OpenedFile) => readers.find((reader) => reader.recognises(file))?.source
const database = (...tables: string[]): OpenedFile => ({ kind: 'database', name: 'x.db', tables })

test.each([
  ['loop', sampleFile('loop/old/Checkmarks.csv')],
  ['loop', sampleFile('loop/old/Habits.csv')],
  ['loop', database('Habits', 'Repetitions')],
  ['habitica', sampleFile('habitica/userdata.json')],
  ['habitica', sampleFile('habitica/history.csv')],
  ['habitkit', sampleFile('habitkit/export.json')],
  ['habittrove', sampleFile('habittrove/habits.json')],
  ['toggl', sampleFile('toggl/detailed.csv')],
  ['things', database('TMTask', 'TMTag')],
  ['csv', sampleFile('csv/tasks.csv')],
  ['csv', sampleFile('csv/habitify.csv')],
  ['csv', sampleFile('csv/clockify.csv')],
])('a file of %s is taken for one of no other source', (source, file) => {
  expect(sourceOf(file)).toBe(source)
})

test.each(['', 'Dear Ida,\nhow are you?', '{"a":1}', '<html></html>'])('%j is taken for nothing', (text) => {
  expect(sourceOf(textFile(text))).toBeUndefined()
})

test('each source has a name of its own, of which the ids are made', () => {
  expect(new Set(readers.map(({ source }) => source)).size).toBe(readers.length)
})
