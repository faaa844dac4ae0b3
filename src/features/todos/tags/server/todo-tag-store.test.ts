import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { importTodos } from '#features/todos/server/exported-todo-store.ts'
import { listTodos } from '#features/todos/server/todo-list-store.ts'
import { addTodo, changeTodo, deleteTodo, restoreTodo } from '#features/todos/server/todo-store.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { tagKey } from '#features/todos/todo/tags.ts'
import type { TagsEdit } from '#features/todos/todo/todo-requests.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countingInto, type Work } from '#platform/database/pacing/work.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { waitUntil } from '#testing/wait.ts'
import { tagCounts } from './tag-count-store.ts'
import { changeTagEverywhere } from './todo-tag-store.ts'

const open = { title: 'Task', completed: 0, day: '2026-11-16' as Day } as const

/** How many units of database work it takes, and how often it looks what the key of a tag is. */
async function workOf(run: () => Promise<unknown>): Promise<{ units: number; keys: number }> {
  const work: Work = { units: 0, cpu: 0 }
  const { normalize } = String.prototype
  let keys = 0
  // A spy would remember each of what may be millions of calls.
  Object.defineProperty(String.prototype, 'normalize', {
    value(this: string, form?: string) {
      keys++
      return normalize.call(this, form)
    },
    configurable: true,
    writable: true,
  })
  const restore = () =>
    Object.defineProperty(String.prototype, 'normalize', {
      value: normalize,
      configurable: true,
      writable: true,
    })
  onTestFinished(() => void restore())
  await countingInto(work, run)
  restore()
  return { units: work.units, keys }
}

/** Whether a write waits for another; on SQLite every one does. */
async function isWaiting(db: Database): Promise<boolean> {
  if (db.engine === 'sqlite') return true
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db.read,
  )
  return rows.length > 0
}

async function addChain(db: Database, names: readonly string[], at: number): Promise<void> {
  const changes = names.slice(1).map((renamed_to, place) => ({
    user_id: 'ada',
    tag: names[place] ?? '',
    renamed_to,
    changed_at: at + place,
  }))
  await db.writeFor('ada', [], async (tx) => {
    for (const batch of inBatches(changes)) await tx.insertInto('tag_changes').values(batch).execute()
  })
}

async function tagsIn(db: Database, user = 'ada'): Promise<Record<string, string[]>> {
  const rows = (await Array.fromAsync(listTodos(db, user))).flat()
  return Object.fromEntries(rows.map(({ id, tags }) => [id, tags]))
}

describeEachEngine('Tags', (openEmpty) => {
  async function openFor(...users: string[]): Promise<Database> {
    const db = await openEmpty()
    for (const user of users) await addUser(db.auth, db.engine, user)
    return db
  }

  async function openWith(tags: Record<string, string[]>) {
    const db = await openFor('ada')
    for (const [id, each] of Object.entries(tags))
      await addTodo(db, 'ada', id, { ...open, tags: each, at: 1 })
    return {
      db,
      edit: (id: string, tags: TagsEdit, at: number) =>
        changeTodo(db, 'ada', id, { tags, at, revives: true }),
      rename: (tag: string, to: string, at: number) =>
        changeTagEverywhere(db, 'ada', { tag, renamed_to: to, at }),
      remove: (tag: string, at: number) => changeTagEverywhere(db, 'ada', { tag, renamed_to: null, at }),
      tags: () => tagsIn(db),
    }
  }

  test('a tag added on one device and another on a second are both there, and only the one that was removed is gone', async () => {
    const { edit, tags } = await openWith({ a: ['home'] })
    await edit('a', { add: ['Work'] }, 5)
    await edit('a', { add: ['urgent'], remove: ['HOME'] }, 4)
    expect(await tags()).toEqual({ a: ['urgent', 'Work'] })
  })

  test('all tags set at once let an older addition go, and a later one stays', async () => {
    const { edit, tags } = await openWith({ a: ['home'] })
    await edit('a', { add: ['later'] }, 7)
    await edit('a', ['set'], 5)
    await edit('a', { add: ['earlier'] }, 4)
    await edit('a', ['older'], 3)
    expect(await tags()).toEqual({ a: ['later', 'set'] })
  })

  test('a renamed tag has its new name wherever it was, and one that was added before follows when it arrives', async () => {
    const { edit, rename, tags } = await openWith({ a: ['work'], b: ['Work', 'job'], c: [] })
    await rename('WORK', 'Job', 5)
    expect(await tags()).toEqual({ a: ['Job'], b: ['Job'], c: [] })
    await edit('c', { add: ['work'] }, 4)
    expect(await tags()).toMatchObject({ c: ['Job'] })
    await edit('c', { add: ['work'] }, 6)
    expect(await tags()).toMatchObject({ c: ['Job', 'work'] })
  })

  test('a tag that is renamed twice, and then removed, is followed through all of it', async () => {
    const { edit, rename, remove, tags } = await openWith({ a: ['a'], b: [] })
    await rename('b', 'c', 7)
    await rename('a', 'b', 5)
    expect(await tags()).toMatchObject({ a: ['c'] })
    await remove('c', 9)
    expect(await tags()).toMatchObject({ a: [] })
    await edit('b', { add: ['a'] }, 3)
    expect(await tags()).toEqual({ a: [], b: [] })
  })

  test('a renaming that arrives late renames the tag of then, whatever was done to it since', async () => {
    const { edit, rename, tags } = await openWith({ a: ['work'], b: ['work'], c: [] })
    await edit('a', { add: ['work'] }, 8)
    await edit('b', { remove: ['work'] }, 8)
    await edit('c', { add: ['work'] }, 8)
    await rename('work', 'job', 5)
    expect(await tags()).toEqual({ a: ['job', 'work'], b: ['job'], c: ['work'] })
  })

  test('of two renamings at once, each knows of the other: whichever ends last, the tag has the last name', async () => {
    const { db, rename, tags } = await openWith({ a: ['work'] })
    const { writeFor } = db
    const writesTask = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    vi.spyOn(db, 'writeFor').mockImplementation((user, collections, work) =>
      writeFor(user, collections, async (tx) => {
        const done = await work(tx)
        if (collections.includes('todos')) {
          writesTask.resolve()
          await mayEnd.promise
        }
        return done
      }),
    )
    const first = rename('work', 'job', 5)
    await writesTask.promise
    vi.mocked(db.writeFor).mockRestore()
    let isOver = false
    const second = rename('job', 'work', 7).then(() => {
      isOver = true
    })
    await waitUntil(async () => isOver || (await isWaiting(db)))
    mayEnd.resolve()
    await Promise.all([first, second])
    expect(await tags()).toEqual({ a: ['work'] })
  })

  test('a tag can change its case everywhere', async () => {
    const { rename, tags } = await openWith({ a: ['work'], b: ['WORK'] })
    await rename('work', 'Work', 5)
    expect(await tags()).toEqual({ a: ['Work'], b: ['Work'] })
  })

  test('renaming brings no deleted task back, and what is restored has the new name', async () => {
    const { db, rename, tags } = await openWith({ a: ['work'] })
    await deleteTodo(db, 'ada', 'a', 3)
    await rename('work', 'job', 5)
    expect(await tags()).toEqual({})
    await restoreTodo(db, 'ada', 'a', 6)
    expect(await tags()).toEqual({ a: ['job'] })
  })

  test('adding a tag that is there already is a change: an older deletion does not win over it', async () => {
    const { db, edit, tags } = await openWith({ a: ['work'] })
    await edit('a', { add: ['work'] }, 5)
    await deleteTodo(db, 'ada', 'a', 4)
    expect(await tags()).toEqual({ a: ['work'] })
  })

  test('of more than fifty tags the first are shown, and the others once there is room', async () => {
    const names = (from: number) => Array.from({ length: 50 }, (_, place) => `t${100 + from + place}`)
    const { edit, tags } = await openWith({ a: names(0) })
    await edit('a', { add: names(50) }, 5)
    expect(await tags()).toEqual({ a: names(0) })
    await edit('a', { remove: names(0) }, 6)
    expect(await tags()).toEqual({ a: names(50) })
  })

  test('a task whose tags were changed hundreds of times does not grow without end', async () => {
    const { db, edit, tags } = await openWith({ a: ['work'] })
    const names = Array.from({ length: 40 }, (_, place) => `t${place}`)
    for (let at = 2; at < 16; at++) await edit('a', { [at % 2 ? 'remove' : 'add']: names }, at)
    await edit('a', { add: ['home'] }, 16)
    expect(await tags()).toEqual({ a: ['home', 'work'] })
    const { count } = await db.read
      .selectFrom('todo_tags')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBeLessThan(250)
  })

  test('a renamed tag keeps its new name however many others are renamed later, and these are forgotten', async () => {
    const { db, edit, rename, tags } = await openWith({ a: ['work'] })
    await rename('work', 'job', 2)
    await rename('job', 'Duty', 3)
    const others = Array.from({ length: 1_200 }, (_, place) => ({
      user_id: 'ada',
      tag: `t${place}`,
      renamed_to: 'T',
      changed_at: 4 + place,
    }))
    await db.writeFor('ada', [], async (tx) => {
      for (const batch of inBatches(others)) await tx.insertInto('tag_changes').values(batch).execute()
    })
    await rename('last', 'T', 2_000)
    await edit('a', { add: ['home'] }, 2_001)
    expect(await tags()).toEqual({ a: ['Duty', 'home'] })
    const { count } = await db.read
      .selectFrom('tag_changes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1_002)
  })

  test('a tag that was renamed thousands of times before is renamed once more for little more than reading all of these', async () => {
    const names = Array.from({ length: 3_001 }, (_, place) => `t${place}`)
    const { db, rename, tags } = await openWith({})
    for (let id = 0; id < 10; id++) {
      await addTodo(db, 'ada', `id ${id}`, { ...open, tags: [`t${id * 300}`], at: 1 })
    }
    await addChain(db, names, 2)
    const { units, keys } = await workOf(() => rename('t3000', 'end', 5_000))
    expect(new Set(Object.values(await tags()).flat())).toEqual(new Set(['end']))
    // The changes, which of their tags are on to-dos, and the changes again once the to-dos are locked.
    expect(units).toBeLessThan(3.3 * names.length)
    expect(keys).toBeLessThan(2.1 * names.length)
  })

  test('a task is edited for little more than reading all changes, however many its tags have gone through', async () => {
    const { db, edit, tags } = await openWith({})
    const chains = Array.from({ length: 50 }, (_, chain) =>
      Array.from({ length: 201 }, (_, place) => `c${chain}-${place}`),
    )
    await addTodo(db, 'ada', 'a', { ...open, tags: chains.map(([first = '']) => first), at: 1 })
    for (const chain of chains) await addChain(db, chain, 2)
    const { units, keys } = await workOf(() => edit('a', { remove: ['c0-200'] }, 5_000))
    expect((await tags()).a).toHaveLength(49)
    expect(units).toBeLessThan(1.1 * 50 * 200)
    expect(keys).toBeLessThan(1.1 * 50 * 200)
  })

  test('a task with hundreds of tags that became one is renamed once, not once for each of these', async () => {
    const { db, edit, rename, tags } = await openWith({ a: [] })
    const names = Array.from({ length: 200 }, (_, place) => `t${place}`)
    for (let from = 0; from < 200; from += 50) await edit('a', { add: names.slice(from, from + 50) }, 2)
    await addChain(db, names, 3)
    const { units } = await workOf(() => rename('t199', 'end', 5_000))
    expect(await tags()).toEqual({ a: ['end'] })
    // Its presses, the changes and those of its own tags, before it is locked and then; and which tags are on to-dos.
    expect(units).toBeLessThan(8 * names.length)
  })

  test('tags that became one, on very many tasks that had all of them, have their new name on each task', async () => {
    const { db, rename } = await openWith({})
    const names = Array.from({ length: 12 }, (_, place) => `t${place}`)
    const rows = Array.from({ length: 150 }, (_, place) =>
      todos.file({ id: `id ${place}`, tags: names, updated_at: new Date(1).toISOString() }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) => importTodos(tx, 'ada', rows, 2, adding))
    await addChain(db, names, 3)
    await rename('t11', 'end', 5_000)
    expect(await tagCounts(db, 'ada')).toEqual([{ tag: 'end', count: 150 }])
  })

  test('a renaming that was stored reaches every task, though nobody waits for it any more', async () => {
    const { db, rename } = await openWith({})
    const rows = Array.from({ length: 250 }, (_, place) =>
      todos.file({ id: `id ${place}`, tags: ['work'], updated_at: new Date(1).toISOString() }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) => importTodos(tx, 'ada', rows, 2, adding))
    const gone = { units: 0, cpu: 0, betweenStretches: () => Promise.reject(new Error('gone')) }
    await countingInto(gone, () => rename('work', 'job', 3)).catch(() => {})
    expect(await tagCounts(db, 'ada')).toEqual([{ tag: 'job', count: 250 }])
  })

  test('thousands of tags are listed in the order in which they are shown', async () => {
    const { db } = await openWith({})
    const rows = Array.from({ length: 130 }, (_, place) =>
      todos.file({
        id: `id ${place}`,
        tags: Array.from({ length: 20 }, (_, each) => `T${((place * 20 + each) * 7_919) % 2_600}`),
      }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) => importTodos(tx, 'ada', rows, 2, adding))
    const listed = (await tagCounts(db, 'ada')).map(({ tag }) => tag)
    expect(listed).toEqual(Array.from({ length: 2_600 }, (_, place) => `T${place}`).toSorted())
  })

  test('tags are counted for one look at each name, however many tasks have it', async () => {
    const { db } = await openWith({})
    const rows = Array.from({ length: 250 }, (_, place) =>
      todos.file({ id: `id ${place}`, tags: ['work', 'Home', 'urgent'] }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) => importTodos(tx, 'ada', rows, 2, adding))
    const { keys } = await workOf(() => tagCounts(db, 'ada'))
    expect(keys).toBe(3)
  })

  test('a tag that nobody has can be renamed without telling any device', async () => {
    const { db, rename } = await openWith({})
    const told: string[] = []
    const stop = db.changes.listen('ada', (change) => told.push(...(change?.collections ?? ['unknown'])))
    // There everybody is told to look once other processes can be heard, which has nothing to do with the tag.
    if (db.engine === 'postgres') await waitUntil(() => told.includes('unknown'))
    await addTodo(db, 'ada', 'a', { ...open, tags: ['work'], at: 1 })
    await rename('work', 'job', 2)
    told.length = 0
    await rename('work', 'task', 5)
    stop()
    expect(told).toEqual([])
  })

  test('imported tasks have the tags of the file, whatever was renamed before; those that exist keep theirs', async () => {
    const { db, rename, tags } = await openWith({ a: ['mine'], gone: ['mine'] })
    await deleteTodo(db, 'ada', 'gone', 2)
    await rename('work', 'job', 5)
    const rows = ['a', 'b', 'gone'].map((id) =>
      todos.file({ id, tags: ['work', 'Work', 'B'], updated_at: new Date(3).toISOString() }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) => importTodos(tx, 'ada', rows, 9, adding))
    expect(await tags()).toEqual({ a: ['mine'], b: ['B', 'Work'], gone: ['mine'] })
    await rename('work', 'later', 8)
    expect(await tags()).toMatchObject({ b: ['B', 'later'] })
  })

  test('what is purged leaves nothing of its tags', async () => {
    const { db } = await openWith({ a: ['work'], b: ['work'] })
    await deleteTodo(db, 'ada', 'a', 3)
    await purgeDeleted(db, todoRows, 4)
    expect(await db.read.selectFrom('todo_tags').select('todo_id').execute()).toEqual([{ todo_id: 'b' }])
  })

  test("nobody's renaming touches the tags of others", async () => {
    const db = await openFor('ada', 'grace')
    for (const user of ['ada', 'grace']) await addTodo(db, user, 'a', { ...open, tags: ['work'], at: 1 })
    await changeTagEverywhere(db, 'ada', { tag: 'work', renamed_to: 'job', at: 2 })
    expect(await tagsIn(db, 'grace')).toEqual({ a: ['work'] })
    expect(await tagCounts(db, 'grace')).toEqual([{ tag: 'work', count: 1 }])
  })

  test('tags in use are counted without those of deleted tasks, open and done, each once whatever its case', async () => {
    const { db, tags } = await openWith({ a: ['work'], b: ['Work', 'home'], c: ['Work'], d: ['old'] })
    await changeTodo(db, 'ada', 'a', { completed: 1, day: open.day, at: 3 })
    await deleteTodo(db, 'ada', 'd', 3)
    expect(Object.keys(await tags())).toHaveLength(3)
    expect(await tagCounts(db, 'ada')).toEqual([
      { tag: 'home', count: 1 },
      { tag: 'Work', count: 3 },
    ])
  })

  test('hundreds of tasks have a new tag, some in each write, so that others are served between', async () => {
    const db = await openFor('ada')
    const rows = Array.from({ length: 350 }, (_, place) =>
      todos.file({ id: `id ${place}`, tags: ['work'], updated_at: new Date(1).toISOString() }),
    )
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) => importTodos(tx, 'ada', rows, 2, adding))
    let writes = 0
    const stop = db.changes.listen('ada', () => writes++)
    await changeTagEverywhere(db, 'ada', { tag: 'work', renamed_to: 'job', at: 3 })
    stop()
    // The change, three hundreds, and five tens; what was imported before may be told now.
    expect(writes).toBeGreaterThanOrEqual(9)
    expect(await tagCounts(db, 'ada')).toEqual([{ tag: 'job', count: 350 }])
  })

  test('a task is tagged, given a subtask and rid of tags everywhere at once, again and again, and nobody waits in a circle', async () => {
    const { db, edit, remove, tags } = await openWith({ a: ['one'] })
    for (let at = 2; at < 16; at++) {
      await Promise.all([
        addTodo(db, 'ada', `sub ${at}`, { ...open, parent_id: 'a', tags: ['two'], at }),
        edit('a', { add: ['one'] }, at),
        remove('one', at),
        addTodo(db, 'ada', `plain ${at}`, { ...open, parent_id: 'a', at }),
        remove('two', at),
      ])
    }
    expect(Object.keys(await tags())).toHaveLength(29)
    expect(await tags()).toMatchObject({ 'sub 15': [], a: [] })
  })

  describe('of several devices', () => {
    const ids = ['a', 'b', 'c']
    const tag = fc.constantFrom('work', 'Work', 'job', 'home', 'x')
    const some = fc.array(tag, { maxLength: 3 })
    const change = fc.oneof(
      fc.record({ id: fc.constantFrom(...ids), edit: fc.record({ add: some }) }),
      fc.record({ id: fc.constantFrom(...ids), edit: fc.record({ remove: some, add: some }) }),
      fc.record({ id: fc.constantFrom(...ids), edit: some }),
      fc.record({ from: tag, to: tag }),
      fc.record({ from: tag, to: fc.constantFrom(null, 'job') }),
    )
    const played = fc
      .array(change, { maxLength: 14, size: 'max' })
      .map((changes) => changes.map((each, place) => ({ ...each, at: place + 2 })))
      .chain((changes) =>
        fc.tuple(
          fc.constant(changes),
          fc.shuffledSubarray(changes, { minLength: changes.length }),
          fc.array(some, { minLength: ids.length, maxLength: ids.length }),
        ),
      )

    test('are the same in whichever order the changes arrive: as if each had been made alone, in its turn', async () => {
      const db = await openFor()
      let people = 0
      await fc.assert(
        fc.asyncProperty(played, async ([changes, arrived, first]) => {
          const user = `person-${++people}`
          await addUser(db.auth, db.engine, user)
          for (const [place, id] of ids.entries())
            await addTodo(db, user, id, { ...open, tags: first[place] ?? [], at: 1 })
          for (const each of arrived) {
            if ('id' in each) await changeTodo(db, user, each.id, { tags: each.edit, at: each.at })
            else await changeTagEverywhere(db, user, { tag: each.from, renamed_to: each.to, at: each.at })
          }
          expect(await tagsIn(db, user)).toEqual(inTurn(ids, first, changes))
        }),
        { numRuns: runs(2_000, 15) },
      )
    })
  })
})

type PlayedChange = { id: string; edit: TagsEdit } | { from: string; to: string | null }

/** The model: every change is made at once, on all to-dos, in the order of the instants. */
function inTurn(ids: readonly string[], first: readonly string[][], changes: readonly PlayedChange[]) {
  let tags = Object.fromEntries(ids.map((id, place) => [id, unique(first[place] ?? [])]))
  const without = (names: readonly string[], gone: readonly string[]) =>
    names.filter((name) => !gone.some((each) => tagKey(each) === tagKey(name)))
  for (const change of changes) {
    if ('from' in change) {
      tags = Object.fromEntries(
        Object.entries(tags).map(([id, names]) => {
          const rest = without(names, [change.from])
          return [
            id,
            rest.length === names.length || change.to === null ? rest : unique([...rest, change.to]),
          ]
        }),
      )
    } else {
      const { id, edit } = change
      const kept = Array.isArray(edit) ? [] : without(tags[id] ?? [], edit.remove ?? [])
      tags[id] = unique([...kept, ...((Array.isArray(edit) ? edit : edit.add) ?? [])])
    }
  }
  return Object.fromEntries(
    Object.entries(tags).map(([id, names]) => [
      id,
      names.toSorted((one, other) => (tagKey(one) < tagKey(other) ? -1 : 1)),
    ]),
  )
}

/** Of those that differ only in case the last. */
function unique(names: readonly string[]): string[] {
  return names.filter(
    (name, place) => !names.slice(place + 1).some((later) => tagKey(later) === tagKey(name)),
  )
}
