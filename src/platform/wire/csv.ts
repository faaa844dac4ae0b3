/** A line of cells. Numbers stay numbers. */
export type CsvRow = readonly (string | number)[]

/**
 * Formats a CSV file by RFC 4180: commas, CRLF, quotes where needed. It begins with a byte order mark, without which Excel
 * assumes Windows-1252. Text that a spreadsheet would run as a formula gets a leading apostrophe, as OWASP recommends: after an
 * import, a title may come from anywhere. Text that already has such an apostrophe gets another, so that removing one restores
 * the text.
 */
export function formatCsv(head: readonly string[], rows: readonly CsvRow[]): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
