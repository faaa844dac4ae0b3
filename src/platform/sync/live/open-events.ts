import { type LiveEvent, liveEventSchema } from '#platform/wire/live-event.ts'
import { readResponse } from '../network/request.ts'

/** The result of opening an account's event stream. */
export type OpenResult =
  | { kind: 'open'; events: AsyncIterable<ReceivedEvent> }
  | { kind: 'signed-out' }
  /** Our server did not respond. Try again, but not before `retryAfter` milliseconds if the server asked for that. */
  | { kind: 'none'; retryAfter: number | undefined }

/** An event with its revision, or a heartbeat. */
export type ReceivedEvent = { revision: string; event: LiveEvent } | 'heartbeat'

export type OpenEvents = (
  account: string,
  lastRevision: string | undefined,
  signal: AbortSignal,
) => Promise<OpenResult>

/**
 * Opens the stream of events after `lastRevision`. An EventSource would not do: it can neither name the account nor tell why it
 * failed. Never rejects; `events` throws if `signal` is aborted or the stream breaks off.
 */
export const openEvents: OpenEvents = async (account, lastRevision, signal) => {
  let response: Response
  try {
    response = await fetch('/api/events', {
      headers: {
        accept: 'text/event-stream',
        'x-daymark-user': account,
        ...(lastRevision === undefined ? {} : { 'last-event-id': lastRevision }),
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
    return { kind: 'open', events: readEvents(response.body) }
  }
  const result = await readResponse(response, undefined)
  if (result.kind === 'signed-out') return result
  return { kind: 'none', retryAfter: result.kind === 'none' ? result.retryAfter : undefined }
}

/** Splits the stream into events. An event ends with an empty line; a line that begins with a colon is a heartbeat. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield parseEvent(block) ?? 'heartbeat'
    }
  } finally {
    // A consumer that stops early thereby releases the connection.
    reader.cancel().catch(() => {})
  }
}

/** Parses one event; undefined if this build does not know the event. */
function parseEvent(block: string): ReceivedEvent | undefined {
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
    return { revision, event: liveEventSchema.parse({ ...data, event: fields.get('event') }) }
  } catch {
    return undefined
  }
}
