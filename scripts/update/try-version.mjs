// Tries a version beside the one in use: whether it serves, and whether it can update the database. Neither sees any of the
// settings, or writes to any of the data, of the one in use.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

// Far longer than the slowest machine is silent. Work that says something has no limit.
const longestSilence = 600_000

/**
 * @param {string} folder where the version is
 * @returns {string} the Node it brings, or else this one
 */
export function nodeOf(folder) {
  const own = join(folder, 'node_modules', '.bin', 'node')
  return process.platform !== 'win32' && existsSync(own) ? own : process.execPath
}

/**
 * Starts the program with an empty database until it serves a page.
 * @param {string} folder
 * @param {string} program
 * @returns {Promise<string | undefined>} why it doesn't serve
 */
export async function whyItDoesNotServe(folder, program) {
  const data = mkdtempSync(join(tmpdir(), 'daymark-try-'))
  const { child, ended, said } = run(folder, program, `sqlite:${join(data, 'daymark.db')}`)
  try {
    const address = await Promise.race([addressSaidBy(child), ended])
    if (address === undefined) return `it ended instead of serving:\n${said()}`
    const health = await fetch(new URL('/api/health', address))
    if (!health.ok) return `its health check answers ${health.status}: ${await health.text()}`
    const page = await fetch(new URL('/', address))
    if (page.ok && page.headers.get('content-type')?.startsWith('text/html')) return undefined
    return `its first page answers ${page.status}: ${(await page.text()).slice(0, 200)}`
  } finally {
    await stop(child, ended)
    rmSync(data, { recursive: true, force: true })
  }
}

/**
 * Has the version update the tables of a database, which has to be a copy.
 * @param {string} folder
 * @param {string} database a SQLite file
 * @returns {Promise<string | undefined>} why it can't; undefined also for a version that knows no such trial
 */
export async function whyItCannotUpdate(folder, database) {
  const program = join('scripts', 'update', 'try-database.mjs')
  if (!existsSync(join(folder, program))) return undefined
  const { child, ended, said } = run(folder, program, `sqlite:${database}`)
  await ended
  return child.exitCode === 0 ? undefined : said().trim()
}

/**
 * @param {string} folder
 * @param {string} program
 * @param {string} databaseUrl
 */
function run(folder, program, databaseUrl) {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env
  const env = { PATH, HOME, TMPDIR, SystemRoot, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0' }
  const child = spawn(nodeOf(folder), [program], {
    cwd: folder,
    // Closed to whoever else is on this machine.
    env: { ...env, DATABASE_URL: databaseUrl, SIGN_UP: 'closed', PUSH: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  const silent = setTimeout(() => {
    errors += `It said nothing for ${longestSilence / 60_000} minutes.\n`
    child.kill('SIGKILL')
  }, longestSilence)
  child.stdout.on('data', () => silent.refresh())
  child.stderr.on('data', (chunk) => {
    silent.refresh()
    errors += chunk
  })
  const ended = once(child, 'close').then(() => {
    clearTimeout(silent)
    return undefined
  })
  return { child, ended, said: () => errors }
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @returns {Promise<string>}
 */
function addressSaidBy({ stderr }) {
  let said = ''
  return new Promise((resolve) => {
    stderr.on('data', (chunk) => {
      said += chunk
      const port = /Daymark is ready at http:\S+:(\d+)/.exec(said)?.[1]
      // Not by the name localhost, which is unknown where a container is built.
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} ended
 */
async function stop(child, ended) {
  child.kill('SIGTERM')
  const killed = new AbortController()
  const late = pause(15_000, undefined, { signal: killed.signal })
    .then(() => child.kill('SIGKILL'))
    .catch(() => undefined)
  await ended
  killed.abort()
  await late
}
