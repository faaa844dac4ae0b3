/** The result of a download or an import, or why it failed. */
export type Outcome = { message: string } | { problem: string }
