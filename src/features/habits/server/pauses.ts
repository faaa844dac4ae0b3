import { exportPauses, pauseImporter } from './exported-pause-store.ts'
import { pauseEndpoints } from './pause-routes.ts'
import { pauseRows } from './pause-rows.ts'

/** What the pauses of habits contribute to the app. */
export const pauses = {
  rows: pauseRows,
  endpoints: pauseEndpoints,
  exported: exportPauses,
  importer: () => pauseImporter,
}
