import { afterEach, describe, expect, it, vi } from 'vitest'
import { decided } from './answer.ts'
import { troubleInWords, troubleOf } from './trouble.ts'

afterEach(() => vi.unstubAllGlobals())

const online = (onLine: boolean) => vi.stubGlobal('navigator', { onLine })

function troubleAfter(status: number, body?: object) {
  const answer = decided(status, body, undefined, undefined)
  if (answer.kind === 'done') throw new Error('That is no trouble')
  return troubleOf(answer)
}

describe('whoever waits for an answer is told', () => {
  it('that they are offline, where the browser knows of no connection', () => {
    online(false)
    expect(troubleOf({ kind: 'none', retryAfter: undefined })).toBe('offline')
  })

  it('that the server does not respond, where nobody answers, or only what stands before it', () => {
    online(true)
    expect(troubleOf({ kind: 'none', retryAfter: undefined })).toBe('silent')
    expect(troubleAfter(502)).toBe('silent')
    expect(troubleAfter(504)).toBe('silent')
    expect(troubleAfter(404)).toBe('silent')
    expect(troubleAfter(200)).toBe('silent')
  })

  it('that the server answered with an error, whatever the connection is said to be', () => {
    online(false)
    const failure = { code: 'INTERNAL_ERROR', message: 'It broke.' }
    expect(troubleAfter(500, failure)).toBe('broken')
    expect(troubleAfter(503, failure)).toBe('broken')
    expect(troubleAfter(400, failure)).toBe('broken')
    expect(troubleAfter(500)).toBe('broken')
  })

  it('to look at the connection only where that may help', () => {
    expect(troubleInWords('broken')).toBe('Something went wrong on the server. Your connection is fine.')
    expect(troubleInWords('silent')).not.toContain('connection')
  })
})
