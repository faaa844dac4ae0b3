import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { waitUntil } from '#testing/wait.ts'
import { inBatches } from '../batches.ts'
import type { Change } from '../changes.ts'
import type { Database } from '../database.ts'
import { neverRestored } from '../deletion.ts'
import { addUser } from '../testing/add-user.ts'
import { describeEachEngine } from '../testing/engines.ts'
import { countFutureRows } from './count-future-rows.ts'
import { mendFutureInstants } from './mend-future-instants.ts'
import { instantKinds, mergedTables } from './merge-instants.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const fiveDays = 5 * 24 * 60 * 60 * 1000
const ahead = now + fiveDays
const becomes = now - 60_000
const when = { now, becomes }

type Values = Record<string, string | number | null>

/** Rows as an older version of this program could have stored them: no store of today would write them. */
async function insert(db: Database, table: string, rows: readonly Values[]): Promise<void> {
  await db.write(async (tx) => {
    for (const batch of inBatches(rows)) {
      const columns = Object.keys(batch[0] ?? {})
      const values = batch.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
      await sql`
        insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
        values ${sql.join(values)}`.execute(tx)
    }
  })
}

async function read(db: Database, table: string, user: string): Promise<Values[]> {
  const { rows } = await sql<Values>`select * from ${sql.table(table)} where user_id = ${user}`.execute(
    db.read,
  )
  return rows
}

/** Every instant of it is `at`. */
const synced = (id: string, at: number, user = 'ada') => ({
  ...{ user_id: user, id, created_at: at, updated_at: at, deletion_changed_at: at },
})
const todo = (id: string, at: number, others: Values = {}) => ({
  ...synced(id, at),
  ...{ title: `Task ${id}`, title_at: at, completed: 0, completed_changed_at: at },
  ...others,
})
const habit = (id: string, at: number) => ({
  ...synced(id, at),
  ...{ name: 'Read', name_at: at, description: '', description_at: at, start_day: '2026-01-01' },
  ...{ earlier_name: 'a name', earlier_from: '2026-11-01', earlier_sum: '{}' },
})

/** A row in each table, all of whose instants are `at`. */
async function insertOneOfEach(db: Database, at: number): Promise<void> {
  const user_id = 'ada'
  const day = '2026-11-20'
  await insert(db, 'todos', [
    todo('t', at, {
      ...{ due_day_at: at, remind_changed_at: at, list_id_at: at, position_at: at, parent_id_at: at },
      ...{ note_at: at, priority_at: at, estimate_at: at, tags_at: at, repeat_at: at, imported_at: at },
      ...{ completed_at: at, remind_at: at, reminded_at: at, deleted_at: at },
    }),
  ])
  await insert(db, 'todo_tags', [
    { user_id, todo_id: 't', tag: 'home', spelling: 'home', is_on: 1, changed_at: at },
  ])
  await insert(db, 'todo_days', [
    { user_id, todo_id: 't', day, state: 'done', changed_at: at, moved_at: at, imported_at: at },
  ])
  await insert(db, 'tag_changes', [{ user_id, tag: 'home', renamed_to: 'house', changed_at: at }])
  await insert(db, 'lists', [
    {
      ...synced('l', at),
      ...{ name: 'Work', name_at: at, color: 1, color_at: at, position: 'a0', position_at: at },
      ...{ sort: 'newest', sort_at: at, archived_at: at, archive_changed_at: at, imported_at: at },
    },
  ])
  const others = { reminder_changed_at: at, position_at: at, archive_changed_at: at, imported_at: at }
  await insert(db, 'habits', [{ ...habit('h', at), ...others, archived_at: at }])
  await insert(db, 'rhythms', [
    { user_id, habit_id: 'h', from_day: day, rhythm_at: at, frequency_at: at, target_at: at },
  ])
  await insert(db, 'completions', [
    { user_id, habit_id: 'h', day, done: 1, changed_at: at, note_at: at, imported_at: at },
  ])
  await insert(db, 'amounts', [
    { ...synced('a', at), habit_id: 'h', day, value: 1000, is_set: 0, imported_at: at },
  ])
  await insert(db, 'pauses', [
    { ...synced('p', at), from_day: day, from_day_at: at, to_day_at: at, imported_at: at },
  ])
  await insert(db, 'focus_sessions', [
    {
      ...synced('s', at),
      ...{ duration: 60, started_at: at, ended_at: at, ended_on: day, subject_at: at, time_at: at },
      imported_at: at,
    },
  ])
  await insert(db, 'focus_timers', [{ user_id, timer: '{}', changed_at: at }])
  await insert(db, 'preferences', [
    {
      ...{ user_id, time_zone: 'UTC', time_zone_follows_browser: 0, time_zone_at: at },
      ...{ day_start: 0, day_start_at: at, week_start: 1, week_start_at: at, theme: 'dark', theme_at: at },
      ...{ todos_sort_at: at, start_page_at: at, focus_plan_at: at },
    },
  ])
}

describeEachEngine('instants of the future', (openEmpty, engine) => {
  async function openWithAda() {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    return db
  }

  it('of every column that holds an instant of a user’s row, it is known whether changes merge by it', async () => {
    const db = await openEmpty()
    const there: Record<string, string[]> = {}
    for (const { name, columns } of await db.read.introspection.getTables()) {
      const names = columns.map((column) => column.name)
      const instants = names.filter((column) => column.endsWith('_at'))
      if (names.includes('user_id') && instants.length > 0) there[name] = instants.toSorted()
    }
    const known = Object.entries(instantKinds).map(([table, kinds]) => [table, Object.keys(kinds).toSorted()])
    expect(Object.fromEntries(known)).toEqual(there)
    const merging = Object.entries(instantKinds).flatMap(([table, kinds]) =>
      Object.values(kinds).includes('merges') ? [table] : [],
    )
    expect(mergedTables.map(({ table }) => table).toSorted()).toEqual(merging.toSorted())
  })

  it('become past, in every table and column by which changes merge, and in no other', async () => {
    const db = await openWithAda()
    await insertOneOfEach(db, ahead)
    expect(await countFutureRows(db.read, now, { rest: 0 })).toEqual({
      rows: mergedTables.length,
      users: new Set(['ada']),
    })
    expect(await mendFutureInstants(db, 'ada', when)).toBe(mergedTables.length)
    for (const { table, instants } of mergedTables) {
      const [row = {}] = await read(db, table, 'ada')
      for (const [column, value] of Object.entries(row)) {
        if (!column.endsWith('_at') || value === null || value === 0) continue
        expect([table, column, value]).toEqual([table, column, instants.includes(column) ? becomes : ahead])
      }
    }
    expect(await countFutureRows(db.read, now, { rest: 0 })).toEqual({ rows: 0, users: new Set() })
    expect(await mendFutureInstants(db, 'ada', when)).toBe(0)
  })

  it('are those more than 5 s ahead, of this account alone', async () => {
    const db = await openWithAda()
    await addUser(db.auth, engine, 'bea')
    await insert(db, 'todos', [
      todo('near', now + 5_000),
      { ...todo('far', now - 1), note_at: now + 5_001 },
      { ...todo('hers', ahead), user_id: 'bea' },
    ])
    const hers = await read(db, 'todos', 'bea')
    expect(await mendFutureInstants(db, 'ada', when)).toBe(1)
    const rows = await read(db, 'todos', 'ada')
    expect(rows.find(({ id }) => id === 'near')?.title_at).toBe(now + 5_000)
    expect(rows.find(({ id }) => id === 'far')).toMatchObject({ title_at: now - 1, note_at: becomes })
    expect(await read(db, 'todos', 'bea')).toEqual(hers)
    expect(await countFutureRows(db.read, now, { rest: 0 })).toEqual({ rows: 1, users: new Set(['bea']) })
  })

  it('are none of a row that is being purged: it must not come back', async () => {
    const db = await openWithAda()
    await insert(db, 'todos', [
      todo('t', ahead, { deleted_at: now - fiveDays, deletion_changed_at: neverRestored }),
    ])
    await mendFutureInstants(db, 'ada', when)
    expect(await read(db, 'todos', 'ada')).toMatchObject([
      { title_at: becomes, deletion_changed_at: neverRestored },
    ])
  })

  it('keep their order, by which it is known what was done last', async () => {
    const db = await openWithAda()
    const set = { habit_id: 'h', day: '2026-11-20', is_set: 1 }
    await insert(db, 'habits', [habit('h', now - fiveDays)])
    await insert(db, 'amounts', [
      { ...synced('c', ahead + 1), ...set, value: 1 },
      { ...synced('a', ahead + 86_400_000), ...set, value: 3 },
      { ...synced('b', ahead + 2), ...set, value: 2 },
    ])
    await insert(db, 'todos', [
      { ...todo('parent', ahead), deleted_at: ahead, updated_at: ahead + 10 },
      { ...todo('subtask', ahead, { parent_id: 'parent' }), updated_at: ahead + 11 },
      {
        ...todo('changed since it was imported', ahead, { imported_at: ahead + 20 }),
        updated_at: ahead + 21,
      },
    ])
    await mendFutureInstants(db, 'ada', when)
    const amounts = await read(db, 'amounts', 'ada')
    const inOrder = amounts.toSorted((one, other) => Number(one.created_at) - Number(other.created_at))
    expect(inOrder.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(inOrder.at(-1)?.created_at).toBe(becomes)
    expect(Number(inOrder[0]?.created_at)).toBeGreaterThan(becomes - 1_000)
    const todos = Object.groupBy(await read(db, 'todos', 'ada'), ({ id }) => String(id))
    const instant = (id: string, column: string) => Number(todos[id]?.[0]?.[column])
    expect(instant('subtask', 'updated_at')).toBeGreaterThan(instant('parent', 'updated_at'))
    const imported = 'changed since it was imported'
    expect(instant(imported, 'updated_at')).toBeGreaterThan(instant(imported, 'imported_at'))
  })

  it('of a tag go past each other and past what is there already', async () => {
    const db = await openWithAda()
    const tag = { user_id: 'ada', todo_id: 't', tag: 'home', spelling: 'home' }
    await insert(db, 'todo_tags', [
      { ...tag, is_on: 0, changed_at: becomes },
      { ...tag, is_on: 0, changed_at: ahead },
      { ...tag, is_on: 1, changed_at: ahead + 1 },
    ])
    expect(await mendFutureInstants(db, 'ada', when)).toBe(2)
    const presses = await read(db, 'todo_tags', 'ada')
    expect(presses.map(({ changed_at, is_on }) => [changed_at, is_on]).toSorted()).toEqual([
      [becomes - 1, 0],
      [becomes, 1],
    ])
  })

  it('make a habit forget the sums that were made by their order, and no other habit', async () => {
    const db = await openWithAda()
    const old = now - fiveDays
    await insert(db, 'habits', [habit('h', old), habit('m', old), habit('other', old)])
    const year = { user_id: 'ada', year: 2025, days: 'packed' }
    await insert(
      db,
      'habit_years',
      ['h', 'm', 'other'].map((habit_id) => ({ ...year, habit_id })),
    )
    await insert(db, 'amounts', [
      { ...synced('a', ahead), habit_id: 'h', day: '2026-11-20', value: 1, is_set: 1 },
    ])
    const time = { duration: 60, started_at: old, ended_at: old, ended_on: '2026-11-20' as Day, time_at: old }
    await insert(db, 'focus_sessions', [
      { ...synced('s', old), ...time, habit_id: 'm', subject_at: ahead },
      { ...synced('of a habit that is gone', old), ...time, habit_id: 'gone', subject_at: ahead },
    ])
    expect(await mendFutureInstants(db, 'ada', when)).toBe(3)
    expect((await read(db, 'habit_years', 'ada')).map(({ habit_id }) => habit_id)).toEqual(['other'])
    const summed = (await read(db, 'habits', 'ada')).filter(({ earlier_sum }) => earlier_sum !== null)
    expect(summed.map(({ id }) => id)).toEqual(['other'])
  })

  it('are mended a few hundred rows in each write, of which other devices hear', async () => {
    const db = await openWithAda()
    const rows = Array.from({ length: 1_150 }, (_, place) =>
      todo(`t${place}`, place % 3 ? ahead + place : now),
    )
    await insert(db, 'todos', rows)
    const heard: (Change | undefined)[] = []
    const leave = db.changes.listen('ada', (change) => heard.push(change))
    const future = rows.filter(({ title_at }) => title_at > now).length
    expect(await mendFutureInstants(db, 'ada', when)).toBe(future)
    leave()
    // Whoever begins to listen to other processes is told first that something may have changed before.
    const told = heard.filter((change) => change !== undefined)
    expect(told.map(({ lists }) => lists)).toEqual([['todos'], ['todos'], ['todos']])
    expect(new Set(told.map(({ revision }) => revision)).size).toBe(3)
  })

  it('that an interrupted run left are mended by the next one', async () => {
    const db = await openWithAda()
    const rows = Array.from({ length: 1_100 }, (_, place) => todo(`t${place}`, ahead + place))
    await insert(db, 'todos', rows)
    let writes = 0
    const writeFor: Database['writeFor'] = async (...write) => {
      writes += 1
      if (writes === 2) throw new Error('The process was killed')
      return db.writeFor(...write)
    }
    await expect(mendFutureInstants({ ...db, writeFor }, 'ada', when)).rejects.toThrow('killed')
    expect(await mendFutureInstants(db, 'ada', when)).toBe(600)
    expect(await countFutureRows(db.read, now, { rest: 0 })).toEqual({ rows: 0, users: new Set() })
  })

  it.skipIf(engine === 'sqlite')(
    'of rows that somebody is changing are mended as soon as they are free',
    async () => {
      const db = await openWithAda()
      const old = now - fiveDays
      await insert(db, 'habits', [habit('h', old)])
      await insert(db, 'amounts', [
        { ...synced('a', ahead), habit_id: 'h', day: '2026-11-20', value: 1, is_set: 1 },
      ])
      await insert(db, 'todos', [todo('busy', ahead), todo('free', ahead)])
      const gate = Promise.withResolvers<void>()
      const locked = Promise.withResolvers<void>()
      const changing = db.write(async (tx) => {
        await sql`select id from todos where id = 'busy' for update`.execute(tx)
        await sql`select id from habits where id = 'h' for update`.execute(tx)
        locked.resolve()
        await gate.promise
      })
      await locked.promise
      const mending = mendFutureInstants(db, 'ada', when)
      await waitUntil(async () => (await countFutureRows(db.read, now, { rest: 0 })).rows === 2)
      gate.resolve()
      await changing
      expect(await mending).toBe(3)
    },
  )

  it('are mended once, however many ask at the same time', async () => {
    const db = await openWithAda()
    await insertOneOfEach(db, ahead)
    const asked = Array.from({ length: 5 }, () => mendFutureInstants(db, 'ada', when))
    expect(await Promise.all(asked)).toEqual(asked.map(() => mergedTables.length))
    expect((await read(db, 'todos', 'ada'))[0]?.title_at).toBe(becomes)
  })

  it('are counted until somebody has to stop, so that a server can end', async () => {
    const db = await openWithAda()
    const rows = Array.from({ length: 1_100 }, (_, place) => todo(`t${place}`, ahead))
    await insert(db, 'todos', rows)
    const stopping = new AbortController()
    const pause = async () => stopping.abort()
    const counted = await countFutureRows(db.read, now, { signal: stopping.signal, pause })
    expect(counted.rows).toBeLessThan(1_100)
    expect((await countFutureRows(db.read, now, { rest: 0 })).rows).toBe(1_100)
  })
})
