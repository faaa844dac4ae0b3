import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { freePort } from '#testing/free-port.ts'
import { waitUntil } from '#testing/wait.ts'
import { waits } from '../testing/waiting-step.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daymark-update-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describeEachEngineUrl('A long update', (emptyUrl, engine) => {
  test('tells everybody that Daymark is starting, reports its progress, and keeps every row', async () => {
    const url = await emptyUrl()
    await keepUser(url)
    const open = await holdGate(url)
    const server = await begin(url)
    await server.says(/^Updating the database: step 1 of 1, 9000-waits, \d+ s so far$/)
    expect((await fetch(`${server.address}/api/health/live`)).status).toBe(200)
    for (const path of ['/api/health', '/api/health/ready', '/api/todos', '/api/auth/get-session', '/']) {
      const response = await fetch(server.address + path)
      expect(response.status, path).toBe(503)
      expect(await response.json(), path).toMatchObject({ code: 'STARTING' })
    }
    const seen = server.messages().length
    await waitUntil(() => server.messages().length > seen)

    await open()
    await server.says(/^The database is updated: 1 step in \d+ s$/)
    await server.says(/^Started$/)
    for (const path of ['/api/health', '/api/health/ready', '/api/health/live']) {
      expect((await fetch(server.address + path)).status, path).toBe(200)
    }
    await server.kill()
    expect(await names(url, [...migrations, waits])).toEqual(['ada, updated'])
  })

  test('that is killed has changed nothing, and the previous version still runs', async () => {
    const url = await emptyUrl()
    await keepUser(url)
    const open = await holdGate(url)
    const server = await begin(url)
    await server.says(/step 1 of 1/)
    await server.kill()
    await open()
    expect(await names(url, migrations)).toEqual(['ada'])
  })

  /** What the step waits at until it is opened. */
  async function holdGate(url: string): Promise<() => Promise<void>> {
    if (engine === 'postgres') {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      await client.query('select pg_advisory_lock(9000)')
      return () => client.end()
    }
    const gate = new DatabaseSync(join(folder, 'gate.db'))
    gate.exec('create table passed (number integer); begin exclusive')
    return async () => gate.close()
  }

  async function keepUser(url: string): Promise<void> {
    const db = await openDatabase(url)
    await addUser(db.auth, engine, 'ada')
    await db.close()
  }
})

async function names(url: string, steps: typeof migrations): Promise<string[]> {
  const db = await openDatabase(url, steps)
  try {
    const { rows } = await sql<{ name: string }>`select name from "user"`.execute(db.read)
    return rows.map(({ name }) => name)
  } finally {
    await db.close()
  }
}

/** A server of a newer version, with a step that waits at the gate. */
async function begin(url: string) {
  const port = await freePort()
  const step = fileURLToPath(new URL('../testing/plant-waiting-step.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', step, join(import.meta.dirname, '../server.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: url,
      AUTH_SECRET: 'a secret of a test, long enough to be one',
      GATE: join(folder, 'gate.db'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    log += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk
  })
  const messages = (): string[] => {
    const lines = log.split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line).msg ?? '')
  }
  return {
    address: `http://127.0.0.1:${port}`,
    messages,
    says: (words: RegExp) =>
      waitUntil(() => {
        if (child.exitCode !== null) throw new Error(`The server has ended: ${errors}`)
        return messages().some((message) => words.test(message))
      }),
    kill: () => killed(child),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
