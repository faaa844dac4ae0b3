import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { removeDevice } from './reminder-calls.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function problemAfter(answer: Response | 'lost', { onLine = true } = {}) {
  vi.stubGlobal('navigator', { onLine })
  vi.stubGlobal('fetch', async () => {
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    return answer
  })
  const result = await removeDevice('ada', 'phone')
  return 'problem' in result ? result.problem : undefined
}

describe('whoever could not change their reminders reads', () => {
  test('the words of the server, if it refused', async () => {
    const refused = Response.json({ code: 'PUSH_UNAVAILABLE', message: 'No pushes here.' }, { status: 422 })
    expect(await problemAfter(refused)).toBe('No pushes here.')
  })

  test('that the server failed, also if a proxy put a page in place of its error', async () => {
    expect(await problemAfter(new Response('<h1>Oops</h1>', { status: 500 }))).toBe(
      'Something went wrong on the server. Your connection is fine.',
    )
  })

  test('that nothing responds, or that they are offline', async () => {
    expect(await problemAfter('lost')).toBe("The server isn't responding. Try again in a moment.")
    expect(await problemAfter('lost', { onLine: false })).toBe(
      "You're offline. Try again when you're back online.",
    )
  })
})
