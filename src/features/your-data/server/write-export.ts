import type { ExportedAccount, FileList } from '../exported-account.ts'

/** What comes before the lists, which are too long to hold in memory at once. */
export type Head = Omit<ExportedAccount, FileList>

/** The rows of each list, a few at a time, as they are read. */
export type ListsToRead = { [List in FileList]: AsyncIterable<ExportedAccount[List]> }

/** The JSON of an account, a few rows at a time and each row on a line of its own. */
export async function* writeExport(head: Head, lists: ListsToRead): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries<AsyncIterable<readonly object[]>>(lists)) {
    yield* writeList(name, read)
  }
  yield '\n}\n'
}

async function* writeList(name: string, read: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = `,\n"${name}": [\n`
  for await (const rows of read) {
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield before === ',\n' ? '\n]' : `${before}]`
}
