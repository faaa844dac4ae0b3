import type { Day } from '#platform/calendar/day.ts'
import { formatCsv } from '#platform/wire/csv.ts'
import { calendarFile } from '../calendar-file.ts'
import { completionsTable, sessionsTable, type Table, tasksTable } from '../csv-tables.ts'
import type { ExportedAccount } from '../exported-account.ts'
import type { OtherFormat } from '../other-formats.ts'

export interface WrittenFile {
  text: string
  /** The beginning of the file's name, before the day: 'daymark-tasks'. */
  name: string
  ending: 'csv' | 'ics'
  type: string
  /** How many rows or tasks the file contains. */
  count: number
}

/** Writes the account as a file for other apps. */
export function writeOtherFormat(exported: ExportedAccount, format: OtherFormat, today: Day): WrittenFile {
  switch (format) {
    case 'tasks-csv':
      return csvFile('daymark-tasks', tasksTable(exported, today))
    case 'completions-csv':
      return csvFile('daymark-completions', completionsTable(exported))
    case 'sessions-csv':
      return csvFile('daymark-focus', sessionsTable(exported))
    case 'tasks-ics':
      return {
        text: calendarFile(exported, today),
        name: 'daymark-tasks',
        ending: 'ics',
        type: 'text/calendar;charset=utf-8',
        count: exported.todos.length,
      }
  }
}

function csvFile(name: string, { head, rows }: Table): WrittenFile {
  const text = formatCsv(head, rows)
  return { text, name, ending: 'csv', type: 'text/csv;charset=utf-8', count: rows.length }
}
