import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { pushLane } from '#features/reminders/delivery/scheduler.ts'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { readOrCreatePushKeys } from '#platform/push/push-key-store.ts'
import { type PushService, startPushService } from '#testing/push-service.ts'
import { isDeep, runs } from '#testing/runs.ts'
import { addRemindedPerson } from '../testing/reminded-person.ts'

const server = join(import.meta.dirname, '../server.ts')
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

// How many may be sent but not yet recorded at the moment of a kill. On a machine so busy that a push takes a second, eight
// slow ones make room for others, as far as the push lane allows.
const mostTwice = pushLane.slots + pushLane.slowSlots
const reminders = runs(10_000, 200)
const people = 50

describePostgresUrl('two processes on one PostgreSQL', (emptyUrl) => {
  it('send every reminder, though one process is killed in the middle, and hardly any twice', {
    timeout: 600_000,
  }, async () => {
    const url = await emptyUrl()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const { publicKey } = await readOrCreatePushKeys(database)
    const service = await startPushService(() => publicKey)
    onTestFinished(() => service.stop())
    const ids = await fill(database, service)
    // Nothing is accepted until the one to be killed is sending and the other one has started, too.
    const goOn = service.holdAll()
    service.takes(10)

    const began = performance.now()
    const killed = start(url)
    await until(() => service.underWay() > 0)
    const other = start(url)
    await until(() => logged(other.log(), 'Started').length > 0)
    goOn()
    await until(() => service.pushed.length >= reminders / 3)
    killed.child.kill('SIGKILL')
    const atKill = service.pushed.length
    await once(killed.child, 'close')
    // Nobody waits for the killed one's claims to expire, but the deep form.
    if (!isDeep) await expireClaims(database)
    await until(async () => (await waiting(database)) === 0)
    const seconds = (performance.now() - began) / 1000
    other.child.kill('SIGTERM')
    await other.ended
    const bySurvivor = logged(other.log(), 'Reminded').reduce((sum, { delivered = 0 }) => sum + delivered, 0)

    const times = new Map<string, number>()
    for (const { message } of service.pushed) times.set(message.id, (times.get(message.id) ?? 0) + 1)
    const twice = [...times.values()].filter((each) => each > 1).length
    process.stderr.write(
      `${reminders} reminders by two processes, one killed after ${atKill}: ${times.size} said, ${twice} of them ` +
        `twice, in ${seconds.toFixed(1)} s; ${service.pushed.length - bySurvivor} by the one that was killed\n`,
    )
    expect(service.wrong).toEqual([])
    expect(ids.filter((id) => !times.has(id))).toEqual([])
    expect(times.size).toBe(reminders)
    expect(twice).toBeLessThanOrEqual(mostTwice)
    expect(Math.max(...times.values())).toBeLessThanOrEqual(2)
    // Both sent some of them.
    expect(bySurvivor).toBeLessThan(service.pushed.length)
    expect(bySurvivor).toBeGreaterThan(reminders / 3)
  })
})

function start(url: string) {
  const child = spawn(process.execPath, [server], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: url,
      AUTH_SECRET: 'a secret of the tests that is long enough',
      PUSH_TO: 'anywhere',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.add(child)
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    log += piece
  })
  return { child, log: () => log, ended: once(child, 'close') }
}

/** The complete lines of a log that say `message`. */
function logged(log: string, message: string): { delivered?: number }[] {
  const lines: { msg?: string; delivered?: number }[] = log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  return lines.filter(({ msg }) => msg === message)
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20)
}

/** How many reminders are still to be sent. */
async function waiting(database: Database): Promise<number> {
  const count = async (table: 'alarms' | 'deliveries') => {
    const counted = database.read.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
    return (await counted.executeTakeFirstOrThrow()).count
  }
  return (await count('alarms')) + (await count('deliveries'))
}

async function expireClaims(database: Database): Promise<void> {
  const key = ['user_id', 'kind', 'row_id', 'target'] as const
  await database.write((tx) => {
    // What the other process is about to record is left alone: it would wait for this, and this for it.
    const claimed = tx.selectFrom('deliveries').select(key).where('claim', 'is not', null)
    return tx
      .updateTable('deliveries')
      .set({ send_at: Date.now() })
      .where(({ eb, refTuple }) =>
        eb(
          refTuple(...key),
          'in',
          claimed
            .forUpdate()
            .skipLocked()
            .$asTuple(...key),
        ),
      )
      .execute()
  })
}

/** To-dos of many people, each with one browser, all due by now; returns their ids. */
async function fill(database: Database, service: PushService): Promise<string[]> {
  const now = Date.now()
  const ids: string[] = []
  for (let person = 0; person < people; person++) {
    const wishes = { now, due: now - 60_000, todos: reminders / people }
    ids.push(...(await addRemindedPerson(database, service, `person-${person}`, wishes)).todos)
  }
  return ids
}
