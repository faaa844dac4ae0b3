import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask } from './answer.ts'

const never = new AbortController().signal
const read = { method: 'GET', path: '/api/notes' } as const
const askedAt = Date.now()
const json = (body: object, status = 200) => Response.json(body, { status })
const early = (answer: Promise<Response>) => ({ account: 'ann', path: read.path, askedAt, answer })
const asked = vi.fn(async () => json({ notes: ['now'] }))

beforeEach(() => {
  vi.stubGlobal('fetch', asked)
  globalThis.earlyList = early(Promise.resolve(json({ notes: ['early'] })))
})
afterEach(() => {
  vi.unstubAllGlobals()
  asked.mockClear()
  globalThis.earlyList = undefined
})

describe('a list that was asked for before the app was there', () => {
  it('is the answer to the first question for it, which says since when that stands', async () => {
    expect(await ask(read, 'ann', never)).toEqual({ kind: 'done', body: { notes: ['early'] }, askedAt })
    expect(asked).not.toHaveBeenCalled()
  })

  it('is the answer to no other question', async () => {
    expect(await ask({ method: 'GET', path: '/api/other' }, 'ann', never)).toMatchObject({
      body: { notes: ['now'] },
    })
    await ask(read, 'ann', never)
    expect(await ask(read, 'ann', never)).toMatchObject({ body: { notes: ['now'] } })
  })

  it('is not shown to anybody else', async () => {
    expect(await ask(read, 'ben', never)).toMatchObject({ body: { notes: ['now'] } })
    expect(await ask(read, 'ann', never)).toMatchObject({ body: { notes: ['now'] } })
  })

  it('is not shown after a change, which it has not seen', async () => {
    await ask({ method: 'POST', path: read.path, body: {} }, 'ann', never)
    expect(await ask(read, 'ann', never)).toMatchObject({ body: { notes: ['now'] } })
  })

  it.each([
    ['that broke off', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['that was refused', async () => json({ code: 'NO', message: 'No.' }, 401)],
    ['that is the page of a captive portal', async () => new Response('<h1>Welcome</h1>')],
  ])('is asked for anew after one %s', async (_what, answer) => {
    globalThis.earlyList = early(answer())
    expect(await ask(read, 'ann', never)).toEqual({ kind: 'done', body: { notes: ['now'] } })
  })

  it('is asked for anew after a minute, which an app takes that was frozen on its way', async () => {
    const answer = Promise.resolve(json({ notes: ['early'] }))
    globalThis.earlyList = { ...early(answer), askedAt: askedAt - 61_000 }
    expect(await ask(read, 'ann', never)).toMatchObject({ body: { notes: ['now'] } })
  })

  it('is not begun any more once the app has asked by itself', async () => {
    globalThis.earlyList = undefined
    await ask(read, 'ann', never)
    expect(globalThis.earlyList).toBeNull()
  })
})
