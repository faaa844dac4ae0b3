import { exportLists, listImporter } from './exported-list-store.ts'
import { listEndpoints } from './list-routes.ts'
import { listRows } from './list-rows.ts'

/** What the lists contribute to the app. */
export const lists = {
  rows: listRows,
  endpoints: listEndpoints,
  exported: exportLists,
  importer: listImporter,
}
