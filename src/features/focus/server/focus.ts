import { exportFocusSessions, focusImporter } from './exported-focus-store.ts'
import { focusEndpoints } from './focus-routes.ts'
import { focusRows } from './focus-rows.ts'
import { focusSubjectEndpoints } from './focus-subject-routes.ts'

/** What the focus feature contributes to the app. */
export const focus = {
  rows: focusRows,
  endpoints: (parts: Parameters<typeof focusEndpoints>[0] & Parameters<typeof focusSubjectEndpoints>[0]) => [
    ...focusEndpoints(parts),
    ...focusSubjectEndpoints(parts),
  ],
  exported: exportFocusSessions,
  importer: focusImporter,
}
