import * as z from 'zod/mini'
import { plainRowsInFiles } from '#platform/wire/file-rows.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { pauseRow } from './pause-row.ts'

/** A pause as it is exported and imported. It may begin in the future. */
const exportedPauseSchema = z.object(fileShape(pauseRow))
export type ExportedPause = z.infer<typeof exportedPauseSchema>

export const pausesInFiles = plainRowsInFiles('pauses', {
  row: exportedPauseSchema,
  fields: pauseRow,
  mayBeMissing: true,
  one: 'pause',
  line: ({ from_day, to_day }) => ({
    what: 'other',
    title: `Pause from ${from_day}${to_day === null ? '' : ` to ${to_day}`}`,
  }),
})
