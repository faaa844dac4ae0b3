import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { tests, web } from '../../../.dependency-cruiser.mjs'

export const repository = fileURLToPath(new URL('../../..', import.meta.url))

// A stand-in for Vite: the pages of a version are those of its public/.
const pretendedVite = `
import fs from 'node:fs'
fs.cpSync('public', 'dist/web', { recursive: true })
fs.writeFileSync('dist/web/index.html', '<html></html>')
`

const notServed = [web, tests].map((pattern) => new RegExp(pattern))
const ofServer = ['src', 'scripts', 'public', 'LICENSE', '.gitignore', '.dependency-cruiser.mjs']
const ofSetup = ['package.json', 'package-lock.json', 'index.html', 'landing.html', 'tsconfig.json', '.npmrc']

/** A repository with one commit: today's sources of the server, as they are here. */
export function plantRepository(folder: string): void {
  mkdirSync(folder)
  for (const name of [...ofServer, ...ofSetup]) {
    cpSync(join(repository, name), join(folder, name), {
      recursive: true,
      filter: (path) => !notServed.some((pattern) => pattern.test(relative(repository, path))),
    })
  }
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'config', 'core.fsync', 'none')
  commit(folder, 'one')
}

/** Commits files with these texts, as the next version. */
export function commit(folder: string, title: string, files: Record<string, string> = {}): string {
  for (const [path, text] of Object.entries({ 'public/version.txt': title, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git(folder, 'add', '--all')
  git(folder, '-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '-m', title)
  return git(folder, 'rev-parse', 'HEAD')
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
}

/** One with the whole history, and today's sources as the newest commit. */
export function plantRepositoryWithHistory(folder: string): void {
  git(dirname(folder), 'clone', '--quiet', '--shared', repository, folder)
  git(folder, 'checkout', '--quiet', '-B', 'main')
  git(folder, `--work-tree=${repository}`, 'add', '--all')
  git(folder, 'checkout-index', '--all', '--force')
  commit(folder, 'today')
}

/**
 * A clone whose packages are links to those installed here, and whose build takes no time, unless it is to be a `real`
 * one.
 */
export function cloneWithPackages(
  origin: string,
  folder: string,
  { without = /^$/, real = false }: { without?: RegExp; real?: boolean } = {},
): void {
  git(dirname(folder), 'clone', '--quiet', origin, folder)
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  const own = ['.vite', '.vite-temp', '.cache', '.vitest', '.daymark-setup', ...(real ? [] : ['vite'])]
  const packages = readdirSync(join(repository, 'node_modules'))
  for (const name of packages.filter((name) => !own.includes(name) && !without.test(name))) {
    symlinkSync(join(repository, 'node_modules', name), join(modules, name))
  }
  writeFileSync(join(modules, '.daymark-setup'), '')
  if (real) return
  mkdirSync(join(modules, 'vite', 'bin'), { recursive: true })
  writeFileSync(join(modules, 'vite', 'package.json'), '{"type":"module"}')
  writeFileSync(join(modules, 'vite', 'bin', 'vite.js'), pretendedVite)
}

/** What a person's shell would have, with whom the machine trusts for its packages. */
export function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env
  return { PATH, HOME, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), RATE_LIMIT: 'off', ...more }
}

/** Runs a program to its end. */
export async function run(
  folder: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  seen: (said: string, child: ChildProcess) => void = () => {},
  command = process.execPath,
): Promise<{ code: number | NodeJS.Signals; said: string }> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
      seen(said, child)
    })
  }
  const [code, signal] = await once(child, 'close')
  return { code: code ?? signal, said }
}

/** Asks all the time, and counts how long nothing serves. */
export function watch(address: string): { stop(): Promise<number> } {
  let away = 0
  let stopping = false
  const ended = (async () => {
    for (let last = performance.now(); !stopping; await pause(10)) {
      const isThere = await serves(address)
      const now = performance.now()
      if (!isThere) away += now - last
      last = now
    }
  })()
  return {
    async stop() {
      stopping = true
      await ended
      return away / 1000
    },
  }
}

async function serves(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/api/health`)).ok
  } catch {
    return false
  }
}

export async function untilItServes(address: string): Promise<void> {
  while (!(await serves(address))) await pause(20)
}

export async function versionAt(address: string): Promise<string> {
  return (await fetch(`${address}/version.txt`)).text()
}

/** Somebody who has a task, and the titles that the server says they have. */
export async function signUpWithTask(
  address: string,
): Promise<{ titles(): Promise<unknown>; add(title: string): Promise<number> }> {
  const headers = { 'content-type': 'application/json', origin: address }
  const person = { name: 'Somebody', email: 'somebody@example.org', password: 'correct horse' }
  const signedUp = await fetch(`${address}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(person),
  })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const add = async (title: string) => {
    const body = JSON.stringify({ title })
    return (await fetch(`${address}/api/todos`, { method: 'POST', headers: { ...headers, cookie }, body }))
      .status
  }
  await add('kept')
  return {
    add,
    titles: async () => {
      const response = await fetch(`${address}/api/todos`, { headers: { cookie } })
      return [...(await response.text()).matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title).toSorted()
    },
  }
}

/** Ends a process, if it still runs, and waits until it has. */
export async function end(pid: number | undefined, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (pid === undefined) return
  try {
    process.kill(pid, signal)
    while (existsSync(`/proc/${pid}/cwd`)) await pause(20)
  } catch {
    // It has ended.
  }
}

/** A version whose server only starts where versions are tried. */
export function serverThatStartsOnlyWhereItIsTried(folder: string): Record<string, string> {
  const server = readFileSync(join(folder, 'src/app/server.ts'), 'utf8')
  const planted = "if (!process.env.DATABASE_URL?.includes('daymark-try-')) throw new Error('planted')"
  return { 'src/app/server.ts': server.replace(/^(if \(import\.meta\.main\))/m, `${planted}\n$1`) }
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** A version with a step that an older one can't work beside. */
export function migrationThatChangesTables(folder: string): Record<string, string> {
  const path = 'src/platform/database/migrations'
  const all = readFileSync(join(folder, path, 'migrations.ts'), 'utf8')
  return {
    [`${path}/9999-planted.ts`]: `import { type Kysely, sql } from 'kysely'
export const planted = {
  name: '9999-planted',
  async up(db: Kysely<unknown>) {
    await sql\`create table planted (id text primary key)\`.execute(db)
  },
}
`,
    [`${path}/migrations.ts`]: `import { planted } from './9999-planted.ts'
${all.replace(/^\]$/m, '  planted,\n]')}`,
  }
}

/** Has the build wait for a part of the landing page for longer than a minute: a slow machine, for one module. */
export function slowModule(folder: string): string {
  const program = join(folder, 'slow-module.mjs')
  writeFileSync(
    program,
    `import fs from 'node:fs/promises'
const { readFile } = fs
fs.readFile = async (path, ...rest) => {
  if (String(path).endsWith('landing-markup.tsx')) await new Promise((go) => setTimeout(go, 65_000))
  return readFile(path, ...rest)
}
`,
  )
  return program
}

/** As many programs that only compute: what a busy machine has to do besides. */
export function makeBusy(count: number): { stop(): Promise<void> } {
  const busy = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  return { stop: async () => void (await Promise.all(busy.map(({ pid }) => end(pid, 'SIGKILL')))) }
}
