/** What the calls of every kind of row have in common, for tests that go through every call. */
export interface RowCalls {
  path: string
  /** The body that adds a row, apart from its id. */
  added: object
  /** The body of `PUT <path>/{id}`, which changes a row. */
  edited: object
}

/** For every kind of row: each feature that has one exports it from its `testing/calls.ts`, or from one such file for each. */
export const rowCalls: readonly RowCalls[] = Object.values(
  import.meta.glob<RowCalls>('../../features/*/testing/*calls.ts', { eager: true, import: 'calls' }),
)
