/** A line of cells; a number stays one, whatever a spreadsheet thinks of text. */
export type CsvRow = readonly (string | number)[]

/**
 * RFC 4180: commas, CRLF, quotes where they are needed. It begins with a byte order mark, without which Excel takes it for
 * Windows-1252. Text that a spreadsheet would run as a formula has an apostrophe before it, as OWASP advises: a title may
 * have come from anywhere, through an import.
 */
export function csvOf(head: readonly string[], rows: readonly CsvRow[]): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
