import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { freezingProxy } from '#platform/database/testing/postgres/freezing-proxy.ts'
import { freePort } from '#testing/free-port.ts'
import { startMailServer } from '#testing/mail-server.ts'
import { waitUntil } from '#testing/wait.ts'
import { tryToServe } from './server.ts'

const server = join(import.meta.dirname, 'server.ts')
/** The same with another patience when it is told to stop, so that no test waits for it, or depends on how busy a machine is. */
function withPatience(patience: number, deadline: number): string[] {
  const shutdown = JSON.stringify({ patience, deadline })
  const program = `(await import(${JSON.stringify(server)})).start(undefined, ${shutdown})`
  return ['--input-type=module', '--eval', program]
}
const patient = withPatience(600_000, 600_000)
// To start a program takes long on a busy machine.
const timeout = 600_000

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

function begin(environment: Record<string, string> = {}, program = [server]) {
  const child = spawn(process.execPath, program, {
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
async function start(environment?: Record<string, string>, program?: string[]) {
  const { child, ended } = begin(environment, program)
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
function expectOrderlyEnd({ code, log, errors }: Awaited<ReturnType<typeof begin>['ended']>): void {
  expect(code).toBe(0)
  expect(errors).toMatch(/ready at \S+\n$/)
  expect(log.map(({ msg }) => msg).filter((msg) => msg)).toEqual(['Started', 'Stopping', 'Stopped'])
}

async function startMailing(smtpUrl: string, program?: string[]) {
  const port = await freePort()
  return start({ SMTP_URL: smtpUrl, PORT: String(port), BASE_URL: `http://localhost:${port}` }, program)
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

describe('the server', { timeout }, () => {
  it('says in one line that it is ready, and where, and works at once on the data of an earlier start, with who was signed in', async () => {
    const first = await start()
    expect(first.address).toMatch(/^http:\/\/localhost:\d+$/)
    expect(first.said).not.toContain('RATE_LIMIT')
    expect((await fetch(`${first.address}/api/health`)).status).toBe(200)
    const cookie = await signUp(first.address)
    await post(first.address, '/api/todos', { title: 'Still here', completed: 0 }, cookie)
    first.child.kill('SIGINT')
    expectOrderlyEnd(await first.ended)
    const second = await start()
    const response = await fetch(`${second.address}/api/todos`, { headers: { cookie } })
    expect(await response.json()).toMatchObject({ todos: [{ title: 'Still here' }] })
  })

  it('says that limits are off, and which variable looks like a misspelt setting; LOG_LEVEL=warn keeps what went well out of the log', async () => {
    const port = await freePort()
    const { child, ended, said } = await start({
      RATE_LIMIT: 'off',
      BASE_URL: 'http://daymark.lan',
      SIGNUP: 'closed',
      LOG_LEVEL: 'warn',
      PORT: String(port),
    })
    const doubt = 'SIGNUP is set, but Daymark does not know it: did you mean SIGN_UP?'
    expect(said).toContain(`${doubt}\n`)
    expect(said).toContain('RATE_LIMIT is off: requests are not limited.\n')
    expect(said).toContain('Daymark is ready at http://daymark.lan\n')
    expect((await fetch(`http://localhost:${port}/api/openapi.json`)).status).toBe(200)
    child.kill('SIGTERM')
    const { code, log } = await ended
    expect(code).toBe(0)
    expect(log).toMatchObject([{ level: 40, msg: doubt }])
  })

  it('that cannot start says why in one line', async () => {
    const { ended } = begin({ PORT: 'eighty' })
    expect(await ended).toEqual({
      code: 1,
      log: [],
      errors: 'Daymark cannot start: PORT must be a whole number from 0 to 65535, not "eighty"\n',
    })
  })

  it('tells systemd when it is ready, where systemd waits for that', async () => {
    const told = join(folder, 'told')
    // What systemd brings for that, in its place.
    await writeFile(
      join(folder, 'systemd-notify'),
      `#!/bin/sh\necho "$NOTIFY_SOCKET $*" > '${told}.part' && mv '${told}.part' '${told}'`,
      { mode: 0o755 },
    )
    const environment = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/systemd/notify' }
    const { child, ended } = await start(environment)
    await waitUntil(() => existsSync(told))
    expect(await readFile(told, 'utf8')).toBe('/run/systemd/notify --ready\n')
    child.kill('SIGTERM')
    expectOrderlyEnd(await ended)
  })

  it('SIGTERM: what is under way is answered, those who only listen are not waited for, then it ends in order', async () => {
    const { child, ended, address, port } = await start({}, patient)
    const cookie = await signUp(address)
    const stream = await fetch(`${address}/api/events`, { headers: { cookie } })
    const streamText = stream.text()
    await post(address, '/api/todos', { title: 'Heard', completed: 0 }, cookie)
    const idle = await talk(port)
    const body = JSON.stringify({ title: 'Written while it ended', completed: 0 })
    const asking = await talk(port)
    const response = text(asking)
    asking.write(
      `POST /api/todos HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    // The server says 'Continue' to it: it has begun.
    await once(asking, 'data')
    child.kill('SIGTERM')
    // It is told to end when it drops the connection that says nothing.
    await once(idle, 'close')
    expect(await streamText).toContain('"lists":["todos"]')
    await expect(fetch(`${address}/api/health`)).rejects.toThrow()
    asking.write(body)
    expect(await response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
    const end = await ended
    expectOrderlyEnd(end)
    expect(end.log.filter(({ route }) => route === '/api/events')).toHaveLength(1)
  })

  it('is given its moment: mail that is under way goes out before it ends', async () => {
    const smtp = await startMailServer()
    onTestFinished(() => smtp.stop())
    const { child, ended, address } = await startMailing(smtp.url, patient)
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
    const { child, ended, address } = await startMailing(smtp.url, withPatience(300, 600_000))
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
})

describe('the server does not start', { timeout }, () => {
  const whyNot = (environment: Record<string, string>) =>
    tryToServe({ PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'daymark.db')}`, ...environment })

  it('where the database is a folder, and says what to name instead', async () => {
    expect(await whyNot({ DATABASE_URL: `sqlite:${folder}` })).toBe(
      `The database ${folder} is a folder; name a file in it, such as sqlite:${folder}/daymark.db (DATABASE_URL says where it is)`,
    )
  })

  it('with a secret that anybody could guess', async () => {
    expect(await whyNot({ AUTH_SECRET: 'a'.repeat(48) })).toBe(
      'AUTH_SECRET is too easy to guess: it has only 1 different character',
    )
  })

  it('where another program listens, and touches no data', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('No port')
    expect(await whyNot({ PORT: String(address.port) })).toBe(
      `PORT ${address.port} on 127.0.0.1 is in use by another program; set PORT to a free one`,
    )
    expect(await readdir(folder)).toEqual([])
  })

  it('without its database', async () => {
    const reason = await whyNot({
      DATABASE_URL: 'postgres://daymark:hunter2@127.0.0.1:1/daymark',
      AUTH_SECRET: 'a secret of the tests that is long enough',
    })
    expect(reason).toContain('PostgreSQL')
    expect(reason).not.toContain('hunter2')
  })

  it('where its data cannot be kept, and says what names it', async () => {
    await writeFile(join(folder, 'file'), '')
    const reason = await whyNot({ DATABASE_URL: `sqlite:${join(folder, 'file', 'daymark.db')}` })
    expect(reason).toMatch(/^The database [^\n]*file\/daymark\.db [^\n]*DATABASE_URL[^\n]*$/)
  })

  it('where its backups go to a folder that cannot be written to', async () => {
    await writeFile(join(folder, 'file'), '')
    const to = join(folder, 'file', 'backups')
    expect(await whyNot({ BACKUP_TO: to, BACKUP_EVERY: '1d' })).toContain(
      `BACKUP_TO ${to} cannot be written to by this user`,
    )
  })
})

describePostgresUrl('a database that stops answering', (emptyUrl) => {
  it('does not keep the server from ending', { timeout }, async () => {
    const proxy = await freezingProxy(await emptyUrl())
    onTestFinished(() => proxy.close())
    const { child, ended, address } = await start(
      { DATABASE_URL: proxy.url, AUTH_SECRET: 'a secret of the tests that is long enough' },
      withPatience(300, 1_000),
    )
    const cookie = await signUp(address)
    const asked = proxy.freeze()
    const response = fetch(`${address}/api/todos`, { headers: { cookie } }).catch(() => undefined)
    await asked
    child.kill('SIGTERM')
    const { code, log } = await ended
    await response
    expect(code).toBe(1)
    expect(log.at(-1)).toMatchObject({ level: 50, msg: 'Stopped before everything was closed' })
  })
})
