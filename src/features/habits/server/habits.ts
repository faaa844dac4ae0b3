import { amountRows } from './amount-rows.ts'
import { exportHabits, habitImporter } from './exported-habit-store.ts'
import { habitEndpoints } from './habit-routes.ts'
import { habitRows } from './habit-rows.ts'

/** What the habit feature contributes to the app. */
export const habits = {
  rows: habitRows,
  rowsBeside: [amountRows],
  endpoints: habitEndpoints,
  exported: exportHabits,
  importer: habitImporter,
}
