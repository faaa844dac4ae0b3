/** Whether the rows of the screen are those that a search finds, so that a key waits for each that is drawn. */
export const searchInUse = { on: false }
