import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { newPath } from '../testing/sqlite-file.ts'

async function openWithAda() {
  const path = newPath()
  const db = await openDatabase(`sqlite:${path}`)
  onTestFinished(() => db.close())
  await addUser(db.auth, 'sqlite', 'ada')
  const nameOf = db.lookUp(
    (reader, isKey) => reader.selectFrom('user').select(['id as key', 'name']).where(isKey('id')).compile(),
    ({ name }) => name,
  )
  return { db, path, nameOf }
}

test('a look-up returns what was last committed, by this process or another', async () => {
  const { db, path, nameOf } = await openWithAda()
  expect(await nameOf('ada')).toBe('ada')
  await db.write((tx) => tx.updateTable('user').set({ name: 'Ada' }).execute())
  expect(await nameOf('ada')).toBe('Ada')
  await sql`update "user" set name = 'Ada L.'`.execute(db.auth)
  expect(await nameOf('ada')).toBe('Ada L.')

  const other = new DatabaseSync(path)
  other.exec(`begin; update "user" set name = 'Ada Lovelace'`)
  expect(await nameOf('ada'), 'not committed yet').toBe('Ada L.')
  other.exec('commit')
  expect(await nameOf('ada')).toBe('Ada Lovelace')
  other.exec(`delete from "user"`)
  expect(await nameOf('ada')).toBeUndefined()
  other.exec(`insert into "user" select 'ada', 'Ada', 'a@example.org', 0, null, '', ''`)
  other.close()
  expect(await nameOf('ada'), 'of what was not there, too').toBe('Ada')
})

test('while nobody writes, a row is looked up once', async () => {
  const { nameOf } = await openWithAda()
  const begun = vi.spyOn(DatabaseSync.prototype, 'exec')
  onTestFinished(() => begun.mockRestore())
  for (let time = 0; time < 3; time++) expect(await nameOf('ada')).toBe('ada')
  expect(begun.mock.calls).toEqual([['begin'], ['commit']])
})
