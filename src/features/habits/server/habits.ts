import { exportHabits } from '../account-file/server/export-habit-store.ts'
import { habitImporter } from '../account-file/server/import-habit-store.ts'
import { amountRows } from '../amounts/server/amount-rows.ts'
import { habitRows } from '../habit/server/habit-rows.ts'
import { habitEndpoints } from './habit-routes.ts'

/** What the habit feature contributes to the app. */
export const habits = {
  rows: habitRows,
  rowsBeside: [amountRows],
  endpoints: habitEndpoints,
  exported: exportHabits,
  importer: habitImporter,
}
