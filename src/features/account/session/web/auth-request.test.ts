import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { post, reasonOf } from './auth-request.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function reasonAfter(response: Response | 'lost', { onLine = true } = {}) {
  vi.stubGlobal('navigator', { onLine })
  vi.stubGlobal('fetch', async () => {
    if (response === 'lost') throw new TypeError('Failed to fetch')
    return response
  })
  const result = await post('/api/auth/update-user', { name: 'Ada' })
  return result.ok ? undefined : reasonOf(result)
}

const page = (status: number) => new Response('<h1>Oops</h1>', { status })

describe('whoever could not change their account reads', () => {
  test('the words of the server, if it refused', async () => {
    const refused = Response.json({ code: 'INVALID_INPUT', message: 'No.' }, { status: 400 })
    expect(await reasonAfter(refused)).toBe('No.')
  })

  test('that the server failed, also if a proxy put a page in place of its error', async () => {
    const reason = 'Something went wrong on the server. Your connection is fine.'
    expect(await reasonAfter(page(500))).toBe(reason)
    expect(await reasonAfter(page(500), { onLine: false })).toBe(reason)
  })

  test('that the server does not respond, if nothing does or only something in front of it', async () => {
    const reason = "The server isn't responding. Try again in a moment."
    expect(await reasonAfter('lost')).toBe(reason)
    expect(await reasonAfter(page(502))).toBe(reason)
  })

  test('that they are offline', async () => {
    expect(await reasonAfter('lost', { onLine: false })).toBe(
      "You're offline. Try again when you're back online.",
    )
  })
})
