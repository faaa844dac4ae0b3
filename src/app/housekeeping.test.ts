import { pino } from 'pino'
import { expect, it } from 'vitest'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import type { Pace } from '#platform/database/rows/delete-rows.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { waitUntil } from '#testing/wait.ts'
import { keepTidy, tidy } from './housekeeping.ts'
import { openApplication, password } from './testing/application.ts'
import { dump } from './testing/dump.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const day = 24 * 60 * 60 * 1000

/** Tasks that their user deleted at an instant, each with a tag. */
async function addDeleted(database: Database, user: string, count: number, at: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, place) =>
    newRowId(at, new Uint8Array(10).fill(place).fill(place >> 8, 5)),
  )
  const rows = ids.map((id) => ({
    ...todoRows.newRow(user, id, { title: 'Deleted' }, at),
    deleted_at: at,
  }))
  await database.write(async (tx) => {
    for (const batch of inBatches(rows)) await tx.insertInto('todos').values(batch).execute()
    const tag = { user_id: user, tag: 'home', spelling: 'home', is_on: 1 as const, changed_at: at }
    const tags = ids.map((id) => ({ ...tag, todo_id: id }))
    for (const batch of inBatches(tags)) await tx.insertInto('todo_tags').values(batch).execute()
  })
  return ids
}

async function countRows(database: Database, table: 'todos' | 'todo_tags' = 'todos'): Promise<number> {
  return (await database.read.selectFrom(table).select('user_id').execute()).length
}

/** A pace whose clock moves on by so many milliseconds whenever it is read, and whose rests only call `during`. */
function steppedPace(step: number, during: (milliseconds: number) => Promise<void>): Pace {
  let now = 0
  return {
    clock() {
      now += step
      return now
    },
    pause: during,
  }
}

describeEachEngine('tidying up', (openEmpty) => {
  it('forgets what was deleted more than 30 days ago, and nothing else', async () => {
    const database = await openEmpty()
    let now = noon
    const daymark = openApplication(database, { clock: () => now })
    const { id, cookie } = await daymark.signUp('Ada')
    const add = async (title: string) =>
      (await daymark.ask('POST', '/api/todos', { cookie, body: { title, completed: 0 } })).body.todo.id
    const [long, just] = [await add('Deleted long ago'), await add('Deleted just now')]
    await add('Kept')
    await daymark.ask('DELETE', `/api/todos/${long}`, { cookie })
    const focus = async (duration: number) =>
      (await daymark.ask('POST', '/api/focus', { cookie, body: { duration } })).body.session.id
    const [longFocus, justFocus] = [await focus(101), await focus(202)]
    await focus(303)
    await daymark.ask('DELETE', `/api/focus/${longFocus}`, { cookie })
    now = noon + day
    await daymark.ask('DELETE', `/api/todos/${just}`, { cookie })
    await daymark.ask('DELETE', `/api/focus/${justFocus}`, { cookie })

    await tidy(database, daymark.auth, noon + 30 * day + 1)

    const { todos, focus_sessions, focus_days } = await dump(database, id)
    expect(todos?.join()).not.toContain('Deleted long ago')
    expect(todos?.join()).toContain('Deleted just now')
    expect(todos?.join()).toContain('Kept')
    const durations = focus_sessions?.map((row) => JSON.parse(row).duration)
    expect(durations?.toSorted()).toEqual([202, 303])
    expect(focus_days?.map((row) => JSON.parse(row).seconds).toSorted()).toEqual([202, 303])
  })

  it('forgets sign-in sessions that ended and calls that were counted, and signs nobody out', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { settings: { rateLimit: true } })
    const { email, cookie } = await daymark.signUp('Ada')
    await daymark.ask('POST', '/api/auth/sign-in/email', { body: { email, password } })
    const { adapter } = await daymark.auth.$context
    const [token = ''] = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')
    await adapter.update({
      model: 'session',
      where: [{ field: 'token', operator: 'ne', value: token }],
      update: { expiresAt: new Date(Date.now() - 1) },
    })
    expect(await dump(database)).toMatchObject({ session: [expect.any(String), expect.any(String)] })

    await tidy(database, daymark.auth, Date.now())

    expect(await dump(database)).toMatchObject({ session: [expect.stringContaining(`"${token}"`)] })
    expect((await dump(database)).rateLimit).toHaveLength(2)
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(200)

    await tidy(database, daymark.auth, Date.now() + 2 * 60 * 60 * 1000)
    expect((await dump(database)).rateLimit).toHaveLength(0)
  })

  it('forgets the links for a new password that nobody followed in time', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    const { email } = await daymark.signUp('Ada')
    await daymark.ask('POST', '/api/auth/request-password-reset', { body: { email } })
    await daymark.mailer?.close(5_000)

    await tidy(database, daymark.auth, Date.now())
    expect((await dump(database)).verification).toHaveLength(1)
    await tidy(database, daymark.auth, Date.now() + 61 * 60 * 1000)
    expect((await dump(database)).verification).toHaveLength(0)
  })

  async function openWithDeleted(count: number, at = noon) {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const ada = await daymark.signUp('Ada')
    const ids = await addDeleted(database, ada.id, count, at)
    const purge = (pace: Pace) => tidy(database, daymark.auth, noon + 31 * day, pace)
    return { database, daymark, ada, ids, purge }
  }

  it('purges a few rows at a time, and rests nine times as long after each, while others write', async () => {
    const { database, daymark, purge } = await openWithDeleted(400)
    const grace = await daymark.signUp('Grace')
    const rests: number[] = []
    let left = 400
    await purge(
      steppedPace(1, async (milliseconds) => {
        rests.push(milliseconds)
        const now = (await countRows(database)) - rests.length + 1
        expect(now).toBeLessThan(left)
        left = now
        const body = { title: 'Written in between', completed: 0 }
        expect((await daymark.ask('POST', '/api/todos', { cookie: grace.cookie, body })).status).toBe(201)
      }),
    )
    expect(rests.length).toBeGreaterThan(1)
    // The clock is read when a slice is asked for, when it begins, when it ends, and when it is committed.
    expect(new Set(rests)).toEqual(new Set([9 * 3]))
    expect(await countRows(database)).toBe(rests.length)
    expect(await countRows(database, 'todo_tags')).toBe(0)
  })

  it('purges fewer rows at a time where they take longer', async () => {
    const slices = async (step: number) => {
      const { database, purge } = await openWithDeleted(600)
      let count = 0
      await purge(
        steppedPace(step, async () => {
          count += 1
        }),
      )
      expect(await countRows(database)).toBe(0)
      return count
    }
    expect(await slices(0.01)).toBeLessThan(await slices(1_000))
  })

  it('ends after the slice under way when it is stopped, and goes on the next time', async () => {
    const { database, purge } = await openWithDeleted(400)
    const stopping = new AbortController()
    await purge({ ...steppedPace(1, async () => stopping.abort()), signal: stopping.signal })
    const left = await countRows(database)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(400)
    await purge({ rest: 0 })
    expect(await countRows(database)).toBe(0)
  })

  it('keeps what is restored during a rest, with everything that belongs to it', async () => {
    const { database, daymark, ada, ids, purge } = await openWithDeleted(400)
    const last = ids.toSorted().at(-1)
    let restored = false
    await purge(
      steppedPace(1, async () => {
        if (restored) return
        restored = true
        const { status } = await daymark.ask('POST', `/api/todos/${last}/restore`, { cookie: ada.cookie })
        expect(status).toBe(200)
      }),
    )
    const { todos, todo_tags } = await dump(database, ada.id)
    expect(todos?.map((row) => JSON.parse(row).id)).toEqual([last])
    expect(todo_tags?.map((row) => JSON.parse(row).todo_id)).toEqual([last])
  })

  it('a server that closes does not wait for the end of a purge, and the next one goes on with it', async () => {
    const { database, daymark } = await openWithDeleted(3_000, Date.now() - 31 * day)
    const log = pino({ level: 'silent' })
    const stop = keepTidy(database, daymark.auth, log)
    await waitUntil(async () => (await countRows(database)) < 3_000)
    await stop()
    const left = await countRows(database)
    expect(left).toBeGreaterThan(0)
    const stopAgain = keepTidy(database, daymark.auth, log)
    await waitUntil(async () => (await countRows(database)) < left)
    await stopAgain()
  })

  it('a server that starts logs how many rows were changed while a clock was ahead, and nothing about them', async () => {
    const database = await openEmpty()
    const tomorrow = openApplication(database, { clock: () => Date.now() + day })
    const { cookie } = await tomorrow.signUp('Ada')
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
    await keepTidy(database, tomorrow.auth, log)()
    expect(lines).toEqual([])
    await tomorrow.ask('POST', '/api/todos', { cookie, body: { title: 'Bread', completed: 0 } })
    const stop = keepTidy(database, tomorrow.auth, log)
    await waitUntil(async () => lines.length > 0)
    await stop()
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        rows: 1,
        accounts: 1,
        msg: expect.stringMatching(/^Rows are dated in the future .*changes set-to-now$/),
      },
    ])
  })
})
