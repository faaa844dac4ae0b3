import { expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/delete-rows.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { todos } from '../testing/todos.ts'
import { importTodos } from './exported-todo-store.ts'
import { todoRows } from './todo-rows.ts'
import { addTodo, changeTodo, deleteTodo, listTodos, restoreTodo } from './todo-store.ts'

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
    await db.writeFor('ada', ['todos'], (tx) => importTodos(tx, 'ada', rows, at(12)))
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
