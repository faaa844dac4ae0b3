/** The calls that every kind of row has, for tests that go through all of them. */
export interface RowCalls {
  path: string
  /** The body that adds a row, apart from its id. */
  added: object
  /** The body of `PUT <path>/{id}`, which changes a row. */
  edited: object
}

/**
 * The calls for every kind of row. Each feature with rows exports them from its `testing/calls.ts`, or from one such file
 * per kind.
 */
export const rowCalls: readonly RowCalls[] = Object.values(
  import.meta.glob<RowCalls>('../../features/*/testing/*calls.ts', { eager: true, import: 'calls' }),
)
