import type { Instant } from '#platform/calendar/day.ts'

/** Formats an instant, such as '29 November 2026 07:00 UTC'. */
export function formatInstant(instant: Instant): string {
  const date = new Date(instant)
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return `${day} ${date.toISOString().slice(11, 16)} UTC`
}

/** Formats an instant in UTC, such as '2026-11-29 07:00', so that a table can be sorted by it. */
export function formatTableCell(instant: Instant | undefined): string {
  return instant === undefined ? '-' : new Date(instant).toISOString().slice(0, 16).replace('T', ' ')
}

export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${Math.round(bytes / 1e6)} MB`
}

/** One line per row, with columns below their headings. Text that a person entered cannot control the terminal. */
export function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [names, ...rows].map((row) => row.map((cell) => cell.replace(/\p{C}/gu, '?')))
  const widths = names.map((_, place) => Math.max(...lines.map((row) => row[place]?.length ?? 0)))
  return lines
    .map((row) =>
      row
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
