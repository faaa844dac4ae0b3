import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { runs } from '../../../../testing/runs.ts'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import { DatabaseError } from '../storage/database-error.ts'
import { addUser } from '../testing/add-user.ts'
import { describeEachEngineUrl } from '../testing/engines.ts'
import type { MigrationStep } from './migration-step.ts'

const addsATable: MigrationStep = {
  name: '9001-adds-a-table',
  async up(db) {
    await db.schema.createTable('notes').addColumn('text', 'text').execute()
    await sql`insert into notes values ('made')`.execute(db)
  },
}

const failsHalfway: MigrationStep = {
  name: '9002-fails-halfway',
  async up(db) {
    await sql`update "user" set name = 'changed'`.execute(db)
    await db.schema.createTable('more').addColumn('text', 'text').execute()
    await sql`insert into nowhere values (1)`.execute(db)
  },
}

describeEachEngineUrl('Starting', (emptyUrl, engine) => {
  test('creates the tables once, and finds its rows again at the next start', async () => {
    const url = await emptyUrl()
    await using(await openDatabase(url), (db) => addUser(db.auth, engine, 'ada'))
    await using(await openDatabase(url), async (db) => {
      expect(await db.read.selectFrom('user').select('id').execute()).toEqual([{ id: 'ada' }])
      expect(await applied(db)).toEqual(migrations.map((step) => step.name))
    })
  })

  test('several processes that start at once on an empty database all come up', async () => {
    for (let round = 0; round < runs(20, 1); round++) {
      const url = await emptyUrl()
      expect(await openAtOnce(url, 4)).toEqual(Array(4).fill('opened, 0 users\n'))
      await using(await openDatabase(url), async (db) => {
        expect(await applied(db)).toEqual(migrations.map((step) => step.name))
      })
    }
  })

  test('several processes that start at once after an update all come up, with every row', async () => {
    const url = await emptyUrl()
    await using(await openDatabase(url, migrations.slice(0, 1)), (db) => addUser(db.auth, engine, 'ada'))
    expect(await openAtOnce(url, 3)).toEqual(Array(3).fill('opened, 1 users\n'))
  })

  test('an update that fails halfway leaves everything as it was, so the old version can go on', async () => {
    const url = await emptyUrl()
    await using(await openDatabase(url), (db) => addUser(db.auth, engine, 'ada'))
    const before = await everything(url)

    const update = openDatabase(url, [...migrations, addsATable, failsHalfway])
    await expect(update).rejects.toThrow(DatabaseError)
    await expect(update).rejects.toThrow(/^[^\n]*nowhere[^\n]*$/)
    expect(await everything(url)).toEqual(before)

    const mended = { ...failsHalfway, up: (db: Kysely<unknown>) => addMore(db) }
    await using(await openDatabase(url, [...migrations, addsATable, mended]), async (db) => {
      expect(await applied(db)).toEqual([
        ...migrations.map((step) => step.name),
        addsATable.name,
        mended.name,
      ])
    })
  })

  test('a database that is newer than the program is refused in one line, and not touched', async () => {
    const url = await emptyUrl()
    const newer = [...migrations, addsATable]
    await using(await openDatabase(url, newer), (db) => addUser(db.auth, engine, 'ada'))
    const before = await everything(url, newer)

    const refused = openDatabase(url)
    await expect(refused).rejects.toThrow(DatabaseError)
    await expect(refused).rejects.toThrow(
      /^The database is newer than this program[^\n]*9001-adds-a-table[^\n]*$/,
    )
    // Also when the program still has a migration to run: the histories have forked.
    await expect(openDatabase(url, [...migrations, failsHalfway])).rejects.toThrow(/newer than this program/)
    expect(await everything(url, newer)).toEqual(before)
  })
})

async function addMore(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('more').addColumn('text', 'text').execute()
}

async function using(db: Database, work: (db: Database) => Promise<void>): Promise<void> {
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

async function applied(db: Database): Promise<string[]> {
  const rows = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db.read)
  return rows.rows.map((row) => row.name)
}

/** The names of all tables and columns, the migrations and the users. */
async function everything(url: string, steps = migrations) {
  const db = await openDatabase(url, steps)
  try {
    return {
      tables: await db.read.introspection.getTables(),
      applied: await applied(db),
      users: await db.read.selectFrom('user').selectAll().execute(),
    }
  } finally {
    await db.close()
  }
}

/** What each of several processes prints when all are told to open the database at the same moment. */
async function openAtOnce(url: string, processes: number): Promise<string[]> {
  const script = fileURLToPath(new URL('../testing/open-when-told.ts', import.meta.url))
  const children = await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = spawn(process.execPath, [script, url], { stdio: ['pipe', 'pipe', 'inherit'] })
      child.stdout.setEncoding('utf8')
      await once(child.stdout, 'data')
      return child
    }),
  )
  return Promise.all(
    children.map(async (child) => {
      let said = ''
      child.stdout.on('data', (text) => {
        said += text
      })
      const closed = once(child, 'close')
      child.stdin.write('open\n')
      await closed
      return said
    }),
  )
}
