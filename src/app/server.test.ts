import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { freezingProxy } from '#platform/database/testing/freezing-proxy.ts'
import { startMailServer } from '#testing/mail-server.ts'
import { waitUntil } from '#testing/wait.ts'

const server = join(import.meta.dirname, 'server.ts')
const running = new Set<ChildProcess>()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daymark-server-'))
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  await rm(folder, { recursive: true })
})

function begin(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [server], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'daymark.db')}`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], log, errors]) => ({ code: code ?? signal, log: lines(log), errors }),
  )
  return { child, ended }
}

/** The log, which is JSON and nothing else. */
function lines(log: string): { msg?: string; route?: string; level: number }[] {
  return log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** A server that is ready, and what it said until then. */
async function start(environment?: Record<string, string>) {
  const { child, ended } = begin(environment)
  let said = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk
      const ready = /Daymark is ready at (\S+)\n/.exec(said)?.[1]
      if (ready) resolve(ready)
    })
    child.once('exit', () => reject(new Error(`It did not start: ${said}`)))
  })
  return { child, ended, said, address, port: Number(new URL(address).port) }
}

/** With mail, whose links lead to where it listens. */
async function startMailing(smtpUrl: string) {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  taken.close()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const { port } = address
  return start({ SMTP_URL: smtpUrl, PORT: String(port), BASE_URL: `http://localhost:${port}` })
}

async function talk(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.resume()
}

const account = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }

function post(address: string, path: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function signUp(address: string): Promise<string> {
  const response = await post(address, '/api/auth/sign-up/email', account)
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

describe('the server', () => {
  it('says in one line that it is ready, and where', async () => {
    const { said, address } = await start()
    expect(address).toMatch(/^http:\/\/localhost:\d+$/)
    expect(said).not.toContain('RATE_LIMIT')
    expect((await fetch(`${address}/api/health`)).status).toBe(200)
  })

  it('says that limits are off', async () => {
    const { said } = await start({ RATE_LIMIT: 'off', BASE_URL: 'http://daymark.lan' })
    expect(said).toContain('RATE_LIMIT is off: requests are not limited.\n')
    expect(said).toContain('Daymark is ready at http://daymark.lan\n')
  })

  it('does not start with a wrong value: one line says which and why', async () => {
    const { ended } = begin({ PORT: 'eighty' })
    expect(await ended).toEqual({
      code: 1,
      log: [],
      errors: 'Daymark cannot start: PORT must be a whole number from 0 to 65535, not "eighty"\n',
    })
  })

  it('says of a variable that looks like a misspelt setting, and starts', async () => {
    const { child, ended, said } = await start({ SIGNUP: 'closed', LOG_LEVEL: 'warn' })
    const doubt = 'SIGNUP is set, but Daymark does not know it: did you mean SIGN_UP?'
    expect(said).toContain(`${doubt}\n`)
    child.kill('SIGTERM')
    expect((await ended).log).toMatchObject([{ level: 40, msg: doubt }])
  })

  it('LOG_LEVEL=warn keeps what went well out of the log', async () => {
    const { child, ended, address } = await start({ LOG_LEVEL: 'warn' })
    expect((await fetch(`${address}/api/openapi.json`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, log: [] })
  })

  it('does not start where the database is a folder: one line says so, and what to name instead', async () => {
    const { ended } = begin({ DATABASE_URL: `sqlite:${folder}` })
    const { code, errors } = await ended
    expect(code).toBe(1)
    expect(errors).toMatch(
      `Daymark cannot start: The database ${folder} is a folder; name a file in it, such as sqlite:${folder}/daymark.db`,
    )
    expect(errors).toMatch(/^[^\n]*\n$/)
  })

  it('does not start with a secret that anybody could guess', async () => {
    const { ended } = begin({ AUTH_SECRET: 'a'.repeat(48) })
    expect(await ended).toEqual({
      code: 1,
      log: [],
      errors: 'Daymark cannot start: AUTH_SECRET is too easy to guess: it has only 1 different character\n',
    })
  })

  it('does not start where another program listens: one line says so, and no data was touched', async () => {
    const { port } = await start()
    const { ended } = begin({ PORT: String(port), DATABASE_URL: `sqlite:${join(folder, 'other.db')}` })
    expect(await ended).toEqual({
      code: 1,
      log: [],
      errors: `Daymark cannot start: PORT ${port} on 127.0.0.1 is in use by another program; set PORT to a free one\n`,
    })
    expect(await readdir(folder)).not.toContain('other.db')
  })

  it('does not start without its database: one line says why', async () => {
    const { ended } = begin({
      DATABASE_URL: 'postgres://daymark:hunter2@127.0.0.1:1/daymark',
      AUTH_SECRET: 'a secret of the tests that is long enough',
    })
    const { code, errors } = await ended
    expect(code).toBe(1)
    expect(errors).toMatch(/^Daymark cannot start: [^\n]*PostgreSQL[^\n]*\n$/)
    expect(errors).not.toContain('hunter2')
  })

  it('does not start where its data cannot be kept: one line says which, and what names it', async () => {
    await writeFile(join(folder, 'file'), '')
    const { ended } = begin({ DATABASE_URL: `sqlite:${join(folder, 'file', 'daymark.db')}` })
    const { code, errors } = await ended
    expect(code).toBe(1)
    expect(errors).toMatch(
      /^Daymark cannot start: The database [^\n]*file\/daymark\.db [^\n]*DATABASE_URL[^\n]*\n$/,
    )
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s: what is under way is answered, then it ends in order',
    async (signal) => {
      const { child, ended, address, port } = await start()
      const cookie = await signUp(address)
      const idle = await talk(port)
      const body = JSON.stringify({ title: 'Written while it ended', completed: 0 })
      const asking = await talk(port)
      const answer = text(asking)
      asking.write(
        `POST /api/todos HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n` +
          `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
      )
      // The server says 'Continue' to it: it has begun.
      await once(asking, 'data')
      child.kill(signal)
      // It is told to end when it drops the connection that says nothing.
      await once(idle, 'close')
      await expect(fetch(`${address}/api/health`)).rejects.toThrow()
      asking.write(body)
      expect(await answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
      const { code, log, errors } = await ended
      expect(code).toBe(0)
      expect(errors).toMatch(/ready at \S+\n$/)
      expect(log.map(({ msg }) => msg).filter((msg) => msg)).toEqual(['Started', 'Stopping', 'Stopped'])
    },
  )

  it('does not wait for those who only listen, and ends their stream', async () => {
    const { child, ended, address } = await start()
    const cookie = await signUp(address)
    const stream = await fetch(`${address}/api/events`, { headers: { cookie } })
    const streamText = stream.text()
    await post(address, '/api/todos', { title: 'Heard', completed: 0 }, cookie)
    const stopped = performance.now()
    child.kill('SIGTERM')
    expect(await streamText).toContain('"lists":["todos"]')
    const { code, log } = await ended
    expect(code).toBe(0)
    expect(performance.now() - stopped).toBeLessThan(4_000)
    expect(log.filter(({ route }) => route === '/api/events')).toHaveLength(1)
  })

  it('is given its moment: mail that is under way goes out before it ends', async () => {
    const smtp = await startMailServer()
    onTestFinished(() => smtp.stop())
    const { child, ended, address } = await startMailing(smtp.url)
    const thaw = smtp.freeze()
    await signUp(address)
    await waitUntil(() => smtp.begun() === 1)
    child.kill('SIGTERM')
    await waitUntil(() =>
      fetch(address).then(
        () => false,
        () => true,
      ),
    )
    thaw()
    expect((await ended).code).toBe(0)
    expect((await smtp.mailTo(account.email)).link).toContain(`${address}/finish-sign-up?token=`)
  })

  it('ends in time though the mail server takes nothing', async () => {
    const smtp = await startMailServer()
    onTestFinished(() => smtp.stop())
    const { child, ended, address } = await startMailing(smtp.url)
    onTestFinished(smtp.freeze())
    await signUp(address)
    await waitUntil(() => smtp.begun() === 1)
    child.kill('SIGTERM')
    const { code, log } = await ended
    expect(code).toBe(0)
    expect(log.map(({ msg }) => msg)).toContain('Ended before all mail was sent')
  })

  it('ends when told to, though nobody reads its log any more', async () => {
    const { child, ended, address } = await start()
    ended.catch(() => {})
    const exit = once(child, 'exit')
    child.stdout.destroy()
    const cookie = await signUp(address)
    expect((await fetch(`${address}/api/todos`, { headers: { cookie } })).status).toBe(200)
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('a second Ctrl+C ends it at once, whatever is under way; one that arrives twice is one', async () => {
    const { child, ended, address, port } = await start()
    const cookie = await signUp(address)
    const asking = await talk(port)
    asking.write(
      `POST /api/todos HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n` +
        'Expect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    )
    await once(asking, 'data')
    asking.on('error', () => {})
    await waitUntil(() => !child.kill('SIGINT') || child.exitCode !== null)
    const { code, log } = await ended
    expect(code).toBe(1)
    expect(log.at(-1)).toMatchObject({ msg: 'Stopped at once, told so a second time' })
  })

  it('a second start on the same data works at once, and knows who is signed in', async () => {
    const first = await start()
    const cookie = await signUp(first.address)
    await post(first.address, '/api/todos', { title: 'Still here', completed: 0 }, cookie)
    first.child.kill('SIGTERM')
    expect((await first.ended).code).toBe(0)
    const second = await start()
    const answer = await fetch(`${second.address}/api/todos`, { headers: { cookie } })
    expect(await answer.json()).toMatchObject({ todos: [{ title: 'Still here' }] })
  })
})

describePostgresUrl('a database that stops answering', (emptyUrl) => {
  it('does not keep the server from ending', async () => {
    const proxy = await freezingProxy(await emptyUrl())
    onTestFinished(() => proxy.close())
    const { child, ended, address } = await start({
      DATABASE_URL: proxy.url,
      AUTH_SECRET: 'a secret of the tests that is long enough',
    })
    const cookie = await signUp(address)
    const asked = proxy.freeze()
    const answer = fetch(`${address}/api/todos`, { headers: { cookie } }).catch(() => undefined)
    await asked
    child.kill('SIGTERM')
    const { code, log } = await ended
    await answer
    expect(code).toBe(1)
    expect(log.at(-1)).toMatchObject({ level: 50, msg: 'Stopped before everything was closed' })
  })
})
