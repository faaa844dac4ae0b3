import * as z from 'zod/mini'
import { plainRowsInFiles } from '#platform/wire/file-rows.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { listRow } from './list-row.ts'

/** A list as export files contain it. */
const exportedListSchema = z.object(fileShape(listRow))
export type ExportedList = z.infer<typeof exportedListSchema>

export const listsInFiles = plainRowsInFiles('lists', {
  row: exportedListSchema,
  fields: listRow,
  mayBeMissing: true,
  one: 'list',
  line: ({ name }) => ({ what: 'list', title: name }),
})
