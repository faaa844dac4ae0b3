/** What has come of a download or an import, or why nothing has. */
export type Outcome = { told: string } | { problem: string }
