import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { rowImporter } from '#platform/database/rows/row-importer.ts'
import { rowStore } from '#platform/database/rows/row-store.ts'
import { syncedRows } from '#platform/database/rows/synced-rows.ts'
import { crudEndpoints } from '#platform/http/row-calls/row-calls.ts'
import { pauseSchema } from '../pause.ts'
import { newPauseSchema, pauseEditSchema } from '../pause-requests.ts'
import { pauseRow } from '../pause-row.ts'

// A pause does not change the rows of its habits. Their stored sums of old days name the pauses that they were computed with, so
// a sum for other pauses is not used (`habit-summary-store.ts`). A pause of a habit that does not exist is stored without effect,
// and so is a pause that ends before it begins.

/** How pauses are stored, beyond what their fields declare. */
const pauseRows = syncedRows({
  table: 'pauses',
  collection: 'pauses',
  // A pause changes the numbers of its habits.
  changesToo: { habits: ({ habit_id }) => (habit_id === null ? 'any' : [habit_id]) },
  fields: pauseRow,
  limit: { most: 10_000, many: 'pauses of habits', room: 'Delete some first.' },
  otherColumns: () => ({}),
})

export const pauseStore = rowStore(pauseRows)

/** What the pauses of habits contribute to the app. */
export const pauses = {
  rows: pauseRows,
  endpoints: (parts: { database: Database; clock: () => Instant }) =>
    crudEndpoints({
      ...parts,
      path: '/api/pauses',
      one: 'pause',
      many: 'pauses',
      summaries: {
        list: 'Every pause of a habit, or of all of them, in the order in which they were made',
        add: 'Pause a habit, or all of them, for a range of days or until resumed; the same id again answers 200 and what is stored',
        change: 'Change the first or the last day of a pause; null as the last day: until resumed',
      },
      shown: pauseSchema,
      added: newPauseSchema,
      edited: pauseEditSchema,
      store: pauseStore,
    }),
  exported: pauseStore.exported,
  importer: () => rowImporter(pauseRows, 'pauses'),
}
