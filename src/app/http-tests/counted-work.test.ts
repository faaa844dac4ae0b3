import { expect, it } from 'vitest'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { countingInto, type Work } from '#platform/database/pacing/work.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'

describeEachEngine('the counted work of the database', (openEmpty) => {
  it('belongs to whoever requested it, even if writes are committed together, and writing a row costs more than reading one', async () => {
    const db = await openEmpty()
    for (const user of ['ada', 'eve']) await addUser(db.auth, db.engine, user)
    const adding = { rows() {}, isNear: async () => false }
    const write = async (user: string, rows: number) => {
      const work: Work = { units: 0, cpu: 0 }
      await countingInto(work, () =>
        db.write(async (tx) => {
          for (let row = 0; row < rows; row += 1) {
            await todoRows.add(tx, adding, user, `${rows} ${row}`, { title: 'x' }, 0)
          }
        }),
      )
      return work.units
    }
    expect(await Promise.all([write('ada', 10), write('eve', 1), write('ada', 3), write('eve', 0)])).toEqual([
      80, 8, 24, 0,
    ])
    const work: Work = { units: 0, cpu: 0 }
    await countingInto(work, () => db.read.selectFrom('todos').select('id').execute())
    expect(work.units).toBe(2 + 14)
    await countingInto(work, () => db.write((tx) => todoRows.lock(tx, 'ada', '10 1')))
    expect(work.units).toBe(2 + 14 + 3)
  })
})
