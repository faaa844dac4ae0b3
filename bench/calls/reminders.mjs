// What 10,000 reminders due at once, half for habits and half for tasks, cost everyone else. A server on SQLite sends
// them as it always does, with real encryption, to a push service in a thread of its own that takes 20 ms for each.
// Meanwhile, somebody reads their list and completes a task, one request after another. Prints how long those requests
// take, and how long they take while nothing is sent. The promise is that none is delayed by more than 50 ms, in the
// worst of all rounds. Other programs on the machine can add to the delay, so the longest uninterrupted work is printed
// too, in processor time.
// `node bench/calls/reminders.mjs [rounds]`
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { remindingOf } from '../../src/app/reminding.ts'
import { todoRows } from '../../src/features/todos/todo/server/todo-rows.ts'
import { dayOf } from '../../src/platform/calendar/day.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { median, share } from '../share.mjs'
import { daymarkOn } from './daymark.mjs'
import { call, signUp } from './person.mjs'

const reminders = 10_000
const people = 100
const todosOfWatcher = 200
const mostDelay = 50
const rounds = Number(process.argv[2] ?? 3)

if (isMainThread) await measure()
else if (workerData.role === 'push service') await servePushes()
else watch()

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { parts, database, listening, address } = await daymarkOn(`sqlite:${join(folder, 'daymark.db')}`, {
    pushTo: 'anywhere',
  })

  const service = new Worker(new URL(import.meta.url), { workerData: { role: 'push service' } })
  const [{ origin }] = await once(service, 'message')
  const members = []
  for (let person = 0; person < people; person += 1) {
    const member = await signUp(address, `person-${person}`)
    await call(member, 'PUT', '/api/reminders/devices', subscription(origin, person))
    members.push(member.user)
  }
  const person = await signUp(address, 'watcher')
  for (let made = 0; made < todosOfWatcher; made += 1) {
    await call(person, 'POST', '/api/todos', { title: `Task ${made}` })
  }
  const watcher = new Worker(new URL(import.meta.url), { workerData: { role: 'watcher', person } })
  await ask(watcher, 'watch')
  await pause(2_000)
  await ask(watcher, 'tell')

  /** @type {Record<'reading' | 'writing', { idle: number[]; idleWorst: number[]; busy: number[]; most: number[]; worst: number[] }>} */
  const seen = {
    reading: { idle: [], idleWorst: [], busy: [], most: [], worst: [] },
    writing: { idle: [], idleWorst: [], busy: [], most: [], worst: [] },
  }
  const times = []
  const inOneGo = []
  for (let round = 0; round < rounds; round += 1) {
    await ask(watcher, 'watch')
    await pause(5_000)
    const idle = await ask(watcher, 'tell')

    await fill(database, members)
    await ask(watcher, 'watch')
    const started = performance.now()
    const longestWork = watchOwnWork()
    const reminding = remindingOf(parts)
    reminding.start()
    while (!(await allSent(database))) await pause(50)
    inOneGo.push(longestWork())
    await reminding.close(1_000)
    times.push((performance.now() - started) / 1000)
    const busy = await ask(watcher, 'tell')
    for (const kind of /** @type {const} */ (['reading', 'writing'])) {
      seen[kind].idle.push(median(idle[kind]))
      seen[kind].idleWorst.push(Math.max(...idle[kind]))
      seen[kind].busy.push(median(busy[kind]))
      seen[kind].most.push(share(busy[kind], 0.99))
      seen[kind].worst.push(Math.max(...busy[kind]))
    }
  }
  const { taken } = await ask(service, 'count')
  if (taken !== reminders * rounds) throw new Error(`${taken} reminders arrived of ${reminders * rounds}`)

  const lines = [
    `${reminders} reminders, ${rounds} rounds: all sent after ${median(times).toFixed(1)} s (median), once each`,
  ]
  let delay = 0
  for (const [kind, { idle, idleWorst, busy, most: ninetyNine, worst }] of Object.entries(seen)) {
    const most = Math.max(...worst) - median(idle)
    delay = Math.max(delay, most)
    lines.push(
      `  ${kind}  median ${ms(median(busy))} (idle ${ms(median(idle))})   99 % ${ms(median(ninetyNine))}   longest ${ms(Math.max(...worst))}, in the median round ${ms(median(worst))} (idle ${ms(median(idleWorst))})   delayed by ${ms(most)} at most`,
    )
  }
  lines.push(`  longest work in one go ${ms(Math.max(...inOneGo))} of the processor`)
  lines.push(`longest delay ${ms(delay)} (at most ${mostDelay} ms)`)
  process.stdout.write(`${lines.join('\n')}\n`)

  await Promise.all([watcher.terminate(), service.terminate()])
  parts.pusher.close()
  await listening.close(1_000)
  await database.close()
  process.exit(delay <= mostDelay ? 0 : 1)
}

/** The longest that this thread has worked without yielding, to the millisecond. */
function watchOwnWork() {
  let longest = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, now.user + now.system - last.user - last.system)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return longest / 1000
  }
}

/** In a thread: accepts pushes as slowly as a push service on the internet. */
async function servePushes() {
  let taken = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () =>
      setTimeout(() => {
        taken += 1
        response.writeHead(201).end()
      }, 20),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  parentPort?.on('message', () => parentPort?.postMessage({ taken }))
  parentPort?.postMessage({ origin: `http://127.0.0.1:${address.port}` })
}

/** In a thread: reads a list and completes one of its tasks, in turn, and records how long each request took. */
function watch() {
  let watching = false
  /** @type {Promise<void>} */
  let last = Promise.resolve()
  /** @type {{ reading: number[]; writing: number[] }} */
  let took = { reading: [], writing: [] }
  parentPort?.on('message', async (order) => {
    if (order === 'watch') {
      took = { reading: [], writing: [] }
      watching = true
      last = askOnAndOn()
      parentPort?.postMessage({})
    } else {
      watching = false
      await last
      parentPort?.postMessage(took)
    }
  })
  async function askOnAndOn() {
    const { person } = workerData
    for (let turn = 0; watching; turn += 1) {
      const started = performance.now()
      const { todos } = await (await call(person, 'GET', '/api/todos')).json()
      const read = performance.now()
      const todo = todos[turn % todos.length]
      const ticked = await call(person, 'PUT', `/api/todos/${todo.id}`, { completed: todo.completed ? 0 : 1 })
      await ticked.arrayBuffer()
      took.reading.push(read - started)
      took.writing.push(performance.now() - read)
      // As people do, and so that the watcher isn't itself the load.
      await pause(5)
    }
  }
}

/** @param {import('../../src/platform/database/database.ts').Database} database */
async function allSent(database) {
  const due = await database.read
    .selectFrom('alarms')
    .select('row_id')
    .where('due_at', '<=', Date.now())
    .limit(1)
    .execute()
  const waiting = await database.read.selectFrom('deliveries').select('row_id').limit(1).execute()
  return due.length + waiting.length === 0
}

/**
 * Habits and tasks for all of these people, all with a reminder due by now.
 * @param {import('../../src/platform/database/database.ts').Database} database
 * @param {string[]} members
 */
async function fill(database, members) {
  const now = Date.now()
  const minute = Math.floor(now / 60_000)
  for (const user of members) {
    const ids = Array.from({ length: reminders / people / 2 }, (_, place) =>
      newRowId(now + place, randomBytes(10)),
    )
    const changed = { created_at: now, updated_at: now, deleted_at: null, deletion_changed_at: now }
    await database.write(async (tx) => {
      for (const id of ids) {
        await tx
          .insertInto('todos')
          .values({ ...todoRows.newRow(user, id, { title: `Task ${id}` }, now), remind_at: now })
          .execute()
        await tx
          .insertInto('habits')
          .values({
            user_id: user,
            id,
            name: `Habit ${id}`,
            name_at: now,
            description: '',
            description_at: now,
            start_day: dayOf(now, 'UTC', 0),
            start_at: now,
            position_at: now,
            archive_changed_at: now,
            reminder_time: minute % 1_440,
            reminder_weekdays: '1234567',
            reminder_changed_at: now,
            ...changed,
          })
          .execute()
        await tx
          .insertInto('rhythms')
          .values({
            user_id: user,
            habit_id: id,
            from_day: dayOf(now, 'UTC', 0),
            rhythm: '{"every":1}',
            rhythm_at: now,
            target: '"yes"',
            target_at: now,
          })
          .execute()
        await tx
          .insertInto('alarms')
          .values([
            { user_id: user, kind: 'todo', row_id: id, due_at: now },
            { user_id: user, kind: 'habit', row_id: id, due_at: minute * 60_000 },
          ])
          .execute()
      }
    })
  }
}

/**
 * @param {string} origin
 * @param {number} number
 */
function subscription(origin, number) {
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  return { endpoint: `${origin}/push/${number}`, keys }
}

/**
 * @param {Worker} thread
 * @param {'watch' | 'tell' | 'count'} order
 */
async function ask(thread, order) {
  const answered = once(thread, 'message')
  thread.postMessage(order)
  const [answer] = await answered
  return answer
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** @param {number} milliseconds */
function ms(milliseconds) {
  return `${milliseconds.toFixed(1)} ms`
}
