import type { DayRange } from '#platform/calendar/range.ts'
import { type CsvRow, formatCsv } from '#platform/wire/csv.ts'
import type { DayValue, Metric } from './day-value.ts'

export const dayHead: Record<Metric, readonly string[]> = {
  todos: ['day', 'completed'],
  habits: ['day', 'completed', 'due'],
  focus: ['day', 'seconds', 'sessions'],
}

export function dayCells(metric: Metric, { day, amount, occasions }: DayValue): CsvRow {
  return metric === 'todos' ? [day, amount] : [day, amount, occasions]
}

export function fileName(of: string, { from, to }: DayRange): string {
  return `daymark-${of}-${from}-${to}`
}

/** Downloads a CSV file. `name` has no extension. */
export function downloadCsv(name: string, head: readonly string[], rows: readonly CsvRow[]): void {
  const address = URL.createObjectURL(new Blob([formatCsv(head, rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.csv`
  link.click()
  // By now, the download has long started.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
