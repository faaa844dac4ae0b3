import { betweenStretches } from '#platform/database/pacing/work.ts'
import type { RowToWrite } from '#platform/wire/file-rows.ts'
import type { ExportedAccount, FileCollection } from '../exported-account.ts'

/** What comes before the collections, which are too long to hold in memory at once. */
export type Head = Omit<ExportedAccount, FileCollection>

/** The rows of each collection, a few at a time, as they are read. */
export type CollectionsToRead = {
  [Collection in FileCollection]: AsyncIterable<readonly RowToWrite<ExportedAccount[Collection][number]>[]>
}

/** How many characters a chunk of the output has before it is sent. A chunk exceeds this length by at most one batch of rows. */
const longEnough = 64 * 1_024

/** Writes the JSON of an account a few rows at a time, with each row on a line of its own. */
export async function* writeExport(head: Head, collections: CollectionsToRead): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries<AsyncIterable<readonly object[]>>(collections)) {
    yield* writeCollection(name, read)
  }
  yield '\n}\n'
}

async function* writeCollection(
  name: string,
  read: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  const head = `,\n"${name}": [\n`
  let before = head
  for await (const rows of read) {
    let piece = ''
    for (const row of rows) {
      piece += before
      before = ',\n'
      for await (const part of partsOf(row)) {
        piece += part
        if (piece.length < longEnough) continue
        yield piece
        piece = ''
      }
    }
    if (piece !== '') yield piece
  }
  yield before === head ? `${head}]` : '\n]'
}

/**
 * Writes the JSON of a row in parts, because some of its values are read only while it is written. Joined, the parts are what
 * `JSON.stringify` would write for the complete row.
 */
async function* partsOf(row: object): AsyncGenerator<string> {
  const fields: [string, unknown][] = Object.entries(row)
  if (!fields.some(([, value]) => isToRead(value))) {
    yield JSON.stringify(row)
    return
  }
  let before = '{'
  for (const [field, value] of fields) {
    if (value === undefined) continue
    const name = `${before}${JSON.stringify(field)}:`
    before = ','
    if (isToRead(value)) yield* partsOfArray(name, value)
    else yield name + JSON.stringify(value)
  }
  yield '}'
}

async function* partsOfArray(name: string, read: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `${name}[`
  let before = ''
  for await (const some of read) {
    const written = JSON.stringify(some).slice(1, -1)
    if (written !== '') {
      yield before + written
      before = ','
    }
    await betweenStretches()
  }
  yield ']'
}

function isToRead(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
