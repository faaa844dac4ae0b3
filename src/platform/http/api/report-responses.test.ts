import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { waitUntil } from '#testing/wait.ts'
import { inJson } from '../request/error-response.ts'
import { listen } from '../request/listen.ts'
import { type ResponseReport, reportResponses } from './report-responses.ts'

/** More than the buffers of a connection hold. */
const large = 'x'.repeat(32 * 2 ** 20)

async function serve() {
  const reported: ResponseReport[] = []
  const asked = Promise.withResolvers<void>()
  const respond = reportResponses(
    (report) => reported.push(report),
    async ({ path, request: { outgoing } }) => {
      if (path === '/large') return { status: 200, headers: {}, body: large }
      if (path === '/late') {
        asked.resolve()
        if (outgoing) await once(outgoing, 'close')
      }
      return inJson({ status: 200, body: {} })
    },
  )
  const listening = await listen({ respond }, '127.0.0.1', 0, pino({ level: 'silent' }))
  onTestFinished(() => listening.close(0))

  async function ask(path: string) {
    const socket = connect(listening.port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
    })
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    return socket
  }
  return { reported, ask, asked: asked.promise }
}

test('a request is told once it is answered, health too', async () => {
  const { reported, ask } = await serve()
  const socket = await ask('/api/health')
  socket.resume()
  await waitUntil(() => reported.length > 0)
  expect(reported).toEqual([
    { requestId: expect.any(String), method: 'GET', route: 'none', status: 200, ms: expect.any(Number) },
  ])
})

test('its time is that until the last byte has left, however slowly somebody takes it', async () => {
  const { reported, ask } = await serve()
  const socket = await ask('/large')
  await once(socket, 'readable')
  await pause(60)
  expect(reported).toEqual([])
  socket.resume()
  await waitUntil(() => reported.length > 0)
  expect(reported).toEqual([expect.not.objectContaining({ cut: true })])
  expect(reported[0]?.ms).toBeGreaterThan(50)
})

test('it is told that somebody left in the middle of the response', async () => {
  const { reported, ask } = await serve()
  const socket = await ask('/large')
  await once(socket, 'readable')
  socket.destroy()
  await waitUntil(() => reported.length > 0)
  expect(reported).toMatchObject([{ status: 200, cut: true }])
})

test('it is told that somebody left before there was a response', async () => {
  const { reported, ask, asked } = await serve()
  const socket = await ask('/late')
  await asked
  socket.destroy()
  await waitUntil(() => reported.length > 0)
  expect(reported).toMatchObject([{ cut: true }])
})
