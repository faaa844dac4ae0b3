import { afterEach, describe, expect, it, vi } from 'vitest'
import { interpretResponse } from './request.ts'
import { formatRequestProblem, requestProblemOf } from './request-problem.ts'

afterEach(() => vi.unstubAllGlobals())

const online = (onLine: boolean) => vi.stubGlobal('navigator', { onLine })

function problemAfter(status: number, body?: object) {
  const response = interpretResponse(status, body, undefined, undefined)
  if (response.kind === 'done') throw new Error('That is not a problem')
  return requestProblemOf(response)
}

describe('someone who waits for a response is told', () => {
  it('that they are offline if the browser has no connection', () => {
    online(false)
    expect(requestProblemOf({ kind: 'none', retryAfter: undefined })).toBe('offline')
  })

  it('that the server does not respond if nothing does, or only something in front of it', () => {
    online(true)
    expect(requestProblemOf({ kind: 'none', retryAfter: undefined })).toBe('silent')
    expect(problemAfter(502)).toBe('silent')
    expect(problemAfter(504)).toBe('silent')
    expect(problemAfter(404)).toBe('silent')
    expect(problemAfter(200)).toBe('silent')
  })

  it('that the server responded with an error, whatever the browser says about the connection', () => {
    online(false)
    const failure = { code: 'INTERNAL_ERROR', message: 'It broke.' }
    expect(problemAfter(500, failure)).toBe('broken')
    expect(problemAfter(503, failure)).toBe('broken')
    expect(problemAfter(400, failure)).toBe('broken')
    expect(problemAfter(500)).toBe('broken')
  })

  it('to check the connection only if that may help', () => {
    expect(formatRequestProblem('broken')).toBe(
      'Something went wrong on the server. Your connection is fine.',
    )
    expect(formatRequestProblem('silent')).not.toContain('connection')
  })
})
