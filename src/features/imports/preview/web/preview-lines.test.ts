import { describe, expect, test } from 'vitest'
import type { ReadRow } from '#features/imports/reading/reading.ts'
import type { FatedRow } from '../fates.ts'
import { countToImport, formatReasons, previewLines } from './preview-lines.ts'

const row = (line: number, given: Partial<ReadRow> = {}): ReadRow => ({
  line,
  what: 'task',
  title: `Task ${line}`,
  changed: [],
  ...given,
})

const rows: FatedRow[] = [
  { fate: 'new', row: row(2) },
  { fate: 'new', row: row(3, { what: 'subtask' }) },
  { fate: 'there', row: row(4) },
  { fate: 'changed', row: row(5, { changed: ['The repeat "every blue moon" becomes a note'] }) },
  { fate: 'changed', row: row(6, { changed: ['The repeat "every 3rd full moon" becomes a note'] }) },
  { fate: 'refused', row: row(7, { what: 'other', refused: 'Daymark keeps no files' }) },
]

describe('the four lines of an import', () => {
  test('hold every row of the file once, in the same order, also those that hold none', () => {
    const lines = previewLines(rows, 0)
    expect(lines.map(({ fate, count }) => [fate, count])).toEqual([
      ['new', 2],
      ['there', 1],
      ['changed', 2],
      ['refused', 1],
    ])
    expect(lines.flatMap((line) => line.rows).map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7])
    expect(previewLines([], 0).map(({ count, summary }) => [count, summary])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
      [0, ''],
    ])
  })

  test('say what is new by its kind, and tell lists apart that are made from names', () => {
    expect(previewLines(rows, 0)[0]?.summary).toBe('1 task, 1 subtask')
    expect(previewLines(rows, 1)[0]?.summary).toBe('1 task, 1 subtask; and 1 list made from its name')
    expect(previewLines([], 3)[0]?.summary).toBe('3 lists made from their names')
  })

  test('promise on the button as many items as are new or come changed', () => {
    expect(countToImport(previewLines(rows, 2))).toBe(4)
  })
})

describe('the reasons of a line', () => {
  test('are told once for rows that differ only in what is quoted, the most frequent first', () => {
    expect(
      formatReasons([
        ['Its file is left out'],
        ['The repeat "a" becomes a note'],
        ['The repeat "b" becomes a note'],
      ]),
    ).toBe('The repeat becomes a note (2). Its file is left out')
  })

  test('quote what all rows share, and of several days name none', () => {
    const year = (day: string) => [`The file names no year: read as ${day}`]
    expect(formatReasons([year('20 November 2026'), year('3 May 2026'), ['Tag "x"'], ['Tag "x"']])).toBe(
      'The file names no year (2). Tag "x" (2)',
    )
    expect(formatReasons([year('20 November 2026')])).toBe('The file names no year: read as 20 November 2026')
  })

  test('are told without a number where all rows have the same', () => {
    expect(formatReasons([['Cut at 500 letters'], ['Cut at 500 letters']])).toBe('Cut at 500 letters')
  })

  test('beyond the first two are only counted', () => {
    expect(formatReasons([['One'], ['Two'], ['Three'], ['Four']])).toBe('One. Two. 2 other reasons')
    expect(formatReasons([])).toBe('')
  })
})
