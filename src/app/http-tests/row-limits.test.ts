import { expect, it } from 'vitest'
import { habits } from '#features/habits/testing/habits.ts'
import { lists } from '#features/lists/testing/lists.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import type { RowLimits } from '#platform/database/row-limits.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { cookieOf, openApplication, password } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const day = 86_400_000

describeEachEngine('the row limits of an account', (openEmpty, engine) => {
  async function opened(limits: RowLimits) {
    const database = await openEmpty(limits)
    const daymark = openApplication(database, { clock: () => noon })
    const ada = await daymark.signUp('Ada')
    const ask = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: ada.cookie })
    const exported = async () => {
      const { body } = await ask('GET', '/api/export')
      return {
        lists: body.lists,
        todos: body.todos,
        habits: body.habits,
        focus_sessions: body.focus_sessions,
      }
    }
    let made = 0
    const newId = () => {
      const bytes = new Uint8Array(10)
      new DataView(bytes.buffer).setUint32(6, made++)
      return newRowId(noon, bytes)
    }
    return { database, daymark, ada, ask, exported, newId }
  }

  const habit = (id: string) => habits.file({ id, start_date: '2026-11-01' as Day })
  const list = (id: string) => lists.file({ id })
  const todo = (id: string) => todos.file({ id })
  const session = (id: string) => ({
    id,
    duration: 60,
    started_at: '2026-11-20T10:00:00.000Z',
    ended_at: '2026-11-20T10:01:00.000Z',
    days: [{ day: '2026-11-20', seconds: 60 }],
  })
  const full = (message: string) => ({ status: 422, body: { code: 'TOO_MANY_ROWS', message } })

  it('a list, a todo, a habit and a focus session past the limit are refused with a message, and nothing changes', async () => {
    const { ask, exported, newId } = await opened({ lists: 2, todos: 2, habits: 2, focus_sessions: 2 })
    const add = {
      lists: (id: string) => ask('POST', '/api/lists', { id, name: 'Home' }),
      todos: (id: string) => ask('POST', '/api/todos', { id, title: 'Buy milk' }),
      habits: (id: string) => ask('POST', '/api/habits', { id, name: 'Read', start_date: '2026-11-01' }),
      focus: (id: string) => ask('POST', '/api/focus', { id, duration: 60 }),
    }
    for (const [of, many] of [
      ['lists', 'lists'],
      ['todos', 'tasks'],
      ['habits', 'habits'],
      ['focus', 'focus sessions'],
    ] as const) {
      const first = newId()
      expect((await add[of](first)).status).toBe(201)
      expect((await add[of](newId())).status).toBe(201)
      const before = await exported()
      const words = `An account can have up to 2 ${many}. Delete some first.`
      expect(await add[of](newId())).toMatchObject(full(words))
      expect(await add[of](newId())).toMatchObject(full(words))
      expect(await exported()).toEqual(before)
      // A lost response is requested again.
      expect((await add[of](first)).status).toBe(200)
    }
  })

  it('existing rows can be changed, completed and deleted when there is no room for more', async () => {
    const { ask, newId } = await opened({ todos: 1, habits: 1 })
    const id = newId()
    await ask('POST', '/api/todos', { id, title: 'Buy milk' })
    expect((await ask('POST', '/api/todos', { title: 'Buy bread' })).status).toBe(422)
    expect((await ask('PUT', `/api/todos/${id}/edit`, { title: 'Buy oats' })).status).toBe(200)
    expect((await ask('PUT', `/api/todos/${id}`, { completed: 1 })).status).toBe(200)
    expect((await ask('DELETE', `/api/todos/${id}`)).status).toBe(200)
    expect((await ask('POST', '/api/todos', { title: 'Buy bread' })).status).toBe(201)
  })

  it('deleting makes room at once, but only so often until the deleted rows are purged', async () => {
    const { ask } = await opened({ todos: 4 })
    const add = async () => ask('POST', '/api/todos', { title: 'Buy milk' })
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1) ids.push((await add()).body.todo.id)
    expect((await add()).status).toBe(422)
    await ask('DELETE', `/api/todos/${ids[0]}`)
    expect((await add()).status).toBe(201)
    await ask('DELETE', `/api/todos/${ids[1]}`)
    expect(await add()).toMatchObject(
      full(
        'An account can have up to 4 tasks, plus 1 deleted in the last 30 days. Wait until the deleted ones are permanently removed.',
      ),
    )
  })

  it('a piece with too many rows is refused whole, and rows that exist can be imported again', async () => {
    const { ask, exported, newId } = await opened({
      lists: 1,
      todos: 3,
      habits: 1,
      focus_sessions: 2,
      focus_days: 1,
    })
    const [one, two, three] = [newId(), newId(), newId()]
    const piece = {
      lists: [list(one)],
      todos: [todo(one), todo(two)],
      habits: [habit(one)],
      focus_sessions: [session(one)],
    }
    expect((await ask('POST', '/api/import', piece)).status).toBe(200)
    const before = await exported()
    for (const tooMuch of [
      { todos: [todo(three)], lists: [list(three)] },
      { todos: [todo(three)], habits: [habit(three)] },
      { todos: [todo(three), todo(newId())] },
      { habits: [habit(three)], completions: [{ habit_id: one, days: ['2026-11-02'] }] },
      { todos: [todo(three)], focus_sessions: [session(three)] },
    ]) {
      const refused = await ask('POST', '/api/import', tooMuch)
      expect(refused).toMatchObject({ status: 422, body: { code: 'TOO_MANY_ROWS' } })
      expect(await exported()).toEqual(before)
    }
    expect((await ask('POST', '/api/import', piece)).status).toBe(200)
    expect((await ask('POST', '/api/import', { todos: [todo(one), todo(three)] })).status).toBe(200)
    expect((await exported()).todos).toHaveLength(3)
  })

  it('a day past the limit is not completed; existing days can be undone and completed again', async () => {
    const { ask, exported, newId } = await opened({ completions: 3 })
    const id = newId()
    await ask('POST', '/api/habits', { id, name: 'Read', frequency: 'weekly', start_date: '2026-11-01' })
    const complete = (date: string, completed = true) =>
      ask('POST', `/api/habits/${id}/complete`, { date, completed })
    for (const date of ['2026-11-16', '2026-11-17', '2026-11-18']) {
      expect((await complete(date)).status).toBe(200)
    }
    const before = await exported()
    const words =
      'An account can have up to 3 habit completions. Deleting habits frees up space after 30 days.'
    expect(await complete('2026-11-10')).toMatchObject(full(words))
    expect(
      await ask('POST', '/api/import', { completions: [{ habit_id: id, days: ['2026-11-09'] }] }),
    ).toMatchObject(full(words))
    expect(await exported()).toEqual(before)

    expect((await complete('2026-11-17')).status).toBe(200)
    expect((await complete('2026-11-17', false)).body.habit.recent).toEqual(['2026-11-16', '2026-11-18'])
    expect((await complete('2026-11-17')).body.habit.recent).toHaveLength(3)
    // Undoing a day that was never completed takes no room.
    expect((await complete('2026-11-12', false)).status).toBe(200)
    // The week of three days, without a body.
    const { body } = await ask('POST', `/api/habits/${id}/complete`)
    expect(body.habit).toMatchObject({ completed: false, recent: [] })
    expect((await exported()).habits[0].completions).toEqual([])
    expect((await complete('2026-11-18')).body.habit.completed).toBe(true)
  })

  it('the hundred and first sign-in ends the session that was used longest ago', async () => {
    const { database, daymark, ada, ask } = await opened({})
    const sessionOf = (nth: number) => ({
      id: `session ${nth}`,
      token: `token ${nth}`,
      userId: ada.id,
      expiresAt: instantForAuth(engine, Date.now() + 30 * day),
      createdAt: instantForAuth(engine, Date.now() - nth * 60_000),
      updatedAt: instantForAuth(engine, Date.now() - nth * 60_000),
      ipAddress: null,
      userAgent: null,
    })
    const before = Array.from({ length: 99 }, (_, nth) => sessionOf(nth + 1))
    await database.write((tx) => tx.insertInto('session').values(before).execute())
    const body = { email: ada.email, password }
    const signedIn = await daymark.ask('POST', '/api/auth/sign-in/email', { body })
    expect(signedIn.status).toBe(200)
    const ids = (
      await database.read.selectFrom('session').select('id').where('userId', '=', ada.id).execute()
    ).map(({ id }) => id)
    expect(ids).toHaveLength(100)
    expect(ids).toContain('session 98')
    expect(ids).not.toContain('session 99')
    expect((await daymark.ask('GET', '/api/todos', { cookie: cookieOf(signedIn) })).status).toBe(200)
    expect((await ask('GET', '/api/todos')).status).toBe(200)
  })

  it('of one day, and of what one task has ahead, no more is taken than a list can always read', async () => {
    const { database, ada, ask, exported, newId } = await opened({})
    const water = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
    const id = newId()
    await ask('POST', '/api/habits', { id, name: 'Water', start_date: '2026-11-01', target: water })
    const repeat = { freq: 'day', every: 1, mode: 'due', from: '2026-01-01' }
    const { todo } = (await ask('POST', '/api/todos', { title: 'Water the plants', repeat })).body
    const never = { updated_at: 0, deletion_changed_at: 0 }
    const one = { user_id: ada.id, habit_id: id, day: '2026-11-20' as Day, value: 1, is_set: 0 as const }
    const time = {
      subject_at: 0,
      time_at: 0,
      duration: 60,
      started_at: 0,
      ended_at: noon,
      knows_phases: 1 as const,
    }
    const sessions = Array.from({ length: 300 }, () => newId())
    await database.write(async (tx) => {
      for (const batch of inBatches(Array.from({ length: 500 }, (_, number) => number))) {
        const days = batch.map((number) => ({
          user_id: ada.id,
          todo_id: todo.id,
          day: addDays('2026-11-20' as Day, number),
          state: 'done' as const,
          done_on: '2026-11-20' as Day,
          changed_at: 0,
          moved_to: null,
          moved_at: 0,
        }))
        await tx.insertInto('todo_days').values(days).execute()
      }
      for (const batch of inBatches(Array.from({ length: 300 }, () => newId()))) {
        const amounts = batch.map((amount) => ({
          ...one,
          id: amount,
          settles: null,
          created_at: 0,
          ...never,
        }))
        await tx.insertInto('amounts').values(amounts).execute()
      }
      // With the first one a thousand, which one edit of each week takes nineteen years to reach.
      for (const batch of inBatches(Array.from({ length: 999 }, (_, number) => number))) {
        const from = (number: number) => addDays('2026-10-31' as Day, -number)
        const rhythms = batch.map((number) => ({
          user_id: ada.id,
          habit_id: id,
          from_day: from(number),
          rhythm: '{"every":1}',
          rhythm_at: 0,
          frequency: null,
          frequency_at: 0,
          target: null,
          target_at: 0,
        }))
        await tx.insertInto('rhythms').values(rhythms).execute()
      }
      for (const batch of inBatches(sessions)) {
        const rows = batch.map((session) => ({
          user_id: ada.id,
          id: session,
          kind: 'countdown' as const,
          todo_id: null,
          habit_id: null,
          ...time,
          ended_on: '2026-11-20' as Day,
          created_at: 0,
          ...never,
        }))
        await tx.insertInto('focus_sessions').values(rows).execute()
        const days = batch.map((session_id) => ({
          user_id: ada.id,
          session_id,
          day: '2026-11-20' as Day,
          seconds: 60,
        }))
        await tx.insertInto('focus_days').values(days).execute()
      }
    })
    const before = await exported()
    const enter = { day: '2026-11-20', value: 1 }
    expect(await ask('POST', `/api/habits/${id}/amounts`, enter)).toMatchObject(
      full('A day of a habit can have up to 300 amounts, deleted ones included. Enter more of it at once.'),
    )
    const another = { rhythm: { every: 2 }, from_day: '2026-11-10' }
    expect(await ask('PUT', `/api/habits/${id}`, another)).toMatchObject(
      full('A habit can have up to 1,000 changes of its rhythm and target. Start a new habit instead.'),
    )
    expect(await ask('POST', '/api/focus', { duration: 60 })).toMatchObject(
      full('A day can have up to 300 focus sessions, those of the last 30 days that were deleted included.'),
    )
    expect(await ask('PUT', `/api/todos/${todo.id}/days/2028-06-01`, { state: 'skipped' })).toMatchObject(
      full(
        'A task can have up to 500 settled occurrences that are recent or ahead. Settle further ones later.',
      ),
    )
    const importing = await ask('POST', '/api/import', { focus_sessions: [session(newId())] })
    expect(importing).toMatchObject({ status: 422 })
    expect(await exported()).toEqual(before)
    // Another day has room, and what is settled already can be changed.
    expect((await ask('POST', `/api/habits/${id}/amounts`, { ...enter, day: '2026-11-19' })).status).toBe(201)
    expect((await ask('PUT', `/api/todos/${todo.id}/days/2026-11-21`, { state: 'open' })).status).toBe(200)
    const again = { ...another, from_day: '2026-10-01' }
    expect((await ask('PUT', `/api/habits/${id}`, again)).status).toBe(200)
    expect((await ask('PUT', `/api/todos/${todo.id}/days/2026-02-01`, { state: 'done' })).status).toBe(200)
  })
})
