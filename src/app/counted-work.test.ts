import { expect, it } from 'vitest'
import { insertRow, lockRow } from '#features/todos/server/todo-row-store.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { countingInto, type Work } from '#platform/database/work.ts'

describeEachEngine('the work that the database is counted to do', (openEmpty) => {
  it('is of whoever has it done, also of writes that are committed together, and a row written is more than one read', async () => {
    const db = await openEmpty()
    for (const user of ['ada', 'eve']) await addUser(db.auth, db.engine, user)
    const write = async (user: string, rows: number) => {
      const work: Work = { units: 0 }
      await countingInto(work, () =>
        db.write(async (tx) => {
          for (let row = 0; row < rows; row += 1) {
            const none = { completed_on: null, completed_at: null, due_day: null, remind_at: null }
            await insertRow(tx, {
              user_id: user,
              id: `${rows} ${row}`,
              title: 'x',
              completed: 0,
              ...none,
              at: 0,
            })
          }
        }),
      )
      return work.units
    }
    expect(await Promise.all([write('ada', 10), write('eve', 1), write('ada', 3), write('eve', 0)])).toEqual([
      80, 8, 24, 0,
    ])
    const work: Work = { units: 0 }
    await countingInto(work, () => db.read.selectFrom('todos').select('id').execute())
    expect(work.units).toBe(2 + 14)
    await countingInto(work, () => db.write((tx) => lockRow(tx, 'ada', '10 1')))
    expect(work.units).toBe(2 + 14 + 3)
  })
})
