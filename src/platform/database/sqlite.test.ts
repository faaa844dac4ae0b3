import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { DatabaseRefusal } from './database-refusal.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { migrations } from './migrations/migrations.ts'
import { copyPath } from './sqlite-copy.ts'
import { addUser } from './testing/add-user.ts'

const first = migrations.slice(0, 1)

test('the data folder and the file are made for their owner alone', async () => {
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

test('a folder and a file that are there keep their modes', async () => {
  const path = newPath()
  chmodSync(dirname(path), 0o750)
  writeFileSync(path, '', { mode: 0o640 })
  await (await openDatabase(`sqlite:${path}`)).close()
  expect([mode(dirname(path)), mode(path)]).toEqual(['750', '640'])
})

test('what is committed is on the disk, rows that refer to nothing are refused, and a reader cannot write', async () => {
  const db = await openDatabase(`sqlite:${newPath()}`)
  onTestFinished(() => db.close())
  const asked = await Promise.all(
    ['journal_mode', 'synchronous', 'foreign_keys'].map(async (name) => {
      const answer = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db.auth)
      return answer.rows[0]?.[name]
    }),
  )
  const full = 2
  expect(asked).toEqual(['wal', full, 1])
  await expect(addUser(db.read, 'sqlite', 'ada')).rejects.toThrow(/readonly/)
  const todo = sql`insert into account ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt") values ('a', 'a', 'a', 'nobody', '', '')`
  await expect(todo.execute(db.auth)).rejects.toThrow(/FOREIGN KEY/)
})

test('a path may be absolute, relative or written with slashes as an address', async () => {
  const folder = temporaryFolder()
  for (const url of [`sqlite:${folder}/a.db`, `sqlite://${folder}/b.db`])
    await (await openDatabase(url)).close()
  expect(readdirSync(folder).toSorted()).toEqual(['a.db', 'b.db'])
})

test('a verified copy is kept before an update, named by its version, which can be put back', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  await filled(path, migrations, 'grace')

  const copy = copyPath(path, '0001-accounts')
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['daymark.db', basename(copy)])
  expect(mode(copy)).toBe('600')
  renameSync(copy, path)
  expect(await users(path, first)).toEqual(['ada'])
})

test('the copy has what was committed but not yet moved out of the write-ahead log', async () => {
  const path = newPath()
  const crashed = join(dirname(path), 'crashed')
  mkdirSync(crashed)
  const db = await openDatabase(`sqlite:${path}`, first)
  await addUser(db.auth, 'sqlite', 'ada')
  for (const file of ['daymark.db', 'daymark.db-wal'])
    copyFileSync(join(dirname(path), file), join(crashed, file))
  await db.close()

  const restarted = join(crashed, 'daymark.db')
  expect(await users(restarted, migrations)).toEqual(['ada'])
  renameSync(copyPath(restarted, '0001-accounts'), restarted)
  expect(await users(restarted, first)).toEqual(['ada'])
})

test('no copy is made of a new file, nor when there is nothing to update', async () => {
  const path = newPath()
  writeFileSync(path, '')
  await filled(path, migrations, 'ada')
  await filled(path, migrations, 'grace')
  expect(readdirSync(dirname(path))).toEqual(['daymark.db'])
})

test('an update that fails has kept its copy, and the next attempt replaces it', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  const fails: MigrationStep = { name: '9000-fails', up: async () => Promise.reject(new Error('no luck')) }
  await expect(openDatabase(`sqlite:${path}`, [...first, fails])).rejects.toThrow(/no luck/)
  await filled(path, first, 'grace')
  await filled(path, migrations, 'linus')
  renameSync(copyPath(path, '0001-accounts'), path)
  expect(await users(path, first)).toEqual(['ada', 'grace'])
})

test('a damaged file is not updated', async () => {
  for (const damage of [tearPage, breakPromiseOfColumn]) {
    const path = newPath()
    const db = await openDatabase(`sqlite:${path}`, first)
    for (let number = 0; number < 300; number++) await addUser(db.auth, 'sqlite', `user ${number}`)
    await db.close()
    damage(path)
    const bytes = readFileSync(path)

    const refused = openDatabase(`sqlite:${path}`)
    await expect(refused, damage.name).rejects.toThrow(DatabaseRefusal)
    await expect(refused, damage.name).rejects.toThrow(/malformed|is damaged/)
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['daymark.db'])
  }
})

function tearPage(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  const index = database
    .prepare("select rootpage from sqlite_master where name = 'sqlite_autoindex_user_2'")
    .get()
  database.close()
  const page = Number(index?.rootpage)
  const bytes = readFileSync(path)
  bytes.fill(0, (page - 1) * 4096 + 200, page * 4096)
  writeFileSync(path, bytes)
}

/** Every page can be read, but a column that is never empty is. */
function breakPromiseOfColumn(path: string): void {
  const database = new DatabaseSync(path, { defensive: false })
  database.exec(`
    pragma writable_schema = on;
    update sqlite_master set sql = replace(sql, '"image" text', '"image" text not null') where name = 'user';
    pragma writable_schema = reset;
  `)
  database.close()
}

test('an update may rebuild a table that others refer to, but not leave rows that refer to nothing', async () => {
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

test('a newer file is refused without a byte being changed, also when its last program was killed', async () => {
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

test('what cannot be opened is said in one line', async () => {
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
    await expect(refused, url).rejects.toThrow(DatabaseRefusal)
    await expect(refused, url).rejects.toThrow(/^[^\n]{20,}$/)
    await expect(refused, url).rejects.not.toThrow(/secret/)
  }
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function newPath(): string {
  return join(temporaryFolder(), 'daymark.db')
}

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

async function filled(path: string, steps: readonly MigrationStep[], user: string): Promise<void> {
  const db = await openDatabase(`sqlite:${path}`, steps)
  await addUser(db.auth, 'sqlite', user)
  await db.close()
}

async function users(path: string, steps: readonly MigrationStep[]): Promise<string[]> {
  const db: Database = await openDatabase(`sqlite:${path}`, steps)
  const rows = await db.read.selectFrom('user').select('id').orderBy('id').execute()
  await db.close()
  return rows.map((row) => row.id)
}
