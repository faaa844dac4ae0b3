/** The result of a download, or why it failed. */
export type Outcome = { message: string } | { problem: string }
