import { setImmediate } from 'node:timers/promises'
import type { HttpContext } from './context.ts'
import type { Written } from './endpoint.ts'

/**
 * Sends JSON as it is written, no faster than it is taken. Where writing fails the connection is cut, which is all that
 * can tell the client that the answer is not whole; `brokeOff` hears why.
 */
export function sendWritten(
  c: HttpContext,
  { written, headers = {} }: { written: AsyncIterable<string | Uint8Array>; headers?: Written['headers'] },
  brokeOff: (error: unknown) => void,
): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  c.header('Content-Type', 'application/json')
  const bytes = bytesOf(written, brokeOff)
  const stream = new ReadableStream<Uint8Array>(
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
    // Nothing is written before somebody reads: whoever asks for the headers alone costs nothing.
    { highWaterMark: 0 },
  )
  return c.body(stream, 200)
}

/** `{…,"name":[…]}` of rows that are read a few at a time, as `JSON.stringify` would write it; `beside` is held whole. */
export async function* writeList(
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

async function* bytesOf(
  written: AsyncIterable<string | Uint8Array>,
  brokeOff: (error: unknown) => void,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder()
  try {
    for await (const piece of written) {
      yield typeof piece === 'string' ? encoder.encode(piece) : piece
      // A reading of SQLite never waits: without this the whole answer would be one turn of the event loop.
      await setImmediate()
    }
  } catch (error) {
    brokeOff(error)
    // What is thrown from here is printed by the server's library: nothing of the inside may be in it.
    throw new Error('The answer broke off')
  }
  return undefined
}
