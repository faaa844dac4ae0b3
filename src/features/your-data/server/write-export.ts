import type { ExportedAccount } from '../exported-account.ts'

/** What stands before the lists, which are too long to be held at once. */
export type Head = Omit<ExportedAccount, Lists>

type Lists = 'todos' | 'habits' | 'focus_sessions'

/** Rows a few at a time, as they are read. */
export type ListsToRead = { [List in Lists]: AsyncIterable<ExportedAccount[List]> }

/** The JSON of an account, a few rows at a time and each row on a line of its own. */
export async function* writeExport(head: Head, lists: ListsToRead): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  yield* writeList('todos', lists.todos)
  yield* writeList('habits', lists.habits)
  yield* writeList('focus_sessions', lists.focus_sessions)
  yield '\n}\n'
}

async function* writeList(name: Lists, read: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = `,\n"${name}": [\n`
  for await (const rows of read) {
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield before === ',\n' ? '\n]' : `${before}]`
}
