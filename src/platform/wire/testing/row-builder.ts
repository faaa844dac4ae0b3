import { type AllOf, assembled, type Fields, type FileOf, type WireOf } from '../synced-row.ts'

/**
 * Builds rows for tests. Fields that a test does not set come from `usual`, or else have the value they get in a new row. So
 * adding a field changes only the tests about it.
 */
export function rowBuilder<F extends Fields>(fields: F, usual: Partial<AllOf<F>>) {
  const build = (changes: object, withFileFields: boolean): Record<string, unknown> => {
    const values: Record<string, unknown> = { ...usual, ...changes }
    const names = Object.entries(fields).flatMap(([name, { visibility, initial, whenMissing }]) => {
      if (visibility !== undefined && !(withFileFields && visibility === 'file-only')) return []
      return [[name, values[name] ?? initial ?? whenMissing ?? null] as const]
    })
    return Object.fromEntries(names)
  }
  return {
    /** A row as the server sends it. */
    wire: (changes: Partial<WireOf<F>> = {}): WireOf<F> => assembled(build(changes, false)),
    /** A row as it is in a file. */
    file: (changes: Partial<FileOf<F>> = {}): FileOf<F> => assembled(build(changes, true)),
  }
}
