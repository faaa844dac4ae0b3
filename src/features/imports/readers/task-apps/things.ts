import type { Reader } from '#features/imports/reading/reading.ts'

// The database of Things 3, Things Database.thingsdatabase/main.sqlite. Reading it takes SQL. The server would have to receive
// the whole file, and Daymark's content security policy forbids WebAssembly. Things has no export. The message says what can be
// copied out of the app.

export const things: Reader = {
  source: 'things',
  name: 'Things',
  recognises: (file) => file.kind === 'database' && file.tables.includes('TMTask'),
  read: () => ({ problem }),
}

const problem =
  "This is the database of Things, which Daymark can't read. In Things on a Mac, select the to-dos of a list, copy them, and paste them into a spreadsheet below a cell that says Title. Save that as CSV, and import it."
