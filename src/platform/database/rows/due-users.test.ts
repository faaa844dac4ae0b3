import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import type { Database } from '../database.ts'
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { describeEachEngine } from '../testing/engines.ts'
import { newPath } from '../testing/sqlite-file.ts'
import { dueUsers } from './due-users.ts'

const now = 1_000
const alarms = { table: 'alarms', due: 'due_at' } as const

/** User ids, and when each user's alarms are due. */
async function addAlarms(database: Database, users: Record<string, number[]>): Promise<void> {
  await database.write(async (tx) => {
    for (const [user, dueAt] of Object.entries(users)) {
      await addUser(tx, database.engine, user)
      const rows = dueAt.map((due_at, place) => ({
        user_id: user,
        kind: 'todo' as const,
        row_id: `todo-${place}`,
        due_at,
        reminded_on: null,
        day: null,
      }))
      await tx.insertInto('alarms').values(rows).execute()
    }
  })
}

describeEachEngine('turns of users with something due', (openEmpty) => {
  it('serve every user once before anyone is served again, the longest waiting first', async () => {
    const database = await openEmpty()
    await addAlarms(database, { a: [1, 2, 3, 4, 5], b: [now + 1], c: [now], d: [999, now + 1], e: [7] })
    const turns = dueUsers(database, alarms)
    expect(await turns.next(now, 2)).toEqual(['a', 'c'])
    expect(await turns.next(now, 2)).toEqual(['d', 'e'])
    expect(await turns.next(now, 3, new Set(['c']))).toEqual(['a', 'd', 'e'])
    expect(await turns.next(now, 3)).toEqual(['a', 'c', 'd'])
    expect(await turns.next(0, 10)).toEqual([])
  })

  it('include a newly due user as soon as the earlier ones are done', async () => {
    const database = await openEmpty()
    await addAlarms(database, { a: [1], b: [2], c: [now + 1] })
    const turns = dueUsers(database, alarms)
    expect(await turns.next(now, 10)).toEqual(['a', 'b'])
    await database.write((tx) => tx.deleteFrom('alarms').where('user_id', '=', 'a').execute())
    expect(await turns.next(now, 10)).toEqual(['b'])
    expect(await turns.next(now, 10, new Set(['b']))).toEqual([])
    await database.write((tx) => tx.deleteFrom('alarms').where('user_id', '=', 'b').execute())
    expect(await turns.next(now + 1, 10)).toEqual(['c'])
  })

  it('reach each of a thousand users, though most have nothing due', async () => {
    const database = await openEmpty()
    const users = Array.from({ length: 1_000 }, (_, place) => {
      return [`user-${String(place).padStart(4, '0')}`, [place % 250 === 249 ? now : now + 1]]
    })
    await addAlarms(database, Object.fromEntries(users))
    const turns = dueUsers(database, alarms)
    expect(await turns.next(now, 3)).toEqual(['user-0249', 'user-0499', 'user-0749'])
    expect(await turns.next(now, 3)).toEqual(['user-0999', 'user-0249', 'user-0499'])
    expect(await turns.next(now, 9)).toEqual(['user-0749', 'user-0999', 'user-0249', 'user-0499'])
    expect((await turns.next(now, 9)).toSorted()).toEqual([
      'user-0249',
      'user-0499',
      'user-0749',
      'user-0999',
    ])
  })
})

it("are found by skipping from user to user along the index, without reading anyone's rows", async () => {
  const file = newPath()
  const database = await openDatabase(`sqlite:${file}`)
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  await addAlarms(database, { ada: [1], eve: [2] })
  prepare.mockClear()
  const turns = dueUsers(database, alarms)
  for (let turn = 0; turn < 2; turn++) expect(await turns.next(now, 10)).toEqual(['ada', 'eve'])
  const statements = prepare.mock.calls
    .map(([statement]) => statement)
    .filter((each) => /"alarms"/.test(each))
  prepare.mockRestore()
  await database.close()

  const reading = new DatabaseSync(file, { readOnly: true })
  const plans = statements.map((statement) =>
    reading
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(({ detail }) => String(detail))
      .filter((step) => /alarms|of_user|B-TREE/.test(step)),
  )
  reading.close()
  expect(new Set(plans.flat())).toEqual(
    new Set([
      'SEARCH alarms USING COVERING INDEX alarms_of_user (user_id>?)',
      'SEARCH of_user USING COVERING INDEX alarms_of_user (user_id=? AND due_at<?)',
      // For users known to be among few with something due.
      'SEARCH of_user EXISTS USING COVERING INDEX alarms_of_user (user_id=? AND due_at<?)',
    ]),
  )
})
