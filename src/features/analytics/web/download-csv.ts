import { type CsvRow, csvOf } from '../csv.ts'
import type { DayFigure, Measure } from '../day-figure.ts'

export const dayHead: Record<Measure, readonly string[]> = {
  todos: ['day', 'completed'],
  habits: ['day', 'completed', 'due'],
  focus: ['day', 'seconds', 'sessions'],
}

export function dayCells(measure: Measure, { day, amount, beside }: DayFigure): CsvRow {
  return measure === 'todos' ? [day, amount] : [day, amount, beside]
}

/** Hands the person a file; `name` is without its ending. */
export function downloadCsv(name: string, head: readonly string[], rows: readonly CsvRow[]): void {
  const address = URL.createObjectURL(new Blob([csvOf(head, rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.csv`
  link.click()
  // The browser has taken it by the time that it is back from the click's own task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
