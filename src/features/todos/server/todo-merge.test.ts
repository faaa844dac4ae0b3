import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Day, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../testing/runs.ts'
import { listTodos } from './todo-list-store.ts'
import { addTodo, changeTodo, deleteTodo, restoreTodo } from './todo-store.ts'

// Writes from several devices reach the server in any order. fast-check prints the seed of a failed run.

type Write =
  | { kind: 'rename'; title: string; at: number }
  | { kind: 'complete'; completed: 0 | 1; at: number }
  | { kind: 'delete' | 'restore'; at: number }

const day = '2026-11-16' as Day
const created = { title: 'created', completed: 0, day, at: 0 } as const

// From before the creation on, and few enough that equal instants are common.
const instant = fc.integer({ min: -3, max: 20 })
// Whatever can be stored is read back unchanged.
const title = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !text.includes('\0'))
const rename = fc.record({ kind: fc.constant('rename' as const), title, at: instant })
const complete = fc.record({
  kind: fc.constant('complete' as const),
  completed: fc.constantFrom(0 as const, 1 as const),
  at: instant,
})
const remove = fc.record({ kind: fc.constantFrom('delete' as const, 'restore' as const), at: instant })

describeEachEngine('Writes to a todo, in any order', (openEmpty) => {
  test('the change with the latest instant wins for each field, and the latest of all decides whether the to-do exists', async () => {
    const db = await openEmpty()
    const { newTodo, send } = await writingTo(db)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(rename, complete, remove), { maxLength: 12 }), async (writes) => {
        const id = await newTodo()
        const sent: Write[] = [
          { kind: 'restore', at: 0 },
          { kind: 'rename', title: created.title, at: 0 },
          { kind: 'complete', completed: 0, at: 0 },
        ]
        for (const write of writes) {
          const answer = await send(id, write)
          sent.push(write)
          const expected = lastWriterWins(sent)
          expect(await stored(db, id)).toEqual(expected)
          // A deletion returns whether there was anything to delete; everything else returns whether the to-do exists now.
          if (write.kind !== 'delete') expect(answer === undefined).toBe(expected.deleted)
        }
      }),
      { numRuns: runs(3_000, 12) },
    )
  })

  test('devices end with the same to-do, in whichever order their changes arrive', async () => {
    const db = await openEmpty()
    const { newTodo, send } = await writingTo(db)
    const changes = fc
      .uniqueArray(fc.oneof(rename, complete, remove), { maxLength: 8, selector: (write) => write.at })
      .chain((writes) =>
        fc.tuple(fc.constant(writes), fc.shuffledSubarray(writes, { minLength: writes.length })),
      )
    await fc.assert(
      fc.asyncProperty(changes, async ([oneOrder, anotherOrder]) => {
        const [first, second] = [await newTodo(), await newTodo()]
        for (const write of oneOrder) await send(first, write)
        for (const write of anotherOrder) await send(second, write)
        expect(await stored(db, first)).toEqual(await stored(db, second))
      }),
      { numRuns: runs(2_000, 10) },
    )
  })

  test('in the order of their instants, a completion is dated by the first since it was last open', async () => {
    const db = await openEmpty()
    const { newTodo, send } = await writingTo(db)
    await fc.assert(
      fc.asyncProperty(fc.array(complete, { maxLength: 10 }), async (writes) => {
        const inOrder = writes.filter((write) => write.at >= 0).toSorted((a, b) => a.at - b.at)
        const id = await newTodo()
        for (const write of inOrder) await send(id, write)
        const lastOpen = inOrder.findLastIndex((write) => write.completed === 0)
        const completion = inOrder[lastOpen + 1]
        const todo = (await Array.fromAsync(listTodos(db, 'ada'))).flat().find((listed) => listed.id === id)
        expect(todo?.completed_at ?? null).toBe(completion ? instantToWire(completion.at) : null)
      }),
      { numRuns: runs(1_000, 10) },
    )
  })
})

async function writingTo(db: Database) {
  await addUser(db.auth, db.engine, 'ada')
  let todos = 0
  return {
    async newTodo(): Promise<string> {
      const id = `${todos++}`
      await addTodo(db, 'ada', id, created)
      return id
    },
    async send(id: string, write: Write): Promise<unknown> {
      if (write.kind === 'delete') return deleteTodo(db, 'ada', id, write.at)
      if (write.kind === 'restore') return restoreTodo(db, 'ada', id, write.at)
      return changeTodo(db, 'ada', id, { ...write, day, revives: true })
    },
  }
}

async function stored(db: Database, id: string) {
  const row = await db.read
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', 'ada')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.completed_at === null).toBe(row.completed === 0)
  expect(row.completed_on === null).toBe(row.completed === 0)
  return { title: row.title, completed: row.completed, deleted: row.deleted_at !== null }
}

/** The model: for each field the write with the latest instant wins, and among equal instants the one that arrived last. */
function lastWriterWins(sent: Write[]) {
  return {
    title: latest(sent.filter((write) => write.kind === 'rename')).title,
    completed: latest(sent.filter((write) => write.kind === 'complete')).completed,
    deleted: latest(sent).kind === 'delete',
  }
}

function latest<Kind extends Write>(writes: Kind[]): Kind {
  return writes.reduce((last, write) => (write.at >= last.at ? write : last))
}
