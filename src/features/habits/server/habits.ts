import { amountRows } from './amount-rows.ts'
import { exportHabits, habitImporter } from './exported-habit-store.ts'
import { habitEndpoints } from './habit-routes.ts'
import { habitRows } from './habit-rows.ts'
import { pauseEndpoints } from './pause-routes.ts'
import { pauseRows } from './pause-rows.ts'

/** What the habit feature contributes to the app. */
export const habits = {
  rows: habitRows,
  rowsBeside: [amountRows, pauseRows],
  endpoints: (parts: Parameters<typeof habitEndpoints>[0]) => [
    ...habitEndpoints(parts),
    ...pauseEndpoints(parts),
  ],
  exported: exportHabits,
  importer: habitImporter,
}
