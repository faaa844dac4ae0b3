import * as z from 'zod/mini'
import { type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { pauseRow } from './pause-row.ts'

/** A pause as it is exported and imported. */
const exportedPauseSchema = z.object(fileShape(pauseRow))
export type ExportedPause = z.infer<typeof exportedPauseSchema>

export const pausesInFiles = {
  row: exportedPauseSchema,
  fields: pauseRow,
  mayBeMissing: true,
  importLists: {
    pauses: {
      row: exportedPauseSchema,
      one: 'pause',
      // It may be planned.
      days: () => [],
      response: importCountsSchema,
      asksFor: 'ids',
    },
  },
  split: (pause: ExportedPause) => [['pauses', pause]] as const,
  lines: ({ id, from_day, to_day }: ExportedPause) => [
    { what: 'other', title: `Pause from ${from_day}${to_day === null ? '' : ` to ${to_day}`}`, id },
  ],
} satisfies FileRows
