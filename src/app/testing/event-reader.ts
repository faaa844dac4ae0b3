import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Application } from './application.ts'

export interface ReceivedEvent {
  id: string
  event: string
  lists?: string[]
  carried?: unknown[]
}

interface EventOptions {
  cookie: string
  lastEventId?: string
  /** Simulates a slow device, which reads only when the test asks for an event. */
  slow?: boolean
  /** Called when the server cuts the connection. */
  onCut?: () => void
}

/** Opens an event stream as a device does, and reads it. */
export async function openEvents(
  daymark: Application,
  { cookie, lastEventId, slow, onCut = () => {} }: EventOptions,
) {
  const headers = { cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
  const caller = { address: '192.0.2.1', cut: onCut }
  const response = await daymark.app.request('/api/events', { headers }, caller)
  if (!response.body || response.status !== 200) throw new Error(`No stream: ${response.status}`)
  const reader = response.body.getReader()
  onTestFinished(() => reader.cancel())
  const taken: Promise<Awaited<ReturnType<typeof reader.read>>>[] = []
  /** Keeps reading like a device, whether or not the test asks for an event. */
  const keepTaking = async () => {
    for (;;) {
      const reading = reader.read()
      taken.push(reading)
      if ((await reading).done) return
    }
  }
  if (!slow) void keepTaking()
  let text = ''
  const decoder = new TextDecoder()

  const nextTaken = () => taken.shift() ?? Promise.resolve({ done: true, value: undefined } as const)

  /** Reads the next block of lines; undefined at the end of the stream. */
  async function nextBlock(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        return block
      }
      const { done, value } = await (slow ? reader.read() : nextTaken())
      // Let the device read again before the test continues: otherwise it would miss a heartbeat, and the next one is 25 s away.
      if (!slow) await setImmediate()
      if (done) return undefined
      text += decoder.decode(value, { stream: true })
    }
  }

  return {
    headers: response.headers,
    close: () => reader.cancel(),
    async next(): Promise<ReceivedEvent | undefined> {
      for (;;) {
        const block = await nextBlock()
        if (block === undefined) return undefined
        const fields = new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        const event = fields.get('event')
        if (event === undefined) continue
        return { id: fields.get('id') ?? '', event, ...JSON.parse(fields.get('data') ?? '{}') }
      }
    },
    /** Waits for the next heartbeat. */
    async beat(): Promise<void> {
      for (;;) {
        const block = await nextBlock()
        if (block === undefined) throw new Error('The stream ended')
        if (block === ':') return
        if (!block.startsWith('retry:')) throw new Error(`Not silent: ${block}`)
      }
    },
  }
}
