import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { copyPath } from './copy.ts'

const changes: MigrationStep = {
  name: '9001-changes',
  async up(db) {
    await db.schema.alterTable('todos').renameColumn('title', 'words').execute()
  },
}
const ending = '.newer-20261128T120000Z'
const file = 'daymark.db'

/** A database that an older program made, and that a newer one has updated and written to since. */
async function updatedDatabase(addition?: MigrationStep) {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-go-back-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, file)
  const older = await openDatabase(`sqlite:${path}`)
  await addUser(older.auth, 'sqlite', 'ada')
  await older.close()
  const between = addition ? [...migrations, addition] : migrations
  if (addition) {
    const added = await openDatabase(`sqlite:${path}`, between)
    await addUser(added.auth, 'sqlite', 'linus')
    await added.close()
  }
  const newer = await openDatabase(`sqlite:${path}`, [...between, changes])
  await addUser(newer.auth, 'sqlite', 'grace')
  return { folder, path, newer }
}

const usersIn = (path: string) => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const users = database.prepare('select id from user order by id').all()
    return users.map(({ id }) => id)
  } finally {
    database.close()
  }
}

test('whoever goes back finds what was there before the update, and what came after it beside it', async () => {
  const { folder, path, newer } = await updatedDatabase()
  await newer.close()
  const older = await openDatabase(`sqlite:${path}`, migrations, { goBack: ending })
  await addUser(older.auth, 'sqlite', 'linus')
  await older.close()
  expect(readdirSync(folder).toSorted()).toEqual(
    [file, copyPath(file, migrations.at(-1)?.name ?? ''), `${file}${ending}`].toSorted(),
  )
  expect(usersIn(path)).toEqual(['ada', 'linus'])
  expect(usersIn(`${path}${ending}`)).toEqual(['ada', 'grace'])
})

test('whoever goes back over an addition keeps what was written since that', async () => {
  const { path, newer } = await updatedDatabase({
    name: '9000-mood-only-adds',
    async up(db) {
      await db.schema.alterTable('todos').addColumn('mood', 'text').execute()
    },
  })
  await newer.close()
  await (await openDatabase(`sqlite:${path}`, migrations, { goBack: ending })).close()
  expect(usersIn(path)).toEqual(['ada', 'linus'])
})

test('nobody goes back unless they are told to', async () => {
  const { path, newer } = await updatedDatabase()
  await newer.close()
  await expect(openDatabase(`sqlite:${path}`)).rejects.toThrow(/newer than this program/)
  expect(usersIn(path)).toEqual(['ada', 'grace'])
})

test('without a copy nothing is changed, and a backup is asked for', async () => {
  const { folder, path, newer } = await updatedDatabase()
  await newer.close()
  rmSync(copyPath(path, migrations.at(-1)?.name ?? ''))
  await expect(openDatabase(`sqlite:${path}`, migrations, { goBack: ending })).rejects.toThrow(
    /newer than this program[^\n]*: restore a backup$/,
  )
  expect(readdirSync(folder).filter((name) => !/-(shm|wal)$/.test(name))).toEqual([file])
  expect(usersIn(path)).toEqual(['ada', 'grace'])
})

test('while the newer program runs, its file is not taken from it', async () => {
  const { path, newer } = await updatedDatabase()
  await expect(openDatabase(`sqlite:${path}`, migrations, { goBack: ending })).rejects.toThrow(
    /Another process has [^\n]* open/,
  )
  await addUser(newer.auth, 'sqlite', 'linus')
  await newer.close()
  expect(usersIn(path)).toEqual(['ada', 'grace', 'linus'])
})
