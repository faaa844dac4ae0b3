import { setImmediate } from 'node:timers/promises'
import type { PartOfCollection } from '../endpoint/endpoint.ts'

/**
 * Streams `written` as bytes, no faster than the client reads. When writing fails, `onError` gets the error and the
 * connection is cut, which is the only way to tell the client that the response is incomplete.
 */
export function streamOf(
  written: AsyncIterable<string | Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const bytes = bytesOf(written, onError)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await bytes.return(undefined)
      },
    },
    // Nothing is written until somebody reads, so a request for the headers alone costs nothing.
    { highWaterMark: 0 },
  )
}

/** Writes `{…,"name":[…]}` as `JSON.stringify` would, with rows that are read a few at a time; `beside` is held in memory. */
export async function* writeCollection(
  name: string,
  read: AsyncIterable<readonly object[]>,
  beside: object = {},
): AsyncGenerator<string> {
  const head = JSON.stringify({ ...beside, [name]: [] }).slice(0, -2)
  let before = head
  for await (const rows of read) {
    if (rows.length === 0) continue
    yield before + JSON.stringify(rows).slice(1, -1)
    before = ','
  }
  yield before === head ? `${head}]}` : ']}'
}

/**
 * The response to a client that has a collection as of an earlier revision: the rows that have changed, and the ids of those that
 * are not in the collection any more. `ids`: of all rows that may have changed.
 */
export function changedSince<Row extends { id: string }>(
  name: string,
  { since, ids, rows }: { since: string; ids: readonly string[]; rows: readonly Row[] },
  beside: object = {},
): PartOfCollection {
  const present = new Set(rows.map(({ id }) => id))
  const left = ids.filter((id) => !present.has(id))
  return { status: 200, body: { ...beside, since, [name]: rows, left } }
}

async function* bytesOf(
  written: AsyncIterable<string | Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder()
  try {
    for await (const piece of written) {
      yield typeof piece === 'string' ? encoder.encode(piece) : piece
      // A SQLite read never yields by itself. Yield here, or the whole response would occupy the event loop.
      await setImmediate()
    }
  } catch (error) {
    onError(error)
    // The client gets no internal details of the error.
    throw new Error('The answer broke off')
  }
  return undefined
}
