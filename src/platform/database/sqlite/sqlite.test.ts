import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { DatabaseError } from '../storage/database-error.ts'
import { addUser } from '../testing/add-user.ts'
import { mode, newPath, temporaryFolder, users } from '../testing/sqlite-file.ts'

test('the data folder and the file are created for their owner alone', async () => {
  const path = join(temporaryFolder(), 'new', 'data', 'daymark.db')
  const db = await openDatabase(`sqlite:${path}`)
  await addUser(db.auth, 'sqlite', 'ada')
  const files = readdirSync(dirname(path))
  expect(files.toSorted()).toEqual(['daymark.db', 'daymark.db-shm', 'daymark.db-wal'])
  for (const file of files) expect(mode(join(dirname(path), file))).toBe('600')
  expect(mode(dirname(path))).toBe('700')
  await db.close()
  expect(readdirSync(dirname(path))).toEqual(['daymark.db'])
})

test('an existing folder and file keep their modes', async () => {
  const path = newPath()
  chmodSync(dirname(path), 0o750)
  writeFileSync(path, '', { mode: 0o640 })
  await (await openDatabase(`sqlite:${path}`)).close()
  expect([mode(dirname(path)), mode(path)]).toEqual(['750', '640'])
})

test('what is committed is on the disk, rows with dangling references are refused, and a reader cannot write', async () => {
  const db = await openDatabase(`sqlite:${newPath()}`)
  onTestFinished(() => db.close())
  const values = await Promise.all(
    ['journal_mode', 'synchronous', 'foreign_keys'].map(async (name) => {
      const result = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db.auth)
      return result.rows[0]?.[name]
    }),
  )
  const full = 2
  expect(values).toEqual(['wal', full, 1])
  await expect(addUser(db.read, 'sqlite', 'ada')).rejects.toThrow(/readonly/)
  const todo = sql`insert into account ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt") values ('a', 'a', 'a', 'nobody', '', '')`
  await expect(todo.execute(db.auth)).rejects.toThrow(/FOREIGN KEY/)
})

test('a statement used before its table was changed returns the current columns', async () => {
  const db = await openDatabase(`sqlite:${newPath()}`)
  onTestFinished(() => db.close())
  await sql`create table things (one text)`.execute(db.auth)
  await sql`insert into things values ('first')`.execute(db.auth)
  const all = () => sql`select * from things`.execute(db.auth).then(({ rows }) => rows)
  expect(await all()).toEqual([{ one: 'first' }])
  await sql`alter table things add column two text default 'second'`.execute(db.auth)
  expect(await all()).toEqual([{ one: 'first', two: 'second' }])
  await sql`alter table things rename column one to uno`.execute(db.auth)
  expect(await all()).toEqual([{ uno: 'first', two: 'second' }])
})

test('a file that was removed or replaced while it is open is not reported as a working database', async () => {
  const path = newPath()
  const db = await openDatabase(`sqlite:${path}`)
  onTestFinished(() => db.close())
  await db.ping()
  renameSync(path, `${path}.away`)
  await expect(db.ping()).rejects.toThrow(/replaced/)
  copyFileSync(`${path}.away`, path)
  await expect(db.ping()).rejects.toThrow(/replaced/)
  unlinkSync(path)
  renameSync(`${path}.away`, path)
  await db.ping()
})

test('a path may be absolute, relative or written with slashes like a URL', async () => {
  const folder = temporaryFolder()
  for (const url of [`sqlite:${folder}/a.db`, `sqlite://${folder}/b.db`])
    await (await openDatabase(url)).close()
  expect(readdirSync(folder).toSorted()).toEqual(['a.db', 'b.db'])
})

test('an update may rebuild a table that others refer to, but not leave dangling references', async () => {
  const path = newPath()
  const db = await openDatabase(`sqlite:${path}`)
  await addUser(db.auth, 'sqlite', 'ada')
  await sql`insert into account ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt") values ('a', 'a', 'a', 'ada', '', '')`.execute(
    db.auth,
  )
  await db.close()
  const rebuilds = (name: string, kept: string): MigrationStep => ({
    name,
    async up(tx) {
      await sql`create table rebuilt as select * from "user" where ${sql.raw(kept)}`.execute(tx)
      await sql`drop table "user"`.execute(tx)
      await sql`create table "user" (id text primary key not null, name text, email text)`.execute(tx)
      await sql`insert into "user" select id, name, email from rebuilt`.execute(tx)
      await sql`drop table rebuilt`.execute(tx)
    },
  })
  await expect(
    openDatabase(`sqlite:${path}`, [...migrations, rebuilds('9001-empty', 'false')]),
  ).rejects.toThrow(/refer to nothing/)
  const updated = await openDatabase(`sqlite:${path}`, [...migrations, rebuilds('9001-whole', 'true')])
  onTestFinished(() => updated.close())
  expect(await updated.read.selectFrom('account').select('userId').execute()).toEqual([{ userId: 'ada' }])
})

test('a newer file is refused without changing a byte, even if its last program was killed', async () => {
  const path = newPath()
  const newer: MigrationStep[] = [...migrations, { name: '9001-newer', up: async () => {} }]
  const running = await openDatabase(`sqlite:${path}`, newer)
  await addUser(running.auth, 'sqlite', 'ada')
  const killed = join(dirname(path), 'killed')
  mkdirSync(killed)
  for (const file of ['daymark.db', 'daymark.db-wal'])
    copyFileSync(join(dirname(path), file), join(killed, file))
  await running.close()

  for (const file of [path, join(killed, 'daymark.db')]) {
    const log = `${file}-wal`
    const before = [readFileSync(file), existsSync(log) ? readFileSync(log) : Buffer.alloc(0)]
    await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow(/newer than this program/)
    const after = [readFileSync(file), existsSync(log) ? readFileSync(log) : Buffer.alloc(0)]
    expect(after.map((bytes, index) => before[index]?.equals(bytes))).toEqual([true, true])
  }
  expect(await users(join(killed, 'daymark.db'), newer)).toEqual(['ada'])
})

test("another program's file is refused and not changed", async () => {
  const path = newPath()
  const foreign = new DatabaseSync(path)
  foreign.exec('create table theirs (id integer)')
  foreign.close()
  const before = readFileSync(path)
  await expect(openDatabase(`sqlite:${path}`)).rejects.toThrow(/^[^\n]*another program$/)
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a file that cannot be opened is reported in one line', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'text'),
    'this is no database, but long enough to be looked at as one.'.repeat(20),
  )
  for (const url of [
    `sqlite:${join(folder, 'text')}`,
    `sqlite:${folder}`,
    `sqlite:${join(folder, 'text', 'daymark.db')}`,
    'sqlite:',
    'sqlite::memory:',
    'mysql://localhost/daymark',
    'postgres://daymark:secret@127.0.0.1:1/daymark',
    'postgres://daymark:secret@localhost:1/daymark',
    'postgres://%zz',
  ]) {
    const refused = openDatabase(url)
    await expect(refused, url).rejects.toThrow(DatabaseError)
    await expect(refused, url).rejects.toThrow(/^[^\n]{20,}$/)
    await expect(refused, url).rejects.not.toThrow(/secret/)
  }
})
