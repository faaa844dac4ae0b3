import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { freePort } from '#testing/free-port.ts'
import { isDeep } from '#testing/runs.ts'
import { waitUntil } from '#testing/wait.ts'
import { startBalancer } from '../testing/balancer.ts'

const timeout = 600_000
const nextVersion = fileURLToPath(new URL('../testing/next-version.ts', import.meta.url))

describePostgresUrl('Two versions on one database', (emptyUrl) => {
  test('a rolling update that only adds: no request fails, nothing is stale and nothing is lost', {
    timeout,
  }, async () => {
    const url = await emptyUrl()
    const older = await Promise.all(isDeep ? [start(url), start(url)] : [start(url)])
    const balancer = await startBalancer(older.map(({ port }) => port))
    onTestFinished(() => balancer.close())
    const load = await startLoad(balancer.address, isDeep ? 12 : 4)
    onTestFinished(async () => void (await load.stop()))
    for (const [place, each] of older.entries()) {
      const newer = await start(url, 'adds')
      balancer.add(newer.port)
      await load.goOn(20)
      each.child.kill('SIGTERM')
      expect(await each.ended, `the older process ${place}`).toBe(0)
      await load.goOn(isDeep ? 2_000 : 20)
    }
    const { failures, acknowledged, found } = await load.stop()
    expect(failures).toEqual([])
    expect(found).toEqual(acknowledged)
  })

  test('an update that changes tables: an older process says why it serves no more, stores nothing, and ends', {
    timeout,
  }, async () => {
    const url = await emptyUrl()
    const older = await start(url)
    const port = await freePort()
    const balancer = await startBalancer([older.port, port])
    onTestFinished(() => balancer.close())
    const load = await startLoad(balancer.address, isDeep ? 12 : 3)
    onTestFinished(async () => void (await load.stop()))
    const watching = watch(older, load.cookie)
    const newer = await start(url, 'changes', port)
    expect(await older.ended).toBe(1)
    expect(older.said()).toContain('A newer Daymark has updated the database, so this one ends')
    const seen = await watching
    const told = seen.map(({ seconds, responses }) => `${seconds} s: ${responses.join(', ')}`)
    process.stderr.write(`An older process, its habits, health, ready and live: ${told.join(' → ')}\n`)
    expect(seen.at(0)?.responses).toEqual(['200', '200', '200', '200'])
    for (const [place, order] of [habits, health, ready, live].entries()) {
      const inTurn = seen.map(({ responses }) => order.indexOf(responses[place] ?? ''))
      expect(inTurn, 'never anything else, and never back').toEqual(inTurn.toSorted((a, b) => a - b))
      expect(inTurn).not.toContain(-1)
    }
    await load.goOn(20)
    const { failures, acknowledged, found } = await load.stop()
    expect(
      failures.filter((failure) => !/^(503 (UPDATING|NEWER_VERSION_RUNS|STARTING)|502)/.test(failure)),
    ).toEqual([])
    expect(found).toEqual(acknowledged)
    expect(newer.child.exitCode).toBeNull()
  })
})

interface Process {
  child: ChildProcess
  port: number
  ended: Promise<number | null>
  said(): string
}

/** A server of this version, or of the next one with that step. Resolves once it is ready. */
async function start(url: string, next?: string, at?: number): Promise<Process> {
  const port = at ?? (await freePort())
  const server = join(import.meta.dirname, '../server.ts')
  const child = spawn(process.execPath, [...(next ? ['--import', nextVersion] : []), server], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: url,
      AUTH_SECRET: 'a secret of a test, long enough to be one',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      ...(next && { NEXT_VERSION: next }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`It ended instead of serving: ${said}`)
    return said.includes('Daymark is ready')
  })
  return { child, port, ended, said: () => said }
}

/** People who write, and see what they have written, until they are told to stop. */
async function startLoad(address: string, people: number) {
  const failures: string[] = []
  const acknowledged: string[] = []
  let [rounds, going] = [0, true]

  async function ask(cookie: string, method: string, path: string, body?: object) {
    const response = await fetch(address + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text
    failures.push(`${response.status} ${code}`)
    return undefined
  }

  const titlesOf = async (cookie: string): Promise<string[] | undefined> =>
    (await ask(cookie, 'GET', '/api/todos'))?.todos.map(({ title }: { title: string }) => title)

  async function writeAndRead(person: number, cookie: string): Promise<void> {
    const own: string[] = []
    while (going) {
      const title = `${person}-${own.length}-${rounds}`
      const added = await ask(cookie, 'POST', '/api/todos', { title, completed: 0 })
      if (added) {
        own.push(title)
        acknowledged.push(title)
      }
      const titles = await titlesOf(cookie)
      const missing = titles && own.filter((each) => !titles.includes(each))
      if (missing && missing.length > 0) failures.push(`stale: ${missing.length} are not in the list`)
      if (added) rounds += 1
      await pause(20)
    }
  }

  const cookies = await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      const response = await fetch(`${address}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Ada', email: `p${person}@example.org`, password: 'correct horse' }),
      })
      if (!response.ok) throw new Error(`The sign-up answered ${response.status}: ${await response.text()}`)
      return response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ')
    }),
  )
  const working = cookies.map((cookie, person) => writeAndRead(person, cookie))
  return {
    cookie: cookies[0] ?? '',
    /** Resolves after so many more rounds of them all. */
    async goOn(more: number): Promise<void> {
      const until = rounds + more
      await waitUntil(() => {
        if (failures.length > 50_000) throw new Error(`Everything fails: ${failures.at(-1)}`)
        return rounds >= until
      })
    },
    async stop() {
      going = false
      await Promise.all(working)
      const found = (await Promise.all(cookies.map(titlesOf))).flatMap((titles) => titles ?? [])
      return { failures, acknowledged: acknowledged.toSorted(), found: found.toSorted() }
    },
  }
}

// What an older process may answer beside a newer one, in this order.
const habits = ['200', 'UPDATING', 'NEWER_VERSION_RUNS', 'gone']
const health = habits
const ready = ['200', 'UPDATING', 'NEWER_VERSION_RUNS', 'STOPPING', 'gone']
const live = ['200', 'gone']

/** What a process responds, each time that it changes, until it is gone. */
async function watch({ port, child }: Process, cookie: string) {
  const began = performance.now()
  const seen: { seconds: string; responses: string[] }[] = []
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } }).then(
      async (response) =>
        response.status === 503 ? String((await response.json()).code) : String(response.status),
      () => 'gone',
    )
  while (child.exitCode === null) {
    const responses = []
    // One after another: each may be the first to find out.
    for (const path of ['/api/habits', '/api/health', '/api/health/ready', '/api/health/live'])
      responses.push(await ask(path))
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    if (seen.at(-1)?.responses.join() !== responses.join()) seen.push({ seconds, responses })
    await pause(20)
  }
  return seen
}
