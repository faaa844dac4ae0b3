import { formatCounts } from '#features/your-data/format-counts.ts'
import { type Day, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { dayAndMonth } from '#platform/format/format-day.ts'
import type { Import } from '../writing/import.ts'
import { howToExport } from './how-to-export.ts'

export interface Viewer {
  timeZone: string
  dayStart: number
  today: Day
}

/** The name of the app that a file is from: 'Loop Habit Tracker'. */
export function sourceName({ source }: Pick<Import, 'source'>): string {
  if (source === 'daymark') return 'Daymark file'
  return howToExport.find((each) => each.source === source)?.name ?? source
}

/** Describes a past import: '14 November: 6 habits with 1,102 completions', and whether it was stopped or undone. */
export function formatPastImport(past: Import, { timeZone, dayStart, today }: Viewer): string {
  const dayAt = (at: string) => dayOf(instantFromWire(at), timeZone, dayStart)
  const made = dayAt(past.made_at)
  const content = `${dayAndMonth(made, today)}: ${formatCounts(past.added) ?? 'nothing was added'}`
  if (past.undone_at === null) return past.counts ? content : `${content}; stopped before its end`
  const undone = dayAt(past.undone_at)
  const when = undone === made ? 'the same day' : `on ${dayAndMonth(undone, today)}`
  const kept = formatKept(past)
  return `${content}; undone ${when}${kept === undefined ? '' : `. Kept: ${kept}, changed after the import`}`
}

/** What an undo kept in the account: '3 tasks'; undefined if nothing. */
export function formatKept({ kept }: Pick<Import, 'kept'>): string | undefined {
  return kept ? formatCounts(kept) : undefined
}

export function isUndoable({ undone_at, undo_until }: Import, now: number): boolean {
  return undone_at === null && instantFromWire(undo_until) > now
}
