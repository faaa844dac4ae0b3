import { type Instant, notLater } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { rowImporter } from '#platform/database/rows/row-importer.ts'
import { crudEndpoints } from '#platform/http/row-calls/row-calls.ts'
import { listSchema } from '../list/list.ts'
import { listEditSchema, newListSchema } from '../list/list-requests.ts'
import { listRows } from '../list/server/list-rows.ts'
import {
  keepingPositionsShort,
  keepingUsedLists,
  type ListsWithTodos,
  listStore,
} from '../list/server/list-store.ts'

/** What the lists feature adds to the app. */
export const lists = {
  rows: listRows,
  endpoints: (parts: { database: Database; clock: () => Instant }) =>
    crudEndpoints({
      ...parts,
      path: '/api/lists',
      one: 'list',
      many: 'lists',
      summaries: {
        list: 'Every list, by its position and then its id, with the archived ones',
        add: 'Add a list; the same id again answers 200 and what is stored',
        change: 'Rename, colour, move, sort or archive a list; null takes it out of the archive',
      },
      shown: listSchema,
      added: newListSchema,
      edited: listEditSchema,
      store: listStore,
    }),
  exported: listStore.exported,
  importer: ({ listsWithTodos }: { listsWithTodos: ListsWithTodos }) =>
    rowImporter(listRows, 'lists', {
      past: ({ archived_at }, now) => ({ archived_at: archived_at && notLater(archived_at, now) }),
      hooks: keepingPositionsShort,
      undo: (user) => keepingUsedLists(user, listsWithTodos),
    }),
}
