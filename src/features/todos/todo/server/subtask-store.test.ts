import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { completedTodos } from '#features/todos/completed/server/completed-todo-store.ts'
import { todoToRemindOf } from '#features/todos/dates/server/todo-reminder-store.ts'
import { exportTodos } from '#features/todos/server/exported-todo-store.ts'
import { completedTotals, listRecentTodos, listTodos } from '#features/todos/server/todo-list-store.ts'
import { addTodo, changeTodo, deleteTodo, restoreTodo } from '#features/todos/server/todo-store.ts'
import { tagCounts } from '#features/todos/tags/server/tag-count-store.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { todoRows } from './todo-rows.ts'

const monday = '2026-11-16' as Day
const longAgo = addDays(monday, -90)
const at = (hour: number) => Date.UTC(2026, 10, 16, hour)
const wire = (hour: number) => new Date(at(hour)).toISOString()

interface Given {
  parent_id?: string
  list_id?: string
  tags?: string[]
  remind_at?: string
  /** The day on which it was completed. */
  done?: Day
}

describeEachEngine('Subtasks', (openEmpty, engine) => {
  async function openWith(given: Record<string, Given>) {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    for (const [id, { done, ...fields }] of Object.entries(given)) {
      const completion = done ? ({ completed: 1, day: done } as const) : ({ completed: 0 } as const)
      await addTodo(db, 'ada', id, { title: id, ...fields, ...completion, at: at(1) })
    }
    const change = (id: string, fields: object, hour: number) =>
      changeTodo(db, 'ada', id, { day: monday, ...fields, at: at(hour), revives: true })
    return { db, change, remove: (id: string, hour: number) => deleteTodo(db, 'ada', id, at(hour)) }
  }

  const idsOf = async (pages: AsyncIterable<{ id: string }[]>) =>
    (await Array.fromAsync(pages))
      .flat()
      .map(({ id }) => id)
      .toSorted()
  const listed = (db: Database) => idsOf(listTodos(db, 'ada'))
  const recent = (db: Database) => idsOf(listRecentTodos(db, 'ada', addDays(monday, -29)))
  const open = async (db: Database) => {
    const rows = (await Array.fromAsync(listTodos(db, 'ada'))).flat()
    return rows
      .filter(({ completed }) => completed === 0)
      .map(({ id }) => id)
      .toSorted()
  }

  describe('of a task that is completed', () => {
    test('are completed with it, on its day and at its instant, and no others', async () => {
      const { db, change } = await openWith({
        trip: {},
        pack: { parent_id: 'trip', remind_at: wire(20) },
        book: { parent_id: 'trip', done: longAgo },
        socks: { parent_id: 'pack' },
        other: {},
      })
      await change('trip', { completed: 1 }, 5)
      expect(await open(db)).toEqual(['other', 'socks'])
      const rows = (await Array.fromAsync(exportTodos(db, 'ada'))).flat()
      expect(rows.find(({ id }) => id === 'pack')).toMatchObject({
        completed_at: wire(5),
        completed_on: monday,
      })
      expect(rows.find(({ id }) => id === 'book')).toMatchObject({ completed_on: longAgo })
      expect(await db.read.selectFrom('alarms').select('row_id').execute()).toEqual([])
    })

    test('stay open if they were reopened later, and when it is reopened they stay completed', async () => {
      const { db, change } = await openWith({
        trip: {},
        pack: { parent_id: 'trip' },
        book: { parent_id: 'trip' },
      })
      await change('pack', { completed: 1 }, 3)
      await change('pack', { completed: 0 }, 6)
      await change('trip', { completed: 1 }, 5)
      expect(await open(db)).toEqual(['pack'])
      await change('trip', { completed: 0 }, 7)
      expect(await open(db)).toEqual(['pack', 'trip'])
    })

    test('are completed with it if they were given to it before and arrive later', async () => {
      const { db, change } = await openWith({ trip: {}, pack: {}, shoes: {} })
      await change('trip', { completed: 1 }, 5)
      await change('pack', { parent_id: 'trip' }, 4)
      await change('shoes', { parent_id: 'trip' }, 6)
      const late = { title: 'late', completed: 0, parent_id: 'trip', at: at(4) } as const
      expect(await addTodo(db, 'ada', 'late', late)).toMatchObject({ todo: { completed_at: wire(5) } })
      expect(await open(db)).toEqual(['shoes'])
    })

    test('stay open if they were added or reopened at the same instant and that arrives later', async () => {
      const { db, change } = await openWith({ trip: {}, pack: { parent_id: 'trip' } })
      await change('trip', { completed: 1 }, 5)
      await change('pack', { completed: 0 }, 5)
      await addTodo(db, 'ada', 'late', { title: 'late', completed: 0, parent_id: 'trip', at: at(5) })
      expect(await open(db)).toEqual(['late', 'pack'])
    })

    test('are completed with it if they were reopened before and that arrives later', async () => {
      const { db, change } = await openWith({
        trip: {},
        pack: { parent_id: 'trip' },
        book: { parent_id: 'trip' },
      })
      await change('pack', { completed: 1 }, 2)
      await change('trip', { completed: 1 }, 5)
      expect(await change('pack', { completed: 0 }, 4)).toMatchObject({ completed: 1, completed_at: wire(5) })
      await change('book', { completed: 0 }, 6)
      expect(await open(db)).toEqual(['book'])
    })

    test('are completed with it in whichever order a deletion of one of the two arrives', async () => {
      const families = Array.from({ length: 5 }, (_, nth) => ({ trip: `trip ${nth}`, pack: `pack ${nth}` }))
      const ids = families.flatMap(Object.values)
      const { db, change, remove } = await openWith(Object.fromEntries(ids.map((id) => [id, {}])))
      const inEveryOrder = async (
        orders: ('completion' | 'deletion' | 'arrival')[][],
        deleted: 'trip' | 'pack',
      ) => {
        for (const order of orders) {
          const family = families.pop()
          if (!family) throw new Error('There is one for every order')
          const { trip, pack } = family
          const steps = {
            arrival: () => change(pack, { parent_id: trip }, 3),
            completion: () => change(trip, { completed: 1 }, 5),
            deletion: () => remove(family[deleted], 6),
          }
          for (const step of order) await steps[step]()
          await restoreTodo(db, 'ada', family[deleted], at(8))
          const stillOpen = families.flatMap(Object.values).toSorted()
          expect(await open(db), `${deleted}: ${order}`).toEqual(stillOpen)
        }
      }
      await inEveryOrder(
        [
          ['arrival', 'completion', 'deletion'],
          ['completion', 'arrival', 'deletion'],
          ['completion', 'deletion', 'arrival'],
        ],
        'trip',
      )
      await inEveryOrder(
        [
          ['arrival', 'completion', 'deletion'],
          ['arrival', 'deletion', 'completion'],
        ],
        'pack',
      )
    })
  })

  describe('of a deleted task', () => {
    const family = {
      trip: { list_id: 'home' },
      pack: { parent_id: 'trip', tags: ['bags'], remind_at: wire(20) },
      book: { parent_id: 'trip', done: monday, list_id: 'work', tags: ['money'] },
      other: { tags: ['bags'] },
    } satisfies Record<string, Given>

    test('are nowhere to be seen, and back when it is restored', async () => {
      const { db, remove } = await openWith(family)
      const seen = async () => ({
        listed: await listed(db),
        recent: await recent(db),
        exported: await idsOf(exportTodos(db, 'ada')),
        totals: await completedTotals(db, 'ada'),
        completed: (await completedTodos(db, 'ada', 'all'))?.todos.map(({ id }) => id),
        counted: (await completedTodos(db, 'ada', { from: monday, to: monday }))?.count,
        found: (await completedTodos(db, 'ada', 'all', { search: 'book' }))?.count,
        tags: await tagCounts(db, 'ada'),
        reminder: await todoToRemindOf(db, 'ada', 'pack', { dueAt: at(20), day: null, zone: 'UTC' }),
      })
      const before = await seen()
      const all = ['book', 'other', 'pack', 'trip']
      expect(before).toEqual({
        listed: all,
        recent: all,
        exported: all,
        totals: { total: 1, by_list: { home: 1 } },
        completed: ['book'],
        counted: 1,
        found: 1,
        tags: [
          { tag: 'bags', count: 2 },
          { tag: 'money', count: 1 },
        ],
        reminder: { title: 'pack', dueDay: null },
      })
      await remove('trip', 5)
      expect(await seen()).toEqual({
        listed: ['other'],
        recent: ['other'],
        exported: ['other'],
        totals: { total: 0, by_list: {} },
        completed: [],
        counted: 0,
        found: 0,
        tags: [{ tag: 'bags', count: 1 }],
        reminder: undefined,
      })
      await restoreTodo(db, 'ada', 'trip', at(6))
      expect(await seen()).toEqual(before)
    })

    test('stand alone if they were changed after its last deletion, whichever arrived first', async () => {
      const { db, change, remove } = await openWith(family)
      await change('pack', { title: 'renamed' }, 7)
      await remove('trip', 5)
      expect(await listed(db)).toEqual(['other', 'pack'])
      await remove('trip', 9)
      expect(await listed(db)).toEqual(['other'])
      await change('book', { tags: { add: ['late'] } }, 10)
      expect(await listed(db)).toEqual(['book', 'other'])
      expect(await completedTotals(db, 'ada')).toEqual({ total: 1, by_list: { work: 1 } })
    })

    test('are not hidden by one that was a subtask itself', async () => {
      const { db, remove } = await openWith({ ...family, socks: { parent_id: 'pack' } })
      await remove('pack', 5)
      expect(await listed(db)).toEqual(['book', 'other', 'socks', 'trip'])
    })

    test('are purged with it, with their tags, and what was changed since stays', async () => {
      const { db, change, remove } = await openWith(family)
      await remove('trip', 5)
      await change('book', { title: 'renamed' }, 6)
      await purgeDeleted(db, todoRows, at(6))
      const left = await db.read.selectFrom('todos').select('id').orderBy('id').execute()
      expect(left.map(({ id }) => id)).toEqual(['book', 'other'])
      const tags = await db.read.selectFrom('todo_tags').select('todo_id').orderBy('todo_id').execute()
      expect(tags.map(({ todo_id }) => todo_id)).toEqual(['book', 'other'])
      expect(await listed(db)).toEqual(['book', 'other'])
    })

    test('are purged with it however many they are, but for one that was changed since', async () => {
      const { db, change, remove } = await openWith({ trip: {} })
      const row = todoRows.newRow('ada', 'sub', { title: 'sub', parent_id: 'trip' }, at(1))
      const rows = Array.from({ length: 600 }, (_, place) => ({ ...row, id: `sub ${place}` }))
      for (let next = 0; next < rows.length; next += 100) {
        await db.write((tx) =>
          tx
            .insertInto('todos')
            .values(rows.slice(next, next + 100))
            .execute(),
        )
      }
      await remove('trip', 5)
      await change('sub 7', { title: 'renamed' }, 6)
      await purgeDeleted(db, todoRows, at(6))
      expect(await db.read.selectFrom('todos').select('id').execute()).toEqual([{ id: 'sub 7' }])
    })
  })

  test('a device gets all subtasks of what it shows, and the parents, however long ago they were completed', async () => {
    const { db, change } = await openWith({
      trip: {},
      book: { parent_id: 'trip', done: longAgo },
      old: { done: longAgo },
      forgotten: { parent_id: 'old' },
      older: { done: longAgo },
      'of older': { parent_id: 'older', done: longAgo },
      alone: { parent_id: 'gone', done: longAgo },
    })
    await change('forgotten', { completed: 0 }, 2)
    expect(await recent(db)).toEqual(['book', 'forgotten', 'old', 'trip'])
  })

  test('a subtask counts for the list of its parent, and nobody is reminded of it while that is archived', async () => {
    const { db } = await openWith({
      trip: { list_id: 'home' },
      pack: { parent_id: 'trip', list_id: 'work', done: monday },
      book: { parent_id: 'trip', remind_at: wire(20) },
    })
    expect(await completedTotals(db, 'ada')).toEqual({ total: 1, by_list: { home: 1 } })
    const inList = async (list_id: string) => (await completedTodos(db, 'ada', 'all', { list_id }))?.count
    expect([await inList('home'), await inList('work')]).toEqual([1, 0])
    expect(await todoToRemindOf(db, 'ada', 'book', { dueAt: at(20), day: null, zone: 'UTC' })).toMatchObject({
      title: 'book',
    })
    const list = {
      user_id: 'ada',
      id: 'home',
      name: 'Home',
      color: 1,
      position: 'a0',
      sort: 'manual',
    } as const
    const instants = { name_at: 1, color_at: 1, position_at: 1, sort_at: 1, archive_changed_at: 1 }
    const row = { ...list, ...instants, archived_at: 1, created_at: 1, updated_at: 1, deletion_changed_at: 1 }
    await db.write((tx) => tx.insertInto('lists').values(row).execute())
    expect(await todoToRemindOf(db, 'ada', 'book', { dueAt: at(20), day: null, zone: 'UTC' })).toBe(undefined)
    expect((await completedTodos(db, 'ada', 'all'))?.count).toBe(0)
  })

  test('one is given to its own subtask while that is reopened, again and again, and nobody waits in a circle', async () => {
    const { db, change } = await openWith({ Trip: {}, Tent: { parent_id: 'Trip' } })
    for (let round = 0; round < 20; round++) {
      await change('Trip', { parent_id: null }, 2 + round / 100)
      await Promise.all([
        change('Trip', { parent_id: 'Tent' }, 3 + round / 100),
        change('Tent', { completed: 0 }, 3 + round / 100),
        change('Tent', { parent_id: 'Trip' }, 3 + round / 100),
      ])
    }
    expect(await open(db)).toEqual(['Tent', 'Trip'])
  })

  // On SQLite, one write follows the other.
  test.runIf(engine === 'postgres')(
    'one that gets its parent while it is reopened does not wait for whoever completes that parent',
    async () => {
      const { db, change } = await openWith({ Trip: {}, Tent: { done: monday } })
      const [isMoving, isHeld, moved, reopened] = [
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
      ]
      const moving = db.write(async (tx) => {
        const underTrip = { parent_id: 'Trip', parent_id_at: at(2) }
        await tx.updateTable('todos').set(underTrip).where('id', '=', 'Tent').execute()
        isMoving.resolve()
        await moved.promise
      })
      await isMoving.promise
      const completing = db.write(async (tx) => {
        await todoRows.lock(tx, 'ada', 'Trip')
        isHeld.resolve()
        await reopened.promise
      })
      await isHeld.promise
      const reopening = change('Tent', { completed: 0 }, 3)
      const isWaiting = async () => {
        const waiting = sql<{ count: number }>`
          select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return (await waiting.execute(db.read)).rows[0]?.count
      }
      await expect.poll(isWaiting).toBe(1)
      moved.resolve()
      await moving
      await expect(reopening.finally(reopened.resolve)).resolves.toMatchObject({
        completed: 0,
        parent_id: 'Trip',
      })
      await completing
    },
  )
})
