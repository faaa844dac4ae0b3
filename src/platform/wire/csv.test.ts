import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { formatCsv } from './csv.ts'

/** An RFC 4180 reader that knows nothing of how the file was written. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error('a quote without an end')
        if (text[at] === '"') at += 1
        cell += text[at]
      }
      at += 1
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error('a cell that should be quoted')
        cell += text[at++]
      }
    }
    row.push(cell)
    if (text[at] === ',') {
      at += 1
      continue
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no end of line at ${at}`)
    at += 2
    rows.push(row)
    row = []
  }
  return rows
}

const formula = /^[=+\-@\t\r\n＝＋－＠]/
const guarded = /^'*[=+\-@\t\r\n＝＋－＠]/

describe('a CSV file', () => {
  test('begins with a byte order mark and has a line for each row', () => {
    expect(formatCsv(['day', 'title'], [['2026-11-20', 'Ring, then "write"']])).toBe(
      '\uFEFFday,title\r\n2026-11-20,"Ring, then ""write"""\r\n',
    )
  })

  test('keeps numbers as numbers, and turns no title into a formula', () => {
    const [, cells] = parse(
      formatCsv(['a'], [[-5, '=HYPERLINK("http://x")', '+49 40', '-1', '@x', '＝1+1', 'a=b']]),
    )
    expect(cells).toEqual(['-5', `'=HYPERLINK("http://x")`, "'+49 40", "'-1", "'@x", "'＝1+1", 'a=b'])
  })

  test('reads back as what was written, and no text in it begins a formula', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('"', ',', '\r', '\n', '=', '+', '-', '@', '\t', "'", ' ', 'é', '='),
      }),
    )
    const cell = fc.oneof(text, fc.integer())
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }))
    fc.assert(
      fc.property(rows, (written) => {
        const [head, ...read] = parse(formatCsv(['head'], written))
        expect(head).toEqual(['head'])
        const expected = written.map((row) =>
          row.map((value) =>
            typeof value === 'number' ? String(value) : guarded.test(value) ? `'${value}` : value,
          ),
        )
        expect(read).toEqual(expected)
        const texts = read.flatMap((row, place) =>
          row.filter((_, column) => typeof written[place]?.[column] === 'string'),
        )
        expect(texts.filter((read) => formula.test(read))).toEqual([])
      }),
      { numRuns: runs(10_000, 100) },
    )
  })
})
