import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Heard, openEvents } from './open-events.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const never = new AbortController().signal

function answerWith(body: BodyInit | null, init: ResponseInit = {}) {
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

async function hear(pieces: readonly string[]): Promise<Heard[]> {
  answerWith(inPieces(pieces), events)
  const opened = await openEvents('ann', undefined, never)
  if (opened.kind !== 'open') throw new Error(opened.kind)
  return Array.fromAsync(opened.heard)
}

const said =
  'retry: 2000\n\nid: r1\nevent: current\ndata: {}\n\n:\n\nid: r2\nevent: changed\ndata: {"lists":["todos"]}\n\n'
const understood = [
  'beat',
  { revision: 'r1', said: { event: 'current' } },
  'beat',
  { revision: 'r2', said: { event: 'changed', lists: ['todos'] } },
]

describe('what the server says', () => {
  test('is understood however it is broken up on the way', async () => {
    expect(await hear([said])).toEqual(understood)
    expect(await hear([...said])).toEqual(understood)
  })

  test('in words of another build is no more than a sign of life, and half an event is nothing', async () => {
    expect(
      await hear(['id: r\nevent: danced\ndata: {}\n\n', 'id: r\nevent: changed\ndata: {"lists":7}\n\n']),
    ).toEqual(['beat', 'beat'])
    expect(await hear(['id: r\nevent: changed\ndata: {'])).toEqual([])
  })
})

test('is asked for as the account, from the revision on that was seen last', async () => {
  const fetched = answerWith(inPieces([]), events)
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
  ['a 404 of a proxy', 'no', { status: 404 }, { kind: 'none' }],
  ['JSON of another program', '{}', { headers: { 'content-type': 'application/json' } }, { kind: 'none' }],
  [
    'our own 401',
    '{"code":"NOT_SIGNED_IN","message":"Sign in."}',
    { status: 401, headers: { 'content-type': 'application/json' } },
    { kind: 'signed-out' },
  ],
  [
    'to come back later',
    '{"code":"TOO_MANY_REQUESTS","message":"Later."}',
    { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '30' } },
    { kind: 'none', retryAfter: 30_000 },
  ],
])('%s is no stream', async (_, body, init, expected) => {
  answerWith(body, init)
  expect(await openEvents('ann', undefined, never)).toMatchObject(expected)
})
