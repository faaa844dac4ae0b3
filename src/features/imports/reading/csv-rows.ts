/** A row of a CSV file, possibly blank. A cell may contain line breaks; `line` is where the row begins, from 1. */
export interface CsvRow {
  line: number
  cells: string[]
}

/**
 * Splits text into rows as in RFC 4180, with any kind of line break. A quote inside an unquoted cell is an ordinary character. A
 * quoted cell that is never closed ends with the text. Files of other apps contain both.
 */
export function csvRows(text: string, separator = ','): CsvRow[] {
  const rows: CsvRow[] = []
  const end = text.length
  let place = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  while (place < end) {
    const row: CsvRow = { line, cells: [] }
    for (;;) {
      let cell = ''
      if (text[place] === '"') {
        place += 1
        for (;;) {
          const quote = text.indexOf('"', place)
          const stop = quote === -1 ? end : quote
          cell += text.slice(place, stop)
          place = stop + 1
          if (text[place] !== '"') break
          cell += '"'
          place += 1
        }
        line += lineBreaksIn(cell)
      }
      const rest = endOfCell(text, place, separator)
      row.cells.push(cell + text.slice(place, rest))
      place = rest
      if (text[place] !== separator) break
      place += 1
    }
    if (text[place] === '\r' && text[place + 1] === '\n') place += 1
    place += 1
    line += 1
    rows.push(row)
  }
  return rows
}

function endOfCell(text: string, from: number, separator: string): number {
  let place = from
  while (place < text.length) {
    const character = text[place]
    if (character === separator || character === '\n' || character === '\r') return place
    place += 1
  }
  return text.length
}

function lineBreaksIn(cell: string): number {
  return cell.match(/\r\n|\r|\n/g)?.length ?? 0
}

/** A table whose cells are read by column name, because columns are added, removed and reordered over time. */
export class CsvTable {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
  readonly #places: ReadonlyMap<string, number>

  /** `rows[headerAt]` has the column names. Case and surrounding space do not matter. */
  constructor(rows: readonly CsvRow[], headerAt = 0) {
    this.header = (rows[headerAt]?.cells ?? []).map((name) => name.trim())
    this.rows = rows.slice(headerAt + 1)
    this.#places = new Map(
      this.header.map((name, place) => [name.toLowerCase(), place] as const).toReversed(),
    )
  }

  has(...columns: readonly string[]): boolean {
    return columns.every((column) => this.#places.has(column.toLowerCase()))
  }

  /** The cell without surrounding space; empty if there is no such column or the row is too short. */
  cell(row: CsvRow, column: string): string {
    return this.#at(row, column).trim()
  }

  /** The cell with its surrounding space, as in the file. */
  text(row: CsvRow, column: string): string {
    return this.#at(row, column)
  }

  /** The column names that are not in `known`. */
  unknown(known: readonly string[]): string[] {
    const names = new Set(known.map((name) => name.toLowerCase()))
    return this.header.filter((name) => name !== '' && !names.has(name.toLowerCase()))
  }

  #at(row: CsvRow, column: string): string {
    const place = this.#places.get(column.toLowerCase())
    return place === undefined ? '' : (row.cells[place] ?? '')
  }
}

/** Whether a row is empty. Files have empty rows between groups and at their end. */
export function isBlank({ cells }: CsvRow): boolean {
  return cells.every((cell) => cell.trim() === '')
}

/** The separator of a file: the most frequent one in its first line, outside of quotes. */
export function separatorOf(text: string): ',' | ';' | '\t' {
  const [first = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const often = (separator: string) => first.split(separator).length
  if (often('\t') > Math.max(often(','), often(';'))) return '\t'
  return often(';') > often(',') ? ';' : ','
}
