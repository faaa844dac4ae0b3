import type { ImportList } from '#platform/wire/file-rows.ts'
import { type ExportedAccount, fileRows, type Imported, importLists } from '../exported-account.ts'
import { splitRows } from '../pieces.ts'

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

/** What came in, rows that had been deleted here included. */
export function newOf(imported: Imported): Amounts {
  const taken: [string, { added: number; restored?: number }][] = Object.entries(imported)
  return Object.fromEntries(taken.map(([list, { added, restored = 0 }]) => [list, added + restored]))
}

export function sumOf(one: Amounts, other: Amounts): Amounts {
  const lists = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...lists].map((list) => [list, (one[list] ?? 0) + (other[list] ?? 0)]))
}

export const nothing: Amounts = {}

/** '1,204 tasks, 12 habits with 4,380 completions and 3 notes, 310 focus sessions'; undefined where there is nothing. */
export function formatCounts(amounts: Amounts): string | undefined {
  const kinds = Object.values(fileRows).map((kind) => {
    const [first = '', ...others] = Object.entries<ImportList>(kind.importLists).flatMap(([list, { one }]) =>
      amounts[list] ? [count(amounts[list], one)] : [],
    )
    return others.length === 0 ? first : `${first} with ${others.join(' and ')}`
  })
  const there = kinds.filter((text) => text !== '')
  return there.length > 0 ? there.join(', ') : undefined
}

/**
 * The result of an import, for someone who waited for it. If a piece was sent again, rows missing in `added` may have
 * been added by this import as well.
 */
export function formatImport(
  inFile: Amounts,
  { added, sentAgain }: { added: Amounts; sentAgain: boolean },
): string {
  const text = formatCounts(added)
  if (text === undefined)
    return `Everything in this file ${sentAgain ? 'is now in your account' : 'was already in your account'}.`
  const all = Object.entries(inFile).every(([list, amount]) => (added[list] ?? 0) === amount)
  if (all) return `Imported: ${text}.`
  return `Imported: ${text}. The rest ${sentAgain ? 'is in your account too' : "was already in your account and hasn't changed"}.`
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
