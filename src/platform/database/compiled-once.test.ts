import { expect, test } from 'vitest'
import { compiledOnce } from './compiled-once.ts'
import { addUser } from './testing/add-user.ts'
import { describeEachEngine } from './testing/engines.ts'

describeEachEngine('a query that is compiled once', (openEmpty) => {
  test('is run with the values of each run, in every database', async () => {
    let built = 0
    const find = compiledOnce<{ id: string; name: string }>()((db, param) => {
      built += 1
      return db
        .selectFrom('user')
        .select(['id', 'name'])
        .where('name', '=', param('name'))
        .where('id', '=', param('id'))
        .where('id', '!=', 'nobody')
    })
    for (const db of [await openEmpty(), await openEmpty()]) {
      built = 0
      for (const id of ['ada', 'eve']) await addUser(db.auth, db.engine, id)
      for (const id of ['ada', 'eve', 'max', 'ada']) {
        const found = await db.write((tx) => find(tx, { id, name: id }))
        expect(found).toEqual(id === 'max' ? [] : [{ id, name: id }])
      }
      expect(built).toBe(1)
      for (const id of ['eve', 'ada'])
        expect(await find(db.read, { id, name: id })).toEqual([{ id, name: id }])
      expect(built, 'once for those who read, at most').toBeLessThanOrEqual(2)
    }
  })
})
