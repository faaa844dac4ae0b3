import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { filled, mode, newPath, temporaryFolder, users } from '#platform/database/testing/sqlite-file.ts'
import { spawnOnSmallDisk, whyNoSmallDisk } from '#testing/small-disk.ts'
import { waitUntil } from '#testing/wait.ts'
import { copyPath } from './copy.ts'

const first = migrations.slice(0, 1)

test('before an update a verified copy is kept, named after its version, which can be put back', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  await filled(path, migrations, 'grace')

  const copy = copyPath(path, '0001-accounts')
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['daymark.db', basename(copy)])
  expect(mode(copy)).toBe('600')
  renameSync(copy, path)
  expect(await users(path, first)).toEqual(['ada'])
})

test('the copy includes what was committed but not yet moved out of the write-ahead log', async () => {
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

test('a failed update has kept its copy, and the next attempt replaces it', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  const fails: MigrationStep = { name: '9000-fails', up: async () => Promise.reject(new Error('no luck')) }
  await expect(openDatabase(`sqlite:${path}`, [...first, fails])).rejects.toThrow(/no luck/)
  await filled(path, first, 'grace')
  await filled(path, migrations, 'linus')
  renameSync(copyPath(path, '0001-accounts'), path)
  expect(await users(path, first)).toEqual(['ada', 'grace'])
})

test('the two newest copies are kept, and so are files that a person renamed', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  const theirs = [`${path}.at-christmas.copy`, `${path}.copy`, `${path}.at-0001-accounts.copy.mine`]
  const ofAnother = join(dirname(path), 'another.db.at-0003-preferences.copy')
  for (const file of [...theirs, ofAnother]) writeFileSync(file, 'kept')
  const madeBefore = ['0009-counting', '0004-habits', '0003-preferences']
  for (const [place, version] of madeBefore.entries()) {
    writeFileSync(copyPath(path, version), '')
    utimesSync(copyPath(path, version), 1_000 - place, 1_000 - place)
  }
  await filled(path, migrations, 'grace')

  const kept = [copyPath(path, '0001-accounts'), copyPath(path, '0009-counting'), ...theirs, ofAnother, path]
  expect(readdirSync(dirname(path)).toSorted()).toEqual(kept.map((file) => basename(file)).toSorted())
})

test('older copies stay until the new one is verified', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  const madeBefore = ['0009-counting', '0004-habits', '0003-preferences'].map((name) => copyPath(path, name))
  for (const copy of madeBefore) writeFileSync(copy, '')
  breakPromiseOfColumn(path)
  await expect(openDatabase(`sqlite:${path}`)).rejects.toThrow(/is damaged/)
  expect(readdirSync(dirname(path)).toSorted()).toEqual(
    [...madeBefore, path].map((file) => basename(file)).toSorted(),
  )
})

test('an update reports the copy before it is made, its check and each step', async () => {
  const path = newPath()
  await filled(path, migrations.slice(0, -2), 'ada')
  const reports: string[] = []
  const db = await openDatabase(`sqlite:${path}`, migrations, { report: (text) => reports.push(text) })
  await db.close()
  const [last, latest] = migrations.slice(-2)
  const copy = copyPath(path, migrations.at(-3)?.name ?? '')
  expect(reports.map((text) => text.replace(/\d+ s$/, '… s').replace(/\([\d,]+ MB/, '(… MB'))).toEqual([
    `Before the update, a copy of the database is made: ${copy}, 1 MB (… MB are free)`,
    'Updating the database: copying 0 of 1 MB',
    'Updating the database: checking the copy',
    `Updating the database: step 1 of 2, ${last?.name}`,
    `Updating the database: step 2 of 2, ${latest?.name}`,
    'The database is updated: 2 steps in … s',
  ])
})

const noDisk = whyNoSmallDisk()

test.skipIf(noDisk)(
  `without room for the copy, an update says how much it needs, and writes nothing${noDisk ? ` (skipped: ${noDisk})` : ''}`,
  async () => {
    const path = newPath()
    await filled(path, first, 'ada')
    fill(path, 5)
    const disk = temporaryFolder()
    const opened = join(disk, basename(path))
    const database = JSON.stringify(join(import.meta.dirname, '../../opening/open-database.ts'))
    const open = `import(${database}).then(({ openDatabase }) =>
      openDatabase('sqlite:${opened}', undefined, { report: console.log })
    ).catch(({ message }) => console.log(message))`
    const script = 'cp "$1" "$2" && "$3" -e "$4"; cmp "$1" "$2/daymark.db" && ls "$2"'
    const { child } = spawnOnSmallDisk(disk, ['sh', '-c', script, 'sh', path, disk, process.execPath, open], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (!child.stdout) throw new Error('It says something')
    const said = await text(child.stdout)
    expect(said).toMatch(
      /^The database \S+ was left as it is: before the update, a copy of it is made beside it, which needs \d MB, and \d MB are free\ndaymark\.db\n$/,
    )
  },
)

test('nothing is reported for a new or up-to-date file', async () => {
  const path = newPath()
  const reports: string[] = []
  for (const _ of ['new', 'again']) {
    const db = await openDatabase(`sqlite:${path}`, migrations, { report: (text) => reports.push(text) })
    await db.close()
  }
  expect(reports).toEqual([])
})

test('an update waits for another process that uses the file, and says so', async () => {
  const path = newPath()
  await filled(path, first, 'ada')
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const reports: string[] = []
  const opened = openDatabase(`sqlite:${path}`, migrations, { report: (text) => reports.push(text) })
  await waitUntil(() => reports.length > 0)
  expect(reports[0]).toMatch(
    /^Updating the database: waiting for another process to let go of it, \d+ s so far$/,
  )
  other.exec('rollback')
  other.close()
  await (await opened).close()
  expect(await users(path, migrations)).toEqual(['ada'])
})

test('a damaged file is not updated', async () => {
  for (const damage of [tearPage, breakPromiseOfColumn]) {
    const path = newPath()
    const db = await openDatabase(`sqlite:${path}`, first)
    await db.write(async (tx) => {
      for (let number = 0; number < 300; number++) await addUser(tx, 'sqlite', `user ${number}`)
    })
    await db.close()
    damage(path)
    const bytes = readFileSync(path)

    const refused = openDatabase(`sqlite:${path}`)
    await expect(refused, damage.name).rejects.toThrow(DatabaseError)
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

/** Every page stays readable, but a column that must not be null is. */
function breakPromiseOfColumn(path: string): void {
  const database = new DatabaseSync(path, { defensive: false })
  database.exec(`
    pragma writable_schema = on;
    update sqlite_master set sql = replace(sql, '"image" text', '"image" text not null') where name = 'user';
    pragma writable_schema = reset;
  `)
  database.close()
}

/** Makes a file larger by so many megabytes. */
function fill(path: string, megabytes: number): void {
  const database = new DatabaseSync(path)
  database.prepare('update user set image = ?').run('x'.repeat(megabytes * 1_000_000))
  database.close()
}
