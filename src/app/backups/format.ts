import { counted } from '#platform/format/words.ts'
import type { About } from './about.ts'

/** A summary such as `3 people, 1,204 to-dos`. */
export function formatRows(rows: About['rows']): string {
  return `${counted(rows.user ?? 0, 'person', 'people')}, ${counted(rows.todos ?? 0, 'to-do', 'to-dos')}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000).toLocaleString('en')} KB`
  return `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
}
