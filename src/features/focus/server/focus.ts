import { exportFocusSessions, focusImporter } from './exported-focus-store.ts'
import { focusEndpoints } from './focus-routes.ts'
import { focusRows } from './focus-rows.ts'

/** What the focus feature contributes to the app. */
export const focus = {
  rows: focusRows,
  endpoints: focusEndpoints,
  exported: exportFocusSessions,
  importer: () => focusImporter,
}
