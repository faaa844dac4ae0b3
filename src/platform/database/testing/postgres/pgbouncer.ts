import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '#testing/free-port.ts'

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** Starts a real PgBouncer in front of a server that asks for no password. */
export async function startPgBouncer(url: string, mode: 'transaction' | 'session', settings = '') {
  const { hostname, port, username } = new URL(url)
  const home = mkdtempSync(join(tmpdir(), 'daymark-pgbouncer-'))
  const users = join(home, 'users')
  const configuration = join(home, 'pgbouncer.ini')
  const listening = await freePort()
  writeFileSync(users, `"${username}" ""\n`)
  writeFileSync(
    configuration,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
${settings}
`,
  )
  chmodSync(home, 0o755)
  // PgBouncer refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const child = spawn('pgbouncer', ['--quiet', ...asOther, configuration], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  const between = new URL(url)
  between.hostname = '127.0.0.1'
  between.port = String(listening)
  const isUp = async () => {
    const client = new pg.Client({ connectionString: between.href })
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (tries > 200) throw new Error('PgBouncer does not start')
    await pause(50)
  }
  return {
    url: between.href,
    async close() {
      child.kill('SIGQUIT')
      await exit
      rmSync(home, { recursive: true })
    },
  }
}
