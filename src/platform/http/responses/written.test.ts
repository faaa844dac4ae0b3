import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod/mini'
import { apiPipeline } from '../api/pipeline.ts'
import { endpointWithContext } from '../endpoint/endpoint.ts'
import { HttpContext, type HttpRequest } from '../request/context.ts'
import { listen } from '../request/listen.ts'

/** A server with one call, whose response is what is written. */
async function serve(written: () => AsyncIterable<string>) {
  const brokeOff = vi.fn()
  const call = endpointWithContext({
    method: 'GET',
    path: '/api/long',
    summary: 'Long',
    takes: {},
    responses: { 200: z.array(z.number()) },
    handle: async () => ({ written: written(), headers: { 'X-Own': 'yes' } }),
  })
  const respond = apiPipeline([call], {
    baseUrl: undefined,
    signedInUser: async () => 'ada',
    secondsToWait: async () => 0,
    brokeOff,
  })
  const handler = { respond: (request: HttpRequest) => respond(new HttpContext(request)) }
  const listening = await listen(handler, '127.0.0.1', 0, pino({ level: 'silent' }))
  onTestFinished(() => listening.close(0))
  return { address: `http://127.0.0.1:${listening.port}/api/long`, brokeOff }
}

it('JSON that is written bit by bit arrives whole, with its headers', async () => {
  const { address } = await serve(async function* () {
    yield '[1'
    for (let number = 2; number <= 1_000; number++) yield `,${number}`
    yield ']'
  })
  const response = await fetch(address)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-own')).toBe('yes')
  expect(await response.json()).toHaveLength(1_000)
})

it('where writing breaks off the client is cut off, and nothing of the reason goes out', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const { address, brokeOff } = await serve(async function* () {
    yield '[1'
    throw new Error('near "secret title"')
  })
  await expect(fetch(address).then((response) => response.text())).rejects.toThrow()
  expect(brokeOff).toHaveBeenCalledOnce()
  expect(JSON.stringify(printed.mock.calls.map(String))).not.toContain('secret')
})

it('nothing is written for somebody who asks for the headers, or goes away', async () => {
  let written = 0
  const { address } = await serve(async function* () {
    for (;;) {
      written += 1
      yield 'x'.repeat(100_000)
    }
  })
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(200)
  expect(written).toBe(0)

  const leaving = new AbortController()
  const response = await fetch(address, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  const settled = async () => {
    const before = written
    await new Promise((resolve) => setTimeout(resolve, 100))
    return written === before
  }
  await expect.poll(settled).toBe(true)
})
