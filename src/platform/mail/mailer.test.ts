import { createServer } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openMailer } from './mailer.ts'

const mail = { to: 'ada@example.org', subject: 'Hello', text: '', html: '', kind: 'test' }

it('leaves a mail server that does not answer alone for half a minute, not for as long as the clock was ahead', async () => {
  let connections = 0
  const dead = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void dead.close())
  await new Promise((resolve) => dead.once('listening', resolve))
  const address = dead.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  let now = Date.now()
  const url = `smtp://127.0.0.1:${address.port}`
  const mailer = openMailer({ url, from: 'mail@daymark.example' }, pino({ enabled: false }), () => now)
  onTestFinished(() => mailer.close(0))
  for (let tries = 0; tries < 3; tries += 1) expect(await mailer.try(mail)).toBe('unreachable')
  expect(connections).toBe(1)
  now -= 48 * 60 * 60_000
  expect(await mailer.try(mail)).toBe('unreachable')
  expect(connections).toBe(2)
})
