import { type EditedOf, editedNames, type Fields } from '#platform/wire/synced-row.ts'
import type { RowChanges } from './undoing.ts'

/**
 * The parts of a row that Undo handles separately. Each field is a part, but fields that share a `changedAt` form one part, named
 * after the first of them.
 */
export function editedParts<F extends Fields>(fields: F) {
  const names = editedNames(fields)
  const parts = Object.groupBy(names, (name) => {
    const at = fields[name]?.changedAt
    return String(names.find((other) => fields[other]?.changedAt === at))
  })
  const fieldsOf = (part: string) => parts[part] ?? []
  const valuesOf = (row: EditedOf<F>, some: readonly (keyof EditedOf<F>)[]): Partial<EditedOf<F>> => {
    const values: Partial<EditedOf<F>> = {}
    for (const name of some) values[name] = row[name]
    return values
  }
  return {
    of: (row: EditedOf<F>): [part: string, value: unknown][] =>
      Object.keys(parts).map((part) => {
        const [name, ...others] = fieldsOf(part)
        return [part, name && others.length === 0 ? row[name] : valuesOf(row, fieldsOf(part))]
      }),
    /** The fields of some parts, with their values in a row. Parts without edited fields add nothing. */
    changes: (row: EditedOf<F>, some: readonly string[]) => valuesOf(row, some.flatMap(fieldsOf)),
    /**
     * What a change of one part is called, such as 'Priority changed'. `otherwise`: the title for several parts, or for one
     * without a label.
     */
    title(changed: RowChanges<unknown>['changed'], otherwise: string): string {
      const [part, ...others] = new Set(changed.flatMap((row) => row.parts))
      const label = part !== undefined && others.length === 0 ? fields[part]?.label : undefined
      return label === undefined ? otherwise : `${label} changed`
    },
  }
}
