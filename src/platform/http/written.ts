import { setImmediate } from 'node:timers/promises'
import type { HttpContext } from './context.ts'
import type { Written } from './endpoint.ts'

/**
 * Sends JSON as it is written, no faster than it is taken. Where writing fails the connection is cut, which is all that
 * can tell the client that the answer is not whole; `brokeOff` hears why.
 */
export function sendWritten(
  c: HttpContext,
  { written, headers = {} }: Written,
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

async function* bytesOf(
  written: AsyncIterable<string>,
  brokeOff: (error: unknown) => void,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder()
  try {
    for await (const text of written) {
      yield encoder.encode(text)
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
