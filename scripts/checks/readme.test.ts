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
  writeFileSync,
} from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { demoPerson } from '../../src/app/demo/demo-account.ts'
import { freePort, freePortPair } from '../../testing/free-port.ts'
import { whyNotTo } from '../update/deploy-folder.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url))

// Every command in the README is here once, and is run below or by the suite named.
const blocks = blocksOf('README.md')
const commands = {
  start: 'npm start',
  test: 'npm test',
  demo: 'npm run demo',
  deploy: 'npm run deploy -- /opt/daymark',
  // Run by scripts/update/update.test.ts, in a git checkout.
  update: 'npm run update',
  // Run by scripts/hosting/container.test.ts, step by step if there is no Docker.
  container: 'docker compose up --detach',
  backup: 'npm run backup',
  restore: blockOf(blocks, 'npm run restore'),
  dev: 'npm run dev',
  check: 'npm run check',
}

// The commands in docs/hosting.md that somebody types for a first start of each kind.
const hosting = blocksOf('docs/hosting.md')
const hostingCommands = {
  atHome: blockOf(hosting, 'HOST='),
  secret: blockOf(hosting, 'node -p'),
  severalProcesses: blockOf(hosting, 'export DATABASE_URL=postgres://daymark:password@localhost'),
}

/** A copy of the sources without what git ignores, but with links to the installed packages. */
let clone: string
let port: number
const running = new Set<ChildProcess>()
/** The output of each. */
const said = new Map<ChildProcess, string>()

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'daymark-clone-'))
  const ignored = ['node_modules', 'dist', 'data', '.git', 'test-results']
  for (const name of readdirSync(repository).filter((name) => !ignored.includes(name))) {
    cpSync(join(repository, name), join(clone, name), { recursive: true })
  }
  // A folder of links, so that what tools store in node_modules belongs to the copy.
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

test('npm start serves from a clean copy, this machine alone; a backup made while it runs restores what was there', async () => {
  const daymark = await start(commands.start)
  expect((await fetch(`http://localhost:${port}/`)).headers.get('content-type')).toContain('text/html')
  await expect(fetch(`http://${addressInNetwork()}:${port}/`)).rejects.toThrow()
  expect(await signUp('kept')).toBe(200)

  const made = /^Backed up to (\S+): 1 person.*It was opened and counted\.$/m.exec(run(commands.backup))?.[1]
  expect(await signUp('made-after-the-backup')).toBe(200)
  // Sent to npm only, which has to pass it on to the server.
  daymark.kill('SIGTERM')
  expect(await once(daymark, 'exit')).toEqual([0, null])

  await start(commands.restore.replace('my-backup', `${made} --yes`))
  expect(await signIn('kept')).toBe(200)
  expect(await signIn('made-after-the-backup')).toBe(401)
}, 600_000)

test('at home, as docs/hosting.md tells it, another device of the network makes an account', async () => {
  await start(hostingCommands.atHome)
  const inNetwork = `http://${addressInNetwork()}:${port}`
  expect(await signUp('phone', inNetwork, inNetwork)).toBe(200)
}, 600_000)

test('npm run demo serves a year of somebody beside the real data, which it leaves alone', async () => {
  const real = () =>
    ['daymark.db', 'auth-secret'].map((name) => {
      const path = join(clone, 'data', name)
      return existsSync(path) ? readFileSync(path) : undefined
    })
  const before = real()
  const demo = await start(commands.demo)
  const { email, password } = demoPerson
  // One address, and not the real Daymark's: they would share their cookies.
  await expect.poll(() => said.get(demo)).toContain(password)
  expect(said.get(demo)?.match(/https?:\S+/g)).toEqual([`http://127.0.0.1:${port}/sign-in`])
  expect(await post('sign-in', { email, password })).toBe(200)
  expect(() => run(`${commands.demo} -- --fresh 2>&1`)).toThrow('Command failed')
  expect(await post('sign-in', { email, password })).toBe(200)
  demo.kill('SIGTERM')
  expect(await once(demo, 'exit')).toEqual([0, null])
  expect(real()).toEqual(before)
}, 600_000)

test('npm run dev serves pages and API at one address, and ends both at once', async () => {
  const daymark = await start(commands.dev, await freePortPair())
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('/@vite/client')
  // At the root, or its scope would not include the pages.
  const worker = await fetch(`http://localhost:${port}/development-worker.js`)
  expect(worker.headers.get('content-type')).toContain('text/javascript')
  expect(await worker.text()).toContain('showPushes(self)')
  // A write with an Origin: it is accepted only if the proxy kept the Host that the browser sent.
  expect(await signUp('developer')).toBe(200)
  daymark.kill('SIGTERM')
  expect(await once(daymark, 'exit')).toEqual([0, null])
  await expect(fetch(`http://localhost:${port + 1}/`)).rejects.toThrow()
}, 600_000)

test('npm run deploy puts down a server that runs by itself, replaces one that runs, backs up and keeps what else is in its folder', async () => {
  const folder = join(clone, 'opt', 'daymark')
  const here = (command: string) => command.replaceAll('/opt/daymark', folder)
  expect(run(`${here(commands.deploy)} 2>&1`)).toContain(`Daymark is in ${folder}`)
  const packages = Object.keys(JSON.parse(read('package.json')).devDependencies)
  expect(packages.filter((name) => existsSync(join(folder, 'node_modules', name)))).toEqual([])
  // As the systemd unit starts it.
  const started = /^ExecStart=(.*)$/m.exec(read('deploy/daymark.service'))?.[1] ?? ''
  const serve = `cd ${folder} && NODE_ENV=production exec ${here(started)}`
  const daymark = await start(serve)
  expect((await fetch(`http://localhost:${port}/`)).headers.get('content-type')).toContain('text/html')
  expect(await signUp('deployed')).toBe(200)

  // Again, while it runs: the next version, here one with another licence, takes its place; and back.
  const pid = join(folder, 'pid')
  writeFileSync(pid, String(daymark.pid))
  const stop = `kill $(cat ${pid})`
  const startAgain = `cd ${folder} && (NODE_ENV=production setsid ${here(started)} > log 2>&1 & echo $! > pid)`
  const byCommands = `--stop '${stop}' --start '${startAgain}'`
  const licence = () => readFileSync(join(folder, 'LICENSE'), 'utf8')
  writeFileSync(join(clone, 'LICENSE'), 'another')
  expect(run(`${here(commands.deploy)} ${byCommands} 2>&1`)).toMatch(/^It was away for \d/m)
  expect(licence()).toBe('another')
  // The connection that was kept open went with the version before.
  await expect.poll(() => signIn('deployed').catch(() => undefined)).toBe(200)
  run(`${here(commands.deploy)} ${byCommands} --back --yes`)
  expect(licence()).toBe(read('LICENSE'))
  await expect.poll(() => signIn('deployed').catch(() => undefined)).toBe(200)
  run(stop)
  expect(run(`cd ${folder} && node_modules/.bin/node scripts/backup.mjs copy`)).toMatch(
    /: 1 person.* It was opened and counted\./,
  )
}, 600_000)

test('npm run deploy to a checkout changes nothing and says why', () => {
  expect(run('npm run deploy -- . 2>&1 || echo "ended with $?"')).toMatch(
    /is a checkout of sources[^\n]*\nended with 1\n$/,
  )
})

test('npm run deploy goes to a folder that is new, empty, or was deployed to before, and to no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-deploy-'))
  expect(whyNotTo(folder)).toBeUndefined()
  expect(whyNotTo(join(folder, 'new'))).toBeUndefined()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'daymark' }))
  expect(whyNotTo(folder)).toBeUndefined()
  rmSync(folder, { recursive: true })
  expect(whyNotTo(repository)).toContain('is a checkout of sources')
  expect(whyNotTo('/usr')).toContain('holds something else')
  expect(whyNotTo(undefined)).toContain('Say where to')
})

test('the command for a secret makes one that is accepted', () => {
  expect(run(hostingCommands.secret).trim().length).toBeGreaterThanOrEqual(32)
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
      expect(hostingCommands.severalProcesses).toContain(example)
      await start(hostingCommands.severalProcesses.replace(example, database))
      expect(await signUp('hosted', 'https://daymark.example')).toBe(200)
      expect(await signUp('stranger', 'https://elsewhere.example')).toBe(403)
    }, 600_000)
  },
)

/** An address of this machine that `localhost` does not reach. */
function addressInNetwork(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  // Without a network, Linux still has more than one loopback address.
  return own?.address ?? '127.0.0.2'
}

function blocksOf(document: string): string[] {
  const blocks = read(document).matchAll(/^ *```sh\n(.*?)^ *```$/gms)
  return [...blocks].map(([, block = '']) => block.trim())
}

function blockOf(blocks: readonly string[], beginning: string): string {
  const block = blocks.find((block) => block.startsWith(beginning))
  if (block === undefined) throw new Error(`No command begins with ${beginning}`)
  return block
}

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8')
}

/** What a person's shell would have, without the additions of this test run. */
function environment(): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, PORT: String(port) }
}

function run(command: string): string {
  return execFileSync('bash', ['-ec', command], {
    cwd: clone,
    encoding: 'utf8',
    env: environment(),
  })
}

/** Starts it on `at`, or any free port, and resolves once the API responds. */
async function start(command: string, at?: number): Promise<ChildProcess> {
  port = at ?? (await freePort())
  const child = spawn('bash', ['-ec', command.replace(/npm (start|run (?:dev|demo))$/, 'exec $&')], {
    cwd: clone,
    env: environment(),
    detached: true,
  })
  running.add(child)
  const listen = (chunk: Buffer) => said.set(child, `${said.get(child) ?? ''}${chunk}`)
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  while (child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`http://localhost:${port}/api/health`).catch(() => undefined)
    if (response?.ok) return child
    await pause(100)
  }
  throw new Error(`It ended instead of serving:\n${said.get(child)}`)
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

function signUp(name: string, origin?: string, address?: string): Promise<number> {
  return post('sign-up', { name, ...credentials(name) }, origin, address)
}

function signIn(name: string): Promise<number> {
  return post('sign-in', credentials(name))
}

function credentials(name: string) {
  return { email: `${name}@example.org`, password: 'correct horse' }
}

async function post(
  call: string,
  body: unknown,
  origin = `http://localhost:${port}`,
  address = `http://localhost:${port}`,
): Promise<number> {
  const response = await fetch(`${address}/api/auth/${call}/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  })
  return response.status
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
