/** A line of cells; a number stays a number. */
export type CsvRow = readonly (string | number)[]

/**
 * RFC 4180: commas, CRLF, quotes where needed. Begins with a byte order mark, without which Excel assumes Windows-1252.
 * Text that a spreadsheet would run as a formula gets an apostrophe in front, as OWASP recommends: after an import, a title
 * may come from anywhere. So does what already looks like that, so that taking one apostrophe away gives the text again.
 */
export function formatCsv(head: readonly string[], rows: readonly CsvRow[]): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
