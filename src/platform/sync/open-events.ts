import { type LiveEvent, liveEventSchema } from '#platform/wire/live-event.ts'
import { understand } from './answer.ts'

/** What came of asking for the events of an account. */
export type Opened =
  | { kind: 'open'; heard: AsyncIterable<Heard> }
  | { kind: 'signed-out' }
  /** Nothing of ours came back: try again, but not before `retryAfter` milliseconds where the server asked for it. */
  | { kind: 'none'; retryAfter: number | undefined }

/** An event with the revision that it came with, or only a sign of life. */
export type Heard = { revision: string; said: LiveEvent } | 'beat'

export type OpenEvents = (account: string, seen: string | undefined, signal: AbortSignal) => Promise<Opened>

/**
 * Asks our server for what it says from now on, after the revision `seen`. Not by an EventSource, which neither says whose
 * events are meant nor why there are none. Rejects only, as what is heard does, when `signal` is aborted or it breaks off.
 */
export const openEvents: OpenEvents = async (account, seen, signal) => {
  let response: Response
  try {
    response = await fetch('/api/events', {
      headers: {
        accept: 'text/event-stream',
        'x-daymark-user': account,
        ...(seen === undefined ? {} : { 'last-event-id': seen }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal,
    })
  } catch {
    return { kind: 'none', retryAfter: undefined }
  }
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && response.body && /^text\/event-stream\b/i.test(type)) {
    return { kind: 'open', heard: heardIn(response.body) }
  }
  const answer = await understand(response, undefined)
  if (answer.kind === 'signed-out') return answer
  return { kind: 'none', retryAfter: answer.kind === 'none' ? answer.retryAfter : undefined }
}

/** An event ends with an empty line; a line that begins with a colon is a sign of life. */
async function* heardIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Heard, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield eventIn(block) ?? 'beat'
    }
  } finally {
    // Whoever stops listening gives the connection back.
    reader.cancel().catch(() => {})
  }
}

/** Undefined for what is none of ours. */
function eventIn(block: string): Heard | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name, value.join(':').replace(/^ /, '')]
    }),
  )
  const revision = fields.get('id')
  if (revision === undefined) return undefined
  try {
    const data: object = JSON.parse(fields.get('data') ?? '{}')
    return { revision, said: liveEventSchema.parse({ ...data, event: fields.get('event') }) }
  } catch {
    return undefined
  }
}
