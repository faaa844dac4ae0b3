import { exportFocusSessions, focusImporter } from '../sessions/server/exported-focus-store.ts'
import { focusEndpoints } from '../sessions/server/focus-routes.ts'
import { focusRows } from '../sessions/server/focus-rows.ts'
import { focusSubjectEndpoints } from '../subjects/server/focus-subject-routes.ts'

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
