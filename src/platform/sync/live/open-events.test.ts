import { afterEach, describe, expect, test, vi } from 'vitest'
import { openEvents, type ReceivedEvent } from './open-events.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const never = new AbortController().signal

function respondWith(body: BodyInit | null, init: ResponseInit = {}) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, init))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

function inPieces(pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}

const events = { headers: { 'content-type': 'text/event-stream' } }

async function receive(pieces: readonly string[]): Promise<ReceivedEvent[]> {
  respondWith(inPieces(pieces), events)
  const opened = await openEvents('ann', undefined, never)
  if (opened.kind !== 'open') throw new Error(opened.kind)
  return Array.fromAsync(opened.events)
}

const sent =
  'retry: 2000\n\nid: r1\nevent: current\ndata: {}\n\n:\n\nid: r2\nevent: changed\ndata: {"lists":["todos"]}\n\n'
const received = [
  'heartbeat',
  { revision: 'r1', event: { event: 'current' } },
  'heartbeat',
  { revision: 'r2', event: { event: 'changed', lists: ['todos'] } },
]

describe('the stream of events', () => {
  test('is understood however it is split on the way', async () => {
    expect(await receive([sent])).toEqual(received)
    expect(await receive([...sent])).toEqual(received)
  })

  test('counts an unknown event as a mere heartbeat, and half an event as nothing', async () => {
    expect(
      await receive(['id: r\nevent: danced\ndata: {}\n\n', 'id: r\nevent: changed\ndata: {"lists":7}\n\n']),
    ).toEqual(['heartbeat', 'heartbeat'])
    expect(await receive(['id: r\nevent: changed\ndata: {'])).toEqual([])
  })
})

test('the stream is requested as the account, from the last seen revision on', async () => {
  const fetched = respondWith(inPieces([]), events)
  await openEvents('ann', 'r7', never)
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ 'x-daymark-user': 'ann', 'last-event-id': 'r7' })
})

test.each<[string, BodyInit | null, ResponseInit, object]>([
  [
    'the page of a captive portal',
    '<h1>Welcome</h1>',
    { headers: { 'content-type': 'text/html' } },
    { kind: 'none' },
  ],
  ["a proxy's 404", 'no', { status: 404 }, { kind: 'none' }],
  ["another program's JSON", '{}', { headers: { 'content-type': 'application/json' } }, { kind: 'none' }],
  [
    'our own 401',
    '{"code":"NOT_SIGNED_IN","message":"Sign in."}',
    { status: 401, headers: { 'content-type': 'application/json' } },
    { kind: 'signed-out' },
  ],
  [
    'a request to come back later',
    '{"code":"TOO_MANY_REQUESTS","message":"Later."}',
    { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '30' } },
    { kind: 'none', retryAfter: 30_000 },
  ],
])('%s is not taken for a stream', async (_, body, init, expected) => {
  respondWith(body, init)
  expect(await openEvents('ann', undefined, never)).toMatchObject(expected)
})
