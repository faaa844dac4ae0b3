import { counted } from '#platform/format/words.ts'
import type { ImportList } from '#platform/wire/file-rows.ts'
import { type ExportedAccount, fileRows, importLists } from './exported-account.ts'
import { splitRows } from './pieces.ts'

/** How many there are of each list; of one that is not named, none. */
export type Amounts = Readonly<Record<string, number>>

const listsByName: Record<string, ImportList> = importLists

export function amountsOf(exported: ExportedAccount): Amounts {
  const amounts: Record<string, number> = {}
  for (const [list, row] of splitRows(exported)) {
    amounts[list] = (amounts[list] ?? 0) + (listsByName[list]?.count?.(row) ?? 1)
  }
  return amounts
}

/** '1,204 tasks, 12 habits with 4,380 completions and 3 notes, 310 focus sessions'; undefined where there is nothing. */
export function formatCounts(amounts: Amounts): string | undefined {
  const kinds = Object.values(fileRows).map((kind) => {
    const [first = '', ...others] = Object.entries<ImportList>(kind.importLists).flatMap(([list, { one }]) =>
      amounts[list] ? [counted(amounts[list], one)] : [],
    )
    return others.length === 0 ? first : `${first} with ${others.join(' and ')}`
  })
  const there = kinds.filter((text) => text !== '')
  return there.length > 0 ? there.join(', ') : undefined
}
