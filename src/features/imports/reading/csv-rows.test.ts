import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { CsvTable, csvRows, isBlank, separatorOf } from './csv-rows.ts'

const cellsOf = (text: string, separator?: string) => csvRows(text, separator).map(({ cells }) => cells)

test('a cell may contain separators, quotes and line breaks', () => {
  expect(cellsOf('a,"b,""c""\r\nd",e\r\nf\r\n')).toEqual([['a', 'b,"c"\r\nd', 'e'], ['f']])
})

test('a row knows the line on which it begins', () => {
  expect(csvRows('a\n"b\nb\nb"\n\nc').map(({ line }) => line)).toEqual([1, 2, 5, 6])
})

test('a byte order mark is no part of the first name', () => {
  expect(cellsOf('\uFEFF"a",b')).toEqual([['a', 'b']])
})

test('any line break ends a row, and an empty cell at the end is one', () => {
  expect(cellsOf('a,\r\nb\rc\n,,\n')).toEqual([['a', ''], ['b'], ['c'], ['', '', '']])
})

test('a quote inside a cell stands for itself, and one that is never closed ends with the file', () => {
  expect(cellsOf('5" nails,b\n"open,c\nd')).toEqual([['5" nails', 'b'], ['open,c\nd']])
})

test('a row is read by the names of its columns, wherever they stand', () => {
  const table = new CsvTable(csvRows('x\nTitle , DATE,Extra\n Water , 2026-11-23,\nShort'), 1)
  const [first, short] = table.rows
  if (!first || !short) throw new Error('Two rows')
  expect([table.cell(first, 'TITLE'), table.cell(first, 'date'), table.cell(short, 'date')]).toEqual([
    'Water',
    '2026-11-23',
    '',
  ])
  expect(table.text(first, 'title')).toBe(' Water ')
  expect(table.has('title', 'date')).toBe(true)
  expect(table.has('title', 'due')).toBe(false)
  expect(table.unknown(['title', 'date'])).toEqual(['Extra'])
})

test('a row of separators is blank', () => {
  expect(csvRows(',,,\n, ,\nx,').map(isBlank)).toEqual([true, true, false])
})

test.each([
  ['a,b;c,d', ','],
  ['a;b,5;c', ';'],
  ['a\tb\tc,d', '\t'],
  ['"a,b,c";d', ';'],
  ['', ','],
])('%j is separated by %j', (text, separator) => {
  expect(separatorOf(text)).toBe(separator)
})

test('whatever is written as CSV is read back', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', ';') })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1 })), (rows) => {
      const text = rows.map((cells) => cells.map(quoted).join()).join('\r\n')
      expect(cellsOf(text)).toEqual(rows)
    }),
    { numRuns: runs(5_000, 200) },
  )
})
