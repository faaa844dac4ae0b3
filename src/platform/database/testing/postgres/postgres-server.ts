import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '#testing/free-port.ts'
import { postgresBinaries, program } from './postgres-binaries.ts'

// The PostgreSQL server for the tests: TEST_POSTGRES_URL, or else a server for this run only, started from the machine's binaries
// or from a package with binaries.

interface Server {
  url: string
  outlivesRun: boolean
  stop(): Promise<void>
}

interface Identity {
  uid?: number
  gid?: number
}

const startTimeout = 60_000

/** A server for the tests, or the reason why there is none. `stop` ends it if it was started here. */
export async function obtainPostgres(): Promise<Server | { missing: string }> {
  const given = process.env.TEST_POSTGRES_URL
  if (given) {
    await connectOnce(given).catch((error) => {
      throw new Error(`TEST_POSTGRES_URL cannot be reached: ${error}`)
    })
    return { url: given, outlivesRun: true, stop: async () => {} }
  }
  const failures: string[] = []
  try {
    for (const binaries of postgresBinaries()) {
      const server = await start(binaries, failures)
      if (server) return server
    }
  } catch (error) {
    failures.push(String(error))
  }
  return { missing: `No PostgreSQL for the tests. ${failures.join(' | ')}` }
}

/**
 * Starts a server with its own files in the temporary folder. If that fails, returns undefined and adds the reason to `failures`.
 */
async function start(binaries: string, failures: string[]): Promise<Server | undefined> {
  const identity = unprivileged()
  const home = mkdtempSync(join(tmpdir(), 'daymark-postgres-'))
  const data = join(home, 'data')
  try {
    if (identity.uid !== undefined && identity.gid !== undefined) chownSync(home, identity.uid, identity.gid)
    const folder = reachable(binaries, home, identity)
    run(folder, 'initdb', home, identity, [
      ...['-D', data, '--username=daymark', '--auth=trust', '--encoding=UTF8', '--no-sync'],
      // This locale sorts as people do, unlike the C locale, so that tests catch queries that rely on byte order.
      ...['--locale=C', '--locale-provider=icu', '--icu-locale=en'],
    ])
    return await serve(folder, home, data, identity)
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    failures.push(`${binaries}: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** An unprivileged user to run as, because the server refuses to run as root. */
function unprivileged(): Identity {
  if (process.getuid?.() !== 0) return {}
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((fields) => fields[0] === name)
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  return { uid: 65534, gid: 65534 }
}

/** A folder of binaries that the unprivileged user can reach: a copy if need be, as for a checkout under root's home. */
function reachable(binaries: string, home: string, identity: Identity): string {
  const tried = spawnSync(join(binaries, program('postgres')), ['--version'], { ...identity, cwd: home })
  if (!(tried.error && 'code' in tried.error && tried.error.code === 'EACCES')) return binaries
  const copy = join(home, 'postgres')
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(copy, 0o755)
  return join(copy, 'bin')
}

function run(folder: string, name: string, home: string, identity: Identity, args: string[]): void {
  const done: SpawnSyncReturns<string> = spawnSync(join(folder, program(name)), args, {
    ...identity,
    cwd: home,
    env: { ...process.env, LC_ALL: 'C', HOME: home },
    encoding: 'utf8',
  })
  if (done.error) throw done.error
  if (done.status !== 0) throw new Error(`${name} failed: ${done.stderr.trim()}`)
}

async function serve(folder: string, home: string, data: string, identity: Identity): Promise<Server> {
  const port = await freePort()
  // The test data does not outlive the run, so it need not survive a power cut. For benchmarks it must.
  const durable = process.env.DAYMARK_DURABLE_POSTGRES === '1' ? 'on' : 'off'
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    fsync: durable,
    full_page_writes: durable,
  }
  const command = [
    join(folder, program('postgres')),
    ...['-D', data],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const log = join(home, 'log')
  const child = spawnWithUs(command, home, openSync(log, 'a'), identity)
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  const url = `postgres://daymark@127.0.0.1:${port}/postgres`
  const stop = () => stopServer(child, home)
  for (const deadline = Date.now() + startTimeout; ; await pause(50)) {
    try {
      await connectOnce(url)
      return { url, outlivesRun: false, stop }
    } catch (error) {
      if (!ended && Date.now() < deadline) continue
      const output = readFileSync(log, 'utf8')
      await stop()
      throw new Error(`the server did not start: ${output || error}`)
    }
  }
}

// A shell script that ends the server and removes its files when the pipe from this process closes, even if this process is
// killed.
const keeper = `
exec 3<&0
"$@" 3<&- < /dev/null &
server=$!
(
  cat <&3 > /dev/null
  kill -QUIT $server 2> /dev/null
  while kill -0 $server 2> /dev/null; do sleep 0.05; done
  rm -rf -- "$HOME"
) &
exec 3<&-
wait $server
`

function spawnWithUs(command: string[], home: string, log: number, identity: Identity): ChildProcess {
  const options = { ...identity, cwd: home, env: { ...process.env, LC_ALL: 'C', HOME: home } }
  const [file = '', ...args] = process.platform === 'win32' ? command : ['sh', '-c', keeper, 'sh', ...command]
  return spawn(file, args, { ...options, stdio: ['pipe', 'pipe', log] })
}

async function stopServer(child: ChildProcess, home: string): Promise<void> {
  child.stdout?.resume()
  const closed = once(child, 'close')
  if (process.platform === 'win32') child.kill()
  child.stdin?.end()
  await closed
  rmSync(home, { recursive: true, force: true, maxRetries: 10 })
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  await client.end()
}
