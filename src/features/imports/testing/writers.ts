/** Writes CSV as most apps do: with a byte order mark, CRLF, and quotes only where necessary. */
export function csvFile(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return `\uFEFF${rows.map((cells) => cells.map(cell).join()).join('\r\n')}\r\n`
}
