import { generateKeyBetween } from 'fractional-indexing'
import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { addDays } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { byPosition, longestPosition } from '#platform/order/position.ts'
import { todos } from '../testing/todos.ts'
import { todoRows } from '../todo/server/todo-rows.ts'
import { importTodos } from './exported-todo-store.ts'
import { completedTotals, listRecentTodos, listTodos } from './todo-list-store.ts'
import { addTodo, changeTodo, deleteTodo, restoreTodo } from './todo-store.ts'

const monday = '2026-11-16' as Day
const tuesday = '2026-11-17' as Day
const at = (hour: number) => Date.UTC(2026, 10, 16, hour)
const open = { completed: 0, day: monday } as const

describeEachEngine('The store of todos', (openEmpty) => {
  async function openFor(...users: string[]): Promise<Database> {
    const db = await openEmpty()
    for (const user of users) await addUser(db.auth, db.engine, user)
    return db
  }

  const listed = async (db: Database, user: string) => (await Array.fromAsync(listTodos(db, user))).flat()
  const titles = async (db: Database, user: string) => (await listed(db, user)).map((todo) => todo.title)

  test('todos are listed newest first, and those of the same instant by their id', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'b', { ...open, title: 'same instant, smaller id', at: at(9) })
    await addTodo(db, 'ada', 'a', { ...open, title: 'newest', at: at(10) })
    await addTodo(db, 'ada', 'd', { ...open, title: 'oldest', at: at(8) })
    await addTodo(db, 'ada', 'c', { ...open, title: 'same instant, larger id', at: at(9) })
    expect(await titles(db, 'ada')).toEqual([
      'newest',
      'same instant, larger id',
      'same instant, smaller id',
      'oldest',
    ])
  })

  test('a list of a thousand todos arrives a hundred at a time, each once, whatever is added and renamed meanwhile', async () => {
    const db = await openFor('ada')
    const rows = Array.from({ length: 1_000 }, (_, place) =>
      todos.file({
        id: `id ${String(place).padStart(4, '0')}`,
        // Four with each instant, so that pages begin among equal ones.
        created_at: new Date(at(9) + Math.floor(place / 4)).toISOString(),
        updated_at: new Date(at(9)).toISOString(),
      }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) =>
      importTodos(tx, 'ada', rows, at(12), adding),
    )
    const pages: string[][] = []
    for await (const page of listTodos(db, 'ada')) {
      pages.push(page.map(({ id }) => id))
      await addTodo(db, 'ada', `new ${pages.length}`, { ...open, title: 'new', at: at(13) })
      await changeTodo(db, 'ada', 'id 0001', { title: `renamed ${pages.length}`, at: at(13), revives: true })
    }
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(100)
    expect(pages.flat()).toEqual(rows.map(({ id }) => id).toReversed())
  })

  test('a todo is sent with its instants, including when it was completed', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'Buy milk', at: at(9) })
    const stored = todos.wire({
      id: 'a',
      title: 'Buy milk',
      created_at: '2026-11-16T09:00:00.000Z',
      updated_at: '2026-11-16T09:00:00.000Z',
    })
    expect(await listed(db, 'ada')).toEqual([stored])
    const completed = {
      ...stored,
      completed: 1,
      completed_at: '2026-11-16T10:00:00.000Z',
      updated_at: '2026-11-16T10:00:00.000Z',
    }
    expect(await changeTodo(db, 'ada', 'a', { completed: 1, day: monday, at: at(10) })).toEqual(completed)
    expect(await listed(db, 'ada')).toEqual([completed])
  })

  test('adding the same id again creates no second todo and returns the stored one', async () => {
    const db = await openFor('ada')
    const first = await addTodo(db, 'ada', 'a', { ...open, title: 'first', at: at(9) })
    const again = await addTodo(db, 'ada', 'a', { ...open, title: 'second', at: at(10) })
    expect(first).toMatchObject({ created: true, todo: { title: 'first' } })
    expect(again).toMatchObject({ created: false, todo: { title: 'first' } })
    expect(await titles(db, 'ada')).toEqual(['first'])
  })

  test('adding the same id many times at once creates one todo', async () => {
    const db = await openFor('ada')
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        addTodo(db, 'ada', 'a', { ...open, title: `${number}`, at: at(9) }),
      ),
    )
    expect(
      added.filter((answer) => typeof answer === 'object' && 'created' in answer && answer.created),
    ).toHaveLength(1)
    expect(await titles(db, 'ada')).toHaveLength(1)
  })

  test('adding an id that was deleted does not bring it back', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'first', at: at(9) })
    await deleteTodo(db, 'ada', 'a', at(10))
    expect(await addTodo(db, 'ada', 'a', { ...open, title: 'again', at: at(11) })).toBe('deleted')
    expect(await titles(db, 'ada')).toEqual([])
  })

  test("two people's todos with the same id are two todos", async () => {
    const db = await openFor('ada', 'grace')
    await addTodo(db, 'ada', 'a', { ...open, title: "Ada's", at: at(9) })
    await addTodo(db, 'grace', 'a', { ...open, title: "Grace's", at: at(9) })
    await changeTodo(db, 'grace', 'a', { title: 'changed', day: monday, at: at(10) })
    await deleteTodo(db, 'grace', 'a', at(11))
    expect(await titles(db, 'ada')).toEqual(["Ada's"])
    expect(await titles(db, 'grace')).toEqual([])
  })

  test("nobody reaches another's todo", async () => {
    const db = await openFor('ada', 'grace')
    await addTodo(db, 'ada', 'a', { ...open, title: "Ada's", at: at(9) })
    await addTodo(db, 'ada', 'b', { ...open, title: 'deleted', at: at(9) })
    await deleteTodo(db, 'ada', 'b', at(10))
    const before = await db.read.selectFrom('todos').selectAll().orderBy('id').execute()

    expect(await listed(db, 'grace')).toEqual([])
    expect(await changeTodo(db, 'grace', 'a', { title: 'x', completed: 1, day: monday, at: at(11) })).toBe(
      undefined,
    )
    expect(await deleteTodo(db, 'grace', 'a', at(11))).toBe(false)
    expect(await restoreTodo(db, 'grace', 'b', at(11))).toBe(undefined)
    expect(await db.read.selectFrom('todos').selectAll().orderBy('id').execute()).toEqual(before)
  })

  test('a completed todo keeps the day and the instant of its completion, also when it is completed again', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { title: 'done when added', completed: 1, day: monday, at: at(9) })
    const completion = () =>
      db.read
        .selectFrom('todos')
        .select(['completed', 'completed_on', 'completed_at'])
        .executeTakeFirstOrThrow()
    expect(await completion()).toEqual({ completed: 1, completed_on: monday, completed_at: at(9) })
    await changeTodo(db, 'ada', 'a', { completed: 1, day: tuesday, at: at(10) })
    expect(await completion()).toEqual({ completed: 1, completed_on: monday, completed_at: at(9) })
    await changeTodo(db, 'ada', 'a', { completed: 0, day: tuesday, at: at(11) })
    expect(await completion()).toEqual({ completed: 0, completed_on: null, completed_at: null })
    await changeTodo(db, 'ada', 'a', { completed: 1, day: tuesday, at: at(12) })
    expect(await completion()).toEqual({ completed: 1, completed_on: tuesday, completed_at: at(12) })
  })

  test('a change older than the last one of its field is ignored, and fields do not affect each other', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'first', at: at(8) })
    const change = (fields: { title?: string; completed?: 0 | 1 }, hour: number) =>
      changeTodo(db, 'ada', 'a', { ...fields, day: monday, at: at(hour) })

    expect(await change({ title: 'at twelve' }, 12)).toMatchObject({ title: 'at twelve' })
    expect(await change({ title: 'at ten' }, 10)).toMatchObject({ title: 'at twelve' })
    expect(await change({ completed: 1 }, 9)).toMatchObject({ title: 'at twelve', completed: 1 })
    expect(await change({ completed: 0, title: 'both' }, 11)).toMatchObject({
      title: 'at twelve',
      completed: 0,
    })
    expect(await change({ title: 'same instant, later' }, 12)).toMatchObject({ title: 'same instant, later' })
    expect(await listed(db, 'ada')).toMatchObject([{ updated_at: '2026-11-16T12:00:00.000Z' }])
  })

  test('completing again counts as the last change: an older reopening that arrives later is ignored', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { title: 'a', completed: 1, day: monday, at: at(8) })
    await changeTodo(db, 'ada', 'a', { completed: 1, day: monday, at: at(12) })
    expect(await changeTodo(db, 'ada', 'a', { completed: 0, day: monday, at: at(10) })).toMatchObject({
      completed: 1,
      completed_at: '2026-11-16T08:00:00.000Z',
    })
  })

  test('a deleted todo is not listed, cannot be changed or deleted again, and comes back as it was', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { title: 'a', completed: 1, day: monday, at: at(8) })
    const before = (await listed(db, 'ada'))[0]
    expect(await deleteTodo(db, 'ada', 'a', at(9))).toBe(true)
    expect(await listed(db, 'ada')).toEqual([])
    expect(await changeTodo(db, 'ada', 'a', { title: 'b', day: monday, at: at(10) })).toBe(undefined)
    expect(await deleteTodo(db, 'ada', 'a', at(10))).toBe(false)

    const restored = { ...before, updated_at: '2026-11-16T11:00:00.000Z' }
    expect(await restoreTodo(db, 'ada', 'a', at(11))).toEqual(restored)
    expect(await restoreTodo(db, 'ada', 'a', at(11))).toEqual(restored)
    expect(await listed(db, 'ada')).toEqual([restored])
  })

  test('a todo that does not exist is neither changed, deleted nor restored', async () => {
    const db = await openFor('ada')
    expect(await changeTodo(db, 'ada', 'a', { title: 'b', day: monday, at: at(10) })).toBe(undefined)
    expect(await deleteTodo(db, 'ada', 'a', at(10))).toBe(false)
    expect(await restoreTodo(db, 'ada', 'a', at(10))).toBe(undefined)
    expect(await db.read.selectFrom('todos').selectAll().execute()).toEqual([])
  })

  test('a deletion does not remove what was changed after it, and a restoration does not bring back what was deleted after it', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'a', at: at(8) })
    await changeTodo(db, 'ada', 'a', { title: 'renamed', day: monday, at: at(12) })
    expect(await deleteTodo(db, 'ada', 'a', at(10))).toBe(true)
    expect(await titles(db, 'ada')).toEqual(['renamed'])

    expect(await deleteTodo(db, 'ada', 'a', at(14))).toBe(true)
    expect(await restoreTodo(db, 'ada', 'a', at(13))).toBe(undefined)
    expect(await titles(db, 'ada')).toEqual([])
  })

  test('a change made after a deletion brings the to-do back, with what was changed before the deletion and arrived late', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'a', at: at(8) })
    await deleteTodo(db, 'ada', 'a', at(12))
    const renamed = { title: 'b', day: monday, at: at(11), revives: true }
    expect(await changeTodo(db, 'ada', 'a', renamed)).toBe(undefined)
    expect(await titles(db, 'ada')).toEqual([])

    const completed = { completed: 1 as const, day: monday, at: at(13), revives: true }
    expect(await changeTodo(db, 'ada', 'a', completed)).toMatchObject({ title: 'b', completed: 1 })
    expect(await titles(db, 'ada')).toEqual(['b'])
  })

  test('what any user deleted before an instant is removed permanently; the rest stays', async () => {
    const db = await openFor('ada', 'grace')
    for (const user of ['ada', 'grace']) {
      for (const id of ['kept', 'old', 'recent'])
        await addTodo(db, user, id, { ...open, title: id, at: at(1) })
      await deleteTodo(db, user, 'old', at(8))
      await deleteTodo(db, user, 'recent', at(10))
    }
    expect(await purgeDeleted(db, todoRows, at(10))).toBe(2)
    expect(await restoreTodo(db, 'ada', 'old', at(12))).toBe(undefined)
    expect(await restoreTodo(db, 'ada', 'recent', at(12))).toMatchObject({ id: 'recent' })
    expect(await titles(db, 'grace')).toEqual(['kept'])
  })

  test('deleting an account deletes its todos, and no others', async () => {
    const db = await openFor('ada', 'grace')
    for (const user of ['ada', 'grace']) await addTodo(db, user, 'a', { ...open, title: user, at: at(1) })
    await db.auth.deleteFrom('user').where('id', '=', 'ada').execute()
    const left = await db.read.selectFrom('todos').select('user_id').execute()
    expect(left).toEqual([{ user_id: 'grace' }])
  })

  describe('those that a device keeps', () => {
    const today = '2026-11-20' as Day
    const since = addDays(today, -29)
    const recent = async (db: Database) =>
      (await Array.fromAsync(listRecentTodos(db, 'ada', since))).flat().map(({ title }) => title)

    test('are the open ones, however old, and those completed since a day, in the order of all', async () => {
      const db = await openFor('ada', 'grace')
      const add = (title: string, hour: number, completed_on?: Day) =>
        addTodo(db, 'ada', title, {
          ...(completed_on ? { completed: 1, day: completed_on } : open),
          title,
          at: at(hour),
        })
      await add('open for years', -20_000)
      await add('completed on the first day', 4, since)
      await add('completed the day before', 5, addDays(since, -1))
      await add('new', 8)
      await add('completed today', 7, today)
      await add('completed further east', 6, addDays(today, 1))
      await add('deleted', 9)
      await add('deleted when completed', 10, today)
      await deleteTodo(db, 'ada', 'deleted', at(11))
      await deleteTodo(db, 'ada', 'deleted when completed', at(11))
      await addTodo(db, 'grace', 'other', { ...open, title: "Grace's", at: at(9) })
      expect(await recent(db)).toEqual([
        'new',
        'completed today',
        'completed further east',
        'completed on the first day',
        'open for years',
      ])
    })

    test('are the same whether there are few or thousands, and each comes once', async () => {
      const db = await openFor('ada')
      const add = async (count: number, from: number) => {
        const rows = Array.from({ length: count }, (_, place) => {
          const number = from + place
          const completed_on = number % 3 === 0 ? addDays(today, -(number % 60)) : null
          return todos.file({
            id: `id ${String(number).padStart(5, '0')}`,
            title: `${number}`,
            // Three with each instant.
            created_at: new Date(at(9) + Math.floor(number / 3)).toISOString(),
            ...(completed_on && { completed: 1, completed_on, completed_at: '2026-11-16T12:00:00.000Z' }),
          })
        })
        await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) =>
          importTodos(tx, 'ada', rows, at(12), adding),
        )
      }
      const expected = async () => {
        const rows = await db.read.selectFrom('todos').select(['title', 'completed_on']).execute()
        const kept = rows.filter(({ completed_on }) => completed_on === null || completed_on >= since)
        return kept.map(({ title }) => title).toSorted((one, other) => Number(other) - Number(one))
      }
      await add(237, 0)
      expect(await recent(db)).toEqual(await expected())
      await add(6_500, 237)
      expect(await recent(db)).toEqual(await expected())
      expect((await expected()).length).toBeGreaterThan(5_000)
    })

    test('come with how many are completed in all, and in each list that they name', async () => {
      const db = await openFor('ada', 'grace')
      expect(await completedTotals(db, 'ada')).toEqual({ total: 0, by_list: {} })
      const lists = [null, 'home', 'home', 'work', null, 'gone']
      for (const [place, list_id] of lists.entries()) {
        const completed = { completed: 1, day: monday } as const
        await addTodo(db, 'ada', `${place}`, { ...completed, title: 'x', list_id, at: at(9) })
        await addTodo(db, 'ada', `open ${place}`, { ...open, title: 'x', list_id, at: at(9) })
        await addTodo(db, 'grace', `${place}`, { ...completed, title: 'x', list_id, at: at(9) })
      }
      await deleteTodo(db, 'ada', '3', at(10))
      expect(await completedTotals(db, 'ada')).toEqual({ total: 5, by_list: { home: 2, gone: 1 } })
      await changeTodo(db, 'ada', '1', { completed: 0, at: at(11) })
      expect(await completedTotals(db, 'ada')).toEqual({ total: 4, by_list: { home: 1, gone: 1 } })
    })
  })

  test('list and position change each by its own instant, and nothing else with them', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'a', list_id: 'home', position: 'a1', at: at(8) })
    const change = (fields: { list_id?: string | null; position?: string; title?: string }, hour: number) =>
      changeTodo(db, 'ada', 'a', { ...fields, at: at(hour), revives: true })
    expect(await listed(db, 'ada')).toMatchObject([{ list_id: 'home', position: 'a1' }])
    expect(await change({ list_id: 'work' }, 12)).toMatchObject({ list_id: 'work', position: 'a1' })
    expect(await change({ list_id: null, position: 'a5' }, 10)).toMatchObject({
      list_id: 'work',
      position: 'a5',
    })
    expect(await change({ position: 'a3', title: 'b' }, 9)).toMatchObject({ position: 'a5', title: 'b' })
    expect(await change({ list_id: null }, 13)).toMatchObject({ list_id: null, position: 'a5' })
  })

  test('what nobody has moved is stored without a position, and sent with the one that its creation gives it', async () => {
    const db = await openFor('ada')
    for (const [place, id] of ['c', 'b', 'a'].entries()) {
      await addTodo(db, 'ada', `${id}`, { ...open, title: id, at: at(8 + Math.floor(place / 2)) })
    }
    const rows = await db.read.selectFrom('todos').select('position').execute()
    expect(rows.map(({ position }) => position)).toEqual([null, null, null])
    const shown = await listed(db, 'ada')
    expect(shown.map(({ title }) => title)).toEqual(['a', 'c', 'b'])
    // Those of one instant differ in their ids, which are UUIDs where it matters.
    expect(shown.map(({ position }) => position).toSorted()).toEqual(shown.map(({ position }) => position))
  })

  describe('a position that has become too long', () => {
    const id = (place: number) => `01900000-0000-7000-8000-${String(place).padStart(12, '0')}`
    const order = async (db: Database) =>
      (await listed(db, 'ada')).toSorted(byPosition).map(({ title }) => title)
    const moves = (db: Database) =>
      db.read.selectFrom('todos').select(['id', 'position_at', 'updated_at']).orderBy('id').execute()
    const longest = async (db: Database) =>
      Math.max(...(await listed(db, 'ada')).map(({ position }) => position.length))

    /** As many as it takes between the first two of ten, each right after the first. */
    async function withLongPositions(db: Database): Promise<{ last: string; titles: string[] }> {
      for (let place = 0; place < 10; place += 1) {
        await addTodo(db, 'ada', id(place), { ...open, title: `${place}`, at: at(8) - place })
      }
      const [first, second] = await listed(db, 'ada')
      let last = second?.position ?? ''
      const titles: string[] = []
      // By hand: each is stored as it is, like one from before there was a limit.
      for (let place = 10; last.length <= longestPosition; place += 1) {
        last = generateKeyBetween(first?.position ?? null, last)
        if (last.length > longestPosition) break
        await addTodo(db, 'ada', id(place), { ...open, title: `${place}`, position: last, at: at(9) })
        titles.unshift(`${place}`)
      }
      return { last, titles }
    }

    test("is short in the same write, nothing changes its place, and it counts as nobody's move", async () => {
      const db = await openFor('ada', 'grace')
      await addTodo(db, 'grace', id(0), { ...open, title: "Grace's", position: 'a0', at: at(8) })
      const { last, titles: between } = await withLongPositions(db)
      const before = await moves(db)
      const added = await addTodo(db, 'ada', id(999), { ...open, title: 'new', position: last, at: at(10) })
      expect(await order(db)).toEqual(['0', 'new', ...between, '1', '2', '3', '4', '5', '6', '7', '8', '9'])
      expect(await longest(db)).toBeLessThanOrEqual(longestPosition)
      const position = (await listed(db, 'ada')).find((todo) => todo.id === id(999))?.position
      expect(added).toMatchObject({ created: true, todo: { position } })
      expect((await moves(db)).filter((row) => !(row.id === id(999)))).toEqual(before)
      expect(await listed(db, 'grace')).toMatchObject([{ position: 'a0' }])
    })

    test('by an edit, too, and a move that was made earlier and arrives later is still ignored', async () => {
      const db = await openFor('ada')
      const { last, titles: between } = await withLongPositions(db)
      const moved = await changeTodo(db, 'ada', id(5), { position: last, at: at(10) })
      expect(await order(db)).toEqual(['0', '5', ...between, '1', '2', '3', '4', '6', '7', '8', '9'])
      const [, second] = (await listed(db, 'ada')).toSorted(byPosition)
      expect(second?.position.length).toBeLessThanOrEqual(longestPosition)
      expect(await changeTodo(db, 'ada', id(5), { position: 'a0', at: at(9) })).toEqual(moved)
    })

    test('on many devices at once keeps none of them waiting for another, and is short at the latest with the next change', async () => {
      const db = await openFor('ada')
      const long = (place: number) => `hzz${'k'.repeat(70)}${String.fromCharCode(97 + place)}`
      const places = Array.from({ length: 12 }, (_, place) => place)
      for (const place of places) {
        await addTodo(db, 'ada', id(place), { ...open, title: `${place}`, at: at(8) - place })
      }
      await Promise.all(
        places.map((place) => changeTodo(db, 'ada', id(place), { position: long(place), at: at(9) })),
      )
      expect((await listed(db, 'ada')).map(({ id }) => id)).toEqual(places.map(id))
      for (const place of places) await changeTodo(db, 'ada', id(place), { title: 'x', at: at(10) })
      expect(await longest(db)).toBeLessThanOrEqual(longestPosition)
    })

    test('by an import of many', async () => {
      const db = await openFor('ada')
      const long = (place: number) => `hzz${'k'.repeat(70)}${String.fromCharCode(97 + place)}`
      const rows = Array.from({ length: 20 }, (_, place) =>
        todos.file({ id: id(place), title: `${place}`, position: long(19 - place) }),
      )
      await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) =>
        importTodos(tx, 'ada', rows, at(12), adding),
      )
      expect(await order(db)).toEqual(rows.map(({ title }) => title).toReversed())
      expect(await longest(db)).toBeLessThanOrEqual(longestPosition)
    })

    test('that arrived while the to-do was deleted is short once it is back', async () => {
      const db = await openFor('ada')
      const { last, titles: between } = await withLongPositions(db)
      await deleteTodo(db, 'ada', id(5), at(12))
      const edit = { position: last, at: at(11), revives: true }
      expect(await changeTodo(db, 'ada', id(5), edit)).toBe(undefined)
      await restoreTodo(db, 'ada', id(5), at(13))
      expect(await order(db)).toEqual(['0', '5', ...between, '1', '2', '3', '4', '6', '7', '8', '9'])
      expect(await longest(db)).toBeLessThanOrEqual(longestPosition)
    })
  })

  test('simultaneous changes to one todo do not undo each other', async () => {
    const db = await openFor('ada')
    await addTodo(db, 'ada', 'a', { ...open, title: 'first', at: at(1) })
    const hours = Array.from({ length: 10 }, (_, hour) => hour + 2)
    await Promise.all(
      hours.flatMap((hour) => [
        changeTodo(db, 'ada', 'a', { title: `at ${hour}`, day: monday, at: at(hour) }),
        changeTodo(db, 'ada', 'a', { completed: hour === 11 ? 1 : 0, day: monday, at: at(hour) }),
      ]),
    )
    expect(await listed(db, 'ada')).toMatchObject([{ title: 'at 11', completed: 1 }])
  })
})
