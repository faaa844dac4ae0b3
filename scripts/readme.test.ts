import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { demoPerson } from '../src/app/demo/demo-account.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const readme = read('README.md')

// Every command of the README stands here once, and is run below or by the suite that is named.
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trim())
const commands = {
  start: 'npm start',
  test: 'npm test',
  demo: 'npm run demo',
  secret: blockOf('node -p'),
  hosting: blockOf('export DATABASE_URL'),
  backup: 'npm run backup -- daymark-backup.db',
  restore: blockOf('rm -f data/daymark.db'),
  dump: blockOf('pg_dump'),
  undump: blockOf('pg_restore'),
  dev: 'npm run dev',
  check: 'npm run check',
}

/** A copy of the sources without what git ignores, but with the packages at hand. */
let clone: string
let port: number
const running = new Set<ChildProcess>()

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'daymark-clone-'))
  const ignored = ['node_modules', 'dist', 'data', '.git', 'test-results']
  for (const name of readdirSync(repository).filter((name) => !ignored.includes(name))) {
    cpSync(join(repository, name), join(clone, name), { recursive: true })
  }
  // A folder of links, so that what tools keep in node_modules is the copy's own.
  mkdirSync(join(clone, 'node_modules'))
  const own = ['.vite', '.vite-temp', '.cache', '.vitest']
  for (const name of readdirSync(join(repository, 'node_modules')).filter((name) => !own.includes(name))) {
    symlinkSync(join(repository, 'node_modules', name), join(clone, 'node_modules', name))
  }
})

afterEach(async () => {
  for (const child of running) await stop(child)
})

afterAll(() => rmSync(clone, { recursive: true, force: true }))

test('every command of the README is one that is proven here', () => {
  expect(blocks).toEqual(Object.values(commands))
})

test('npm start serves from a clean copy; a backup made while it runs restores what was there', async () => {
  const daymark = await start(commands.start)
  expect((await fetch(`http://localhost:${port}/`)).headers.get('content-type')).toContain('text/html')
  expect(await signUp('kept')).toBe(200)

  expect(run(commands.backup)).toContain('the copy is sound')
  expect(await signUp('made-after-the-backup')).toBe(200)
  // To npm alone: it has to reach the server through it.
  daymark.kill('SIGTERM')
  expect(await once(daymark, 'exit')).toEqual([0, null])

  await start(commands.restore)
  expect(await signIn('kept')).toBe(200)
  expect(await signIn('made-after-the-backup')).toBe(401)
}, 120_000)

test('npm run demo serves a year of somebody beside the real data, which it leaves alone', async () => {
  const real = () =>
    ['daymark.db', 'auth-secret'].map((name) => {
      const path = join(clone, 'data', name)
      return existsSync(path) ? readFileSync(path) : undefined
    })
  const before = real()
  const demo = await start(commands.demo)
  const { email, password } = demoPerson
  expect(await post('sign-in', { email, password })).toBe(200)
  expect(() => run(`${commands.demo} -- --anew 2>&1`)).toThrow('Command failed')
  expect(await post('sign-in', { email, password })).toBe(200)
  demo.kill('SIGTERM')
  expect(await once(demo, 'exit')).toEqual([0, null])
  expect(real()).toEqual(before)
}, 120_000)

test('npm run dev serves pages and API at one address, and ends both at once', async () => {
  const daymark = await start(commands.dev)
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('/@vite/client')
  // A write with an Origin: it is only let in when the proxy kept the Host that the browser named.
  expect(await signUp('developer')).toBe(200)
  daymark.kill('SIGTERM')
  expect(await once(daymark, 'exit')).toEqual([0, null])
  await expect(fetch(`http://localhost:${port + 1}/`)).rejects.toThrow()
}, 120_000)

test('the command for a secret makes one that is accepted', () => {
  expect(run(commands.secret).trim().length).toBeGreaterThanOrEqual(32)
})

test('npm run check and npm test are run by .ci/run', () => {
  const lines = read('.ci/run')
  expect(lines).toMatch(/^(if ! )?npm run check(; then)?$/m)
  expect(lines).toMatch(/^npm test$/m)
})

const postgres = inject('postgres')
const server = 'url' in postgres ? postgres.url : undefined

describe.skipIf(server === undefined && process.env.DAYMARK_REQUIRE_POSTGRES !== '1')(
  'with PostgreSQL',
  () => {
    let database: string

    beforeAll(async () => {
      const name = `daymark_readme_${crypto.randomUUID().replaceAll('-', '')}`
      database = withDatabase(name)
      await query(withDatabase('postgres'), `create database ${name}`)
      return () => query(withDatabase('postgres'), `drop database ${name} with (force)`)
    })

    test('the settings for hosting start it behind a proxy with https', async () => {
      const example = 'postgres://daymark:password@localhost/daymark'
      expect(commands.hosting).toContain(example)
      await start(commands.hosting.replace(example, database))
      expect(await signUp('hosted', 'https://daymark.example')).toBe(200)
      expect(await signUp('stranger', 'https://elsewhere.example')).toBe(403)
    }, 120_000)

    // They are the server's own tools; a package that only ships the server has none.
    test.skipIf(!existsTool('pg_dump'))(
      'a dump restores what was there',
      async () => {
        await query(database, `create table kept as select 1 as one`)
        run(commands.dump, { DATABASE_URL: database })
        await query(database, 'delete from kept')
        run(commands.undump, { DATABASE_URL: database })
        expect(await query(database, 'select one from kept')).toEqual([{ one: 1 }])
      },
      60_000,
    )
  },
)

function blockOf(beginning: string): string {
  const block = blocks.find((block) => block.startsWith(beginning))
  if (block === undefined) throw new Error(`The README has no command that begins with ${beginning}`)
  return block
}

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8')
}

/** What a person's shell would have, without what this test run added. */
function environment(): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env
  const tools = postgresTools()
  return { PATH: tools === undefined ? PATH : `${tools}${delimiter}${PATH}`, HOME, PORT: String(port) }
}

function run(command: string, more: Record<string, string> = {}): string {
  return execFileSync('bash', ['-ec', command], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...environment(), ...more },
  })
}

/** Starts it on a free port and answers once the API does. */
async function start(command: string): Promise<ChildProcess> {
  port = await freePort()
  const child = spawn('bash', ['-ec', command.replace(/npm (start|run (?:dev|demo))$/, 'exec $&')], {
    cwd: clone,
    env: environment(),
    detached: true,
  })
  running.add(child)
  let said = ''
  const listen = (chunk: Buffer) => {
    said += chunk.toString()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`http://localhost:${port}/api/health`).catch(() => undefined)
    if (answer?.ok) return child
    await pause(100)
  }
  throw new Error(`It ended instead of serving:\n${said}`)
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

function signUp(name: string, origin?: string): Promise<number> {
  return post('sign-up', { name, ...credentials(name) }, origin)
}

function signIn(name: string): Promise<number> {
  return post('sign-in', credentials(name))
}

function credentials(name: string) {
  return { email: `${name}@example.org`, password: 'correct horse' }
}

async function post(call: string, body: unknown, origin = `http://localhost:${port}`): Promise<number> {
  const answer = await fetch(`http://localhost:${port}/api/auth/${call}/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  })
  return answer.status
}

function withDatabase(name: string): string {
  if (server === undefined) throw new Error('missing' in postgres ? postgres.missing : 'no PostgreSQL')
  const url = new URL(server)
  url.pathname = name
  return url.href
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Debian keeps them off the PATH; the newest fits every server. */
function postgresTools(): string | undefined {
  const debian = '/usr/lib/postgresql'
  if (!existsSync(debian)) return undefined
  const newest = readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : join(debian, newest, 'bin')
}

function existsTool(name: string): boolean {
  return (environment().PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
