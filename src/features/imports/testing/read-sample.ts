import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { dayKey, type OpenedFile, type Reader, type ReaderContext, type Reading } from '../reading/reading.ts'
import { readingOf } from './read.ts'

/** A text file as the importer opens it: without a byte order mark. */
export function textFile(text: string, name = 'file'): OpenedFile {
  return { kind: 'text', name, text: text.replace(/^\uFEFF/, '') }
}

/** A sample file. `path` is inside the folder of samples. */
export function sampleFile(path: string): OpenedFile {
  return textFile(readFileSync(new URL(`../readers/samples/${path}`, import.meta.url), 'utf8'), path)
}

/** The reading of a file. Fails unless each row either becomes something in the reading or says why not. */
export function wholeReadingOf(
  reader: Reader,
  file: OpenedFile,
  context: Partial<ReaderContext> = {},
): Reading {
  const reading = readingOf(reader, file, context)
  const { lists, todos, habits, sessions, rows } = reading
  const days = habits.flatMap(({ key, completions, skips, notes, amounts }) =>
    [...completions, ...skips, ...[...notes, ...amounts].map(({ day }) => day)].map((day) =>
      dayKey(key, day),
    ),
  )
  const made = new Set([...[...lists, ...todos, ...habits, ...sessions].map(({ key }) => key), ...days])
  const wrong = rows.filter(({ becomes = '', refused, changed }) =>
    refused === undefined ? !made.has(becomes) : refused === '' || changed.length > 0,
  )
  expect(wrong).toEqual([])
  return reading
}
