import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reasonOf, sendPatiently } from './send-patiently.ts'

let responses: (Response | 'lost')[]
const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code: 'NO', message }, { status, headers })

async function send(signal = new AbortController().signal) {
  const sending = sendPatiently({ path: '/api/import', json: '{}' }, 'ann', signal)
  await vi.runAllTimersAsync()
  return sending
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async () => {
    const response = responses.shift()
    if (!response || response === 'lost') throw new TypeError('Failed to fetch')
    return response
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a request that somebody waits for', () => {
  test('is sent again when its response is lost, and not when it is refused', async () => {
    responses = ['lost', 'lost', Response.json({ done: true })]
    expect(await send()).toMatchObject({ kind: 'done', body: { done: true } })
    responses = [refused(422, 'A bad row.'), Response.json({})]
    expect(reasonOf(await send())).toBe('A bad row.')
    expect(responses).toHaveLength(1)
  })

  test('goes on as often as the server asks it to wait, and waits as long as asked', async () => {
    const busy = () => refused(429, 'Too many requests.', { 'retry-after': '7' })
    responses = [...Array.from({ length: 20 }, busy), Response.json({})]
    const begun = Date.now()
    expect(await send()).toMatchObject({ kind: 'done' })
    expect(Date.now() - begun).toBe(140_000)
  })

  test('gives up after ten minutes, and does not call a server unreachable that asks it to wait', async () => {
    responses = Array.from({ length: 100 }, () => refused(429, 'Too many.', { 'retry-after': '60' }))
    expect(reasonOf(await send())).toBe('The server is busy. Try again later.')
    expect(responses).toHaveLength(89)
  })

  test('says why it got no response: nothing answered, or the server failed, perhaps behind a page of a proxy', async () => {
    responses = []
    expect(reasonOf(await send())).toBe("The server isn't responding. Try again in a moment.")
    const page = () => new Response('<h1>Error</h1>', { status: 500 })
    responses = [page(), page(), page(), page()]
    expect(reasonOf(await send())).toBe('Something went wrong on the server. Your connection is fine.')
    vi.stubGlobal('navigator', { onLine: false })
    responses = []
    expect(reasonOf(await send())).toBe("You're offline. Try again when you're back online.")
  })

  test('ends, and does not fail, when it is cancelled while it waits', async () => {
    responses = [refused(429, 'Too many requests.', { 'retry-after': '7' }), Response.json({})]
    const stopping = new AbortController()
    const sending = sendPatiently({ path: '/api/import', json: '{}' }, 'ann', stopping.signal)
    await vi.advanceTimersByTimeAsync(1_000)
    stopping.abort()
    expect(await sending).toMatchObject({ kind: 'none', retryAfter: 7_000 })
    expect(responses).toHaveLength(1)
  })

  test('is not sent again once nobody wants it', async () => {
    const stopping = new AbortController()
    stopping.abort()
    responses = ['lost', Response.json({})]
    expect(await send(stopping.signal)).toMatchObject({ kind: 'none' })
    expect(responses).toHaveLength(1)
  })
})
