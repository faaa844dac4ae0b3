import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '#testing/free-port.ts'
import { spawnOnSmallDisk, whyNoSmallDisk } from '#testing/small-disk.ts'
import { waitUntil } from '#testing/wait.ts'

// The whole program on a full disk, and with its log on one.

// Thousands of requests to a program take as long as a busy machine lets them.
const timeout = 600_000

const server = join(import.meta.dirname, '../server.ts')
const noDisk = whyNoSmallDisk()

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-disk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

function environment(data: string, port = 0) {
  return { PATH: process.env.PATH, PORT: String(port), DATABASE_URL: `sqlite:${join(data, 'daymark.db')}` }
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  })
}

async function addressSaidBy(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      said += chunk
      const ready = /Daymark is ready at (\S+)\n/.exec(said)?.[1]
      if (ready) resolve(ready)
    })
    child.once('exit', () => reject(new Error(`It did not start: ${said}`)))
  })
}

async function post(address: string, path: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function signUp(address: string): Promise<string> {
  const account = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
  const response = await post(address, '/api/auth/sign-up/email', account)
  expect(response.status).toBe(200)
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

const healthOf = async (address: string) => {
  const response = await fetch(`${address}/api/health`)
  return { status: response.status, body: await response.json() }
}

it.skipIf(noDisk)(
  `a disk that fills up stops no reads, is logged once, and accepts writes when there is room again${noDisk ? ` (skipped: ${noDisk})` : ''}`,
  async () => {
    const folder = await newFolder()
    const { child, fill, makeRoom } = spawnOnSmallDisk(folder, [process.execPath, server], {
      env: { ...environment(folder), RATE_LIMIT: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithTest(child)
    if (!child.stdout) throw new Error('It has a log')
    const log = text(child.stdout)
    const address = await addressSaidBy(child)
    const cookie = await signUp(address)
    const add = (title: string) => post(address, '/api/todos', { title, completed: 0 }, cookie)
    const acknowledged: string[] = []
    fill()
    // What still fits is accepted; then everything is refused.
    const refused: Response[] = []
    for (let place = 0; refused.length < 20; place++) {
      const title = `${place} ${'long '.repeat(90)}`.trim()
      const response = await add(title)
      if (response.status === 201) acknowledged.push(title)
      else refused.push(response)
    }
    for (const response of refused) {
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ code: 'STORAGE_FULL' })
    }
    expect(await healthOf(address)).toMatchObject({ status: 503, body: { code: 'STORAGE_FULL' } })
    const list = async () => {
      const response = await fetch(`${address}/api/todos`, { headers: { cookie } })
      const { todos }: { todos: { title: string }[] } = await response.json()
      return todos.map(({ title }) => title).toSorted()
    }
    expect(await list()).toEqual(acknowledged.toSorted())

    await makeRoom()
    await waitUntil(async () => (await healthOf(address)).status === 200)
    expect((await add('There is room')).status).toBe(201)
    expect(await list()).toEqual([...acknowledged, 'There is room'].toSorted())
    child.kill('SIGTERM')
    const said = (await log)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg !== undefined)
    expect(said.map(({ msg }) => msg)).toEqual([
      'Started',
      'Nothing can be stored: the disk is full',
      'The database takes writes again',
      'Stopping',
      'Stopped',
    ])
  },
  timeout,
)

it.skipIf(process.platform !== 'linux')(
  'an unwritable log and an unwritable standard error stop nothing (on Linux)',
  async () => {
    const folder = await newFolder()
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    // It cannot say where it listens.
    const port = await freePort()
    const child = spawn(process.execPath, [server], {
      env: { ...environment(folder, port), RATE_LIMIT: 'off' },
      stdio: ['ignore', full, full],
    })
    endWithTest(child)
    const address = `http://localhost:${port}`
    await waitUntil(() =>
      healthOf(address).then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    const cookie = await signUp(address)
    for (let place = 0; place < 20; place++)
      expect((await post(address, '/api/todos', { title: 'x', completed: 0 }, cookie)).status).toBe(201)
    expect((await healthOf(address)).status).toBe(200)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  },
  timeout,
)

it.skipIf(noDisk)(
  `a log on a full disk continues where it stopped when there is room, and says how many lines are missing${noDisk ? ` (skipped: ${noDisk})` : ''}`,
  async () => {
    const [disk, data] = [await newFolder(), await newFolder()]
    const { child, fill, makeRoom } = spawnOnSmallDisk(
      disk,
      ['sh', '-c', 'exec "$@" > "$0"', join(disk, 'log'), process.execPath, server],
      { env: { ...environment(data), RATE_LIMIT: 'off' }, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    endWithTest(child)
    const address = await addressSaidBy(child)
    fill()
    const asked = 2_500
    for (let place = 0; place < asked; place += 50)
      await Promise.all(
        Array.from({ length: 50 }, async () => (await fetch(`${address}/api/nothing`)).text()),
      )
    await makeRoom()
    const read = () => readFile(`/proc/${child.pid}/root${disk}/log`, 'utf8')
    await waitUntil(async () => (await read()).includes('lines are missing here'))
    const lines: { route?: string; lines?: number }[] = (await read())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const missing = lines.reduce((sum, line) => sum + (line.lines ?? 0), 0)
    expect(missing).toBeGreaterThan(0)
    expect(lines.filter(({ route }) => route === 'none').length + missing).toBe(asked)
  },
  timeout,
)
