import * as z from 'zod/mini'
import { type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { listRow } from './list-row.ts'

/** A list as it is exported and imported. */
const exportedListSchema = z.object(fileShape(listRow))
export type ExportedList = z.infer<typeof exportedListSchema>

export const listsInFiles = {
  row: exportedListSchema,
  fields: listRow,
  mayBeMissing: true,
  importLists: {
    lists: {
      row: exportedListSchema,
      one: 'list',
      days: () => [],
      response: importCountsSchema,
      asksFor: 'ids',
    },
  },
  split: (list: ExportedList) => [['lists', list]] as const,
  lines: ({ id, name }: ExportedList) => [{ what: 'list', title: name, id }],
} satisfies FileRows
