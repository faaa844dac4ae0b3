import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { download } from './download.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function problemAfter(response: Response | 'lost', { onLine = true } = {}) {
  vi.stubGlobal('navigator', { onLine })
  vi.stubGlobal('fetch', async () => {
    if (response === 'lost') throw new TypeError('Failed to fetch')
    return response
  })
  const result = await download('ada')
  return 'problem' in result ? result.problem : undefined
}

const page = (status: number) => new Response('<h1>Oops</h1>', { status })

describe('whoever could not download their data reads', () => {
  test('the words of the server, if it refused', async () => {
    const refused = Response.json({ code: 'BUSY', message: 'Too many downloads.' }, { status: 503 })
    expect(await problemAfter(refused)).toBe('Too many downloads.')
  })

  test('that the server failed, also if a proxy put a page in place of its error', async () => {
    expect(await problemAfter(page(500))).toBe('Something went wrong on the server. Your connection is fine.')
  })

  test('that nothing responds, or that they are offline', async () => {
    const reason = "The server isn't responding. Try again in a moment."
    expect(await problemAfter('lost')).toBe(reason)
    expect(await problemAfter(page(504))).toBe(reason)
    expect(await problemAfter('lost', { onLine: false })).toBe(
      "You're offline. Try again when you're back online.",
    )
  })
})
