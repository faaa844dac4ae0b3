import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import type { Change } from '#platform/database/changes.ts'
import type { Database } from '#platform/database/database.ts'
import { countFutureRows } from '#platform/database/instants/count-future-rows.ts'
import { mendFutureInstants } from '#platform/database/instants/mend-future-instants.ts'
import { instantKinds } from '#platform/database/instants/merge-instants.ts'
import type { UserTable } from '#platform/database/row-kind.ts'
import { neverRestored } from '#platform/database/rows/deletion.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { fillerOf, insertRows, type Values } from '#platform/database/testing/table-rows.ts'
import { waitUntil } from '#testing/wait.ts'
import { rowKinds, tablesToMend } from './row-kinds.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const fiveDays = 5 * 24 * 60 * 60 * 1000
const ahead = now + fiveDays
const becomes = now - 60_000
const when = { now, becomes }

async function insert(db: Database, table: UserTable, rows: readonly Values[]): Promise<void> {
  await db.write((tx) => insertRows(tx, table, rows))
}

async function read(db: Database, table: string, user: string): Promise<Values[]> {
  const { rows } = await sql<Values>`select * from ${sql.table(table)} where user_id = ${user}`.execute(
    db.read,
  )
  return rows
}

/** Every instant of it is `at`. */
const synced = (id: string, at: number, user = 'ada') => ({
  user_id: user,
  id,
  created_at: at,
  updated_at: at,
  deletion_changed_at: at,
})
const todo = (id: string, at: number, others: Values = {}) => ({
  ...synced(id, at),
  title: `Task ${id}`,
  title_at: at,
  completed: 0,
  completed_changed_at: at,
  ...others,
})
const habit = (id: string, at: number) => ({
  ...synced(id, at),
  name: 'Read',
  name_at: at,
  description: '',
  description_at: at,
  start_day: '2026-01-01',
  earlier_name: 'a name',
  earlier_from: '2026-11-01',
  earlier_sum: '{}',
})

/** A row in each table, all of whose instants are `at`. */
async function insertOneOfEach(db: Database, at: number): Promise<void> {
  const instants = await instantsOfTables(db)
  const others: Values = { id: 'h', habit_id: 'h', todo_id: 't', day: '2026-11-20' }
  // Rows come before those that belong to them.
  for (const { table } of tablesToMend.toReversed()) {
    const filled = await fillerOf(db.read, table)
    const row = {
      ...filled({}),
      ...Object.fromEntries((instants.get(table) ?? []).map((name) => [name, at])),
    }
    const known = Object.entries(others).filter(([name]) => name in row)
    await insert(db, table, [{ ...row, ...Object.fromEntries(known), user_id: 'ada' }])
  }
}

async function tablesOfUsers(db: Database): Promise<string[]> {
  const tables = await db.read.introspection.getTables()
  return tables.flatMap(({ name, columns }) =>
    columns.some((column) => column.name === 'user_id') ? [name] : [],
  )
}

/** The columns of each table that hold instants. */
async function instantsOfTables(db: Database): Promise<Map<string, string[]>> {
  const tables = (await db.read.introspection.getTables()).map(({ name, columns }) => {
    return [name, columns.map((column) => column.name).filter((column) => column.endsWith('_at'))] as const
  })
  return new Map(tables)
}

describeEachEngine('instants of the future', (openEmpty, engine) => {
  async function openWithAda() {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    return db
  }

  it('of every column that holds an instant of a user’s row, it is known whether changes merge by it', async () => {
    const db = await openEmpty()
    const kinds = new Map<string, readonly string[]>(
      rowKinds.map(({ table, mergedTable }) => [table, mergedTable.instants]),
    )
    const instants = [...(await instantsOfTables(db))].filter(([, columns]) => columns.length > 0)
    const known = Object.entries(instantKinds).map(([table, kinds]) => [table, Object.keys(kinds).toSorted()])
    const ofUsers = new Set<string>(await tablesOfUsers(db))
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(
        instants
          .filter(([table]) => ofUsers.has(table) && !kinds.has(table))
          .map(([table, columns]) => [table, columns.toSorted()]),
      ),
    )
    const merging = Object.entries(instantKinds).flatMap(([table, kinds]) =>
      Object.values(kinds).includes('merges') ? [table] : [],
    )
    expect(tablesToMend.map(({ table }) => table).toSorted()).toEqual(
      [...merging, ...kinds.keys()].toSorted(),
    )
    // By what instants a row of these merges is declared. Nothing is decided by the others.
    const others = instants.flatMap(([table, columns]) =>
      columns.filter((name) => kinds.get(table)?.includes(name) === false).map((name) => `${table}.${name}`),
    )
    expect(others.filter((name) => !/\.(created|deleted)_at$/.test(name)).toSorted()).toEqual([
      'focus_sessions.ended_at',
      'focus_sessions.started_at',
      'habits.archived_at',
      'lists.archived_at',
      'todos.completed_at',
      'todos.remind_at',
      'todos.reminded_at',
    ])
  })

  it('become past, in every table and column by which changes merge, and in no other', async () => {
    const db = await openWithAda()
    await insertOneOfEach(db, ahead)
    expect(await countFutureRows(db.read, tablesToMend, now, { rest: 0 })).toEqual({
      rows: tablesToMend.length,
      users: new Set(['ada']),
    })
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(tablesToMend.length)
    for (const { table, instants } of tablesToMend) {
      const [row = {}] = await read(db, table, 'ada')
      for (const [column, value] of Object.entries(row)) {
        if (!column.endsWith('_at') || value === null || value === 0) continue
        expect([table, column, value]).toEqual([table, column, instants.includes(column) ? becomes : ahead])
      }
    }
    expect(await countFutureRows(db.read, tablesToMend, now, { rest: 0 })).toEqual({
      rows: 0,
      users: new Set(),
    })
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(0)
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
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(1)
    const rows = await read(db, 'todos', 'ada')
    expect(rows.find(({ id }) => id === 'near')?.title_at).toBe(now + 5_000)
    expect(rows.find(({ id }) => id === 'far')).toMatchObject({ title_at: now - 1, note_at: becomes })
    expect(await read(db, 'todos', 'bea')).toEqual(hers)
    expect(await countFutureRows(db.read, tablesToMend, now, { rest: 0 })).toEqual({
      rows: 1,
      users: new Set(['bea']),
    })
  })

  it('are none of a row that is being purged: it must not come back', async () => {
    const db = await openWithAda()
    await insert(db, 'todos', [
      todo('t', ahead, { deleted_at: now - fiveDays, deletion_changed_at: neverRestored }),
    ])
    await mendFutureInstants(db, tablesToMend, 'ada', when)
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
    await mendFutureInstants(db, tablesToMend, 'ada', when)
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
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(2)
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
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(3)
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
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(future)
    leave()
    // Whoever begins to listen to other processes is told first that something may have changed before.
    const told = heard.filter((change) => change !== undefined)
    expect(told.map(({ collections }) => collections)).toEqual([['todos'], ['todos'], ['todos']])
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
    await expect(mendFutureInstants({ ...db, writeFor }, tablesToMend, 'ada', when)).rejects.toThrow('killed')
    expect(await mendFutureInstants(db, tablesToMend, 'ada', when)).toBe(600)
    expect(await countFutureRows(db.read, tablesToMend, now, { rest: 0 })).toEqual({
      rows: 0,
      users: new Set(),
    })
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
      const mending = mendFutureInstants(db, tablesToMend, 'ada', when)
      await waitUntil(async () => (await countFutureRows(db.read, tablesToMend, now, { rest: 0 })).rows === 2)
      gate.resolve()
      await changing
      expect(await mending).toBe(3)
    },
  )

  it('are mended once, however many ask at the same time', async () => {
    const db = await openWithAda()
    await insertOneOfEach(db, ahead)
    const asked = Array.from({ length: 5 }, () => mendFutureInstants(db, tablesToMend, 'ada', when))
    expect(await Promise.all(asked)).toEqual(asked.map(() => tablesToMend.length))
    expect((await read(db, 'todos', 'ada'))[0]?.title_at).toBe(becomes)
  })

  it('are counted until somebody has to stop, so that a server can end', async () => {
    const db = await openWithAda()
    const rows = Array.from({ length: 1_100 }, (_, place) => todo(`t${place}`, ahead))
    await insert(db, 'todos', rows)
    const stopping = new AbortController()
    const pause = async () => stopping.abort()
    const counted = await countFutureRows(db.read, tablesToMend, now, { signal: stopping.signal, pause })
    expect(counted.rows).toBeLessThan(1_100)
    expect((await countFutureRows(db.read, tablesToMend, now, { rest: 0 })).rows).toBe(1_100)
  })
})
