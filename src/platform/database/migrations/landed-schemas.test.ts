import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../opening/open-database.ts'
import { appliedMigrations, migrate, refuseUnknown } from '../schema/migrate.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { updateProgress } from '../schema/update-progress.ts'
import { forWriting, nodeSqliteDialect } from '../sqlite/connection/dialect.ts'
import { foreignPartOf } from '../sqlite/file/known-schema.ts'
import { describeEachEngineUrl } from '../testing/engines.ts'
import {
  asBefore,
  described,
  fill,
  landedSchemas,
  makeLanded,
  openPlain,
  type PlainDatabase,
  type Row,
  rowsOf,
} from '../testing/landed-database.ts'
import { createWriteGuard } from '../write-guard.ts'
import { heldFrom, migrations } from './migrations.ts'

const held = migrations.findIndex(({ name }) => name === heldFrom)

/** Columns that a step moved to another table, or whose content is made again. */
const moved: Record<string, readonly string[]> = {
  habits: [
    ...['frequency', 'frequency_at', 'earlier_rhythm', 'earlier_run', 'earlier_longest'],
    'starts_before_imports',
  ],
}

function withoutMoved(table: string, row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !moved[table]?.includes(column)))
}

function asFirstRhythm({ user_id, id, start_day, frequency, frequency_at }: Row): Row {
  return {
    user_id,
    habit_id: id,
    from_day: start_day,
    rhythm: frequency === 'daily' ? '{"every":1}' : '{"times":1,"per":"week"}',
    rhythm_at: frequency_at,
    target: '"yes"',
  }
}

describeEachEngineUrl('A database of a former program', (emptyUrl, engine) => {
  let former: FormerDatabase
  let today: unknown
  beforeAll(async () => {
    former = engine === 'sqlite' ? inMemory() : await onServer(await emptyUrl())
    await former.update()
    today = await described(former.db, engine)
  })
  beforeEach(() => former.clear())
  afterAll(() => former.close())

  test.each(landedSchemas)('is updated with every row: made by $madeBy', async (schema) => {
    await makeLanded(former.db, engine, schema)
    await expectToKeepAll(former)
  })

  test.each(migrations.slice(held))('is updated with every row: as far as $name', async ({ name }) => {
    await former.update(migrations.slice(0, migrations.findIndex((step) => step.name === name) + 1))
    await expectToKeepAll(former)
  })

  const asFiles = engine === 'sqlite' ? [landedSchemas[0], landedSchemas.at(-1)] : []
  test.each(asFiles)('is not restored with what somebody added: made by $madeBy', async (schema) => {
    if (!schema) throw new Error('There are landed schemas')
    await makeLanded(former.db, engine, schema)
    await former.db.all('create table spied (title text)')
    expect(await former.foreignPart?.()).toBe('it has the table spied, which Daymark did not make')
    await former.db.all('drop table spied')
    await former.db.all('create trigger spy after insert on todos begin select 1; end')
    expect(await former.foreignPart?.()).toBe('it has the trigger spy, which Daymark did not make')
  })

  // Most of what it takes to open a file is not about the steps. On PostgreSQL every test above opens it.
  test.each(asFiles)('opens with every row: made by $madeBy', async (schema) => {
    if (!schema) throw new Error('There are landed schemas')
    const url = await emptyUrl()
    const db = await openPlain(url)
    onTestFinished(() => db.close())
    await makeLanded(db, engine, schema)
    await expectToKeepAll({ db, update: async () => (await openDatabase(url)).close() })
  })

  async function expectToKeepAll({
    db,
    update,
    foreignPart,
  }: Pick<FormerDatabase, 'db' | 'update' | 'foreignPart'>) {
    expect(await foreignPart?.()).toBeUndefined()
    await fill(db, engine)
    const before = await rowsOf(db, engine)
    await update()
    const after = await rowsOf(db, engine)
    for (const [table, rows] of Object.entries(before)) {
      expect(rows, table).toHaveLength(2)
      const held = rows.map((row) => withoutMoved(table, row))
      const kept = after[table]?.map((row, place) => asBefore(held[place] ?? {}, row))
      expect(kept, table).toEqual(held)
    }
    if (!before.rhythms) expect(after.rhythms).toMatchObject((before.habits ?? []).map(asFirstRhythm))
    expect(await described(db, engine)).toEqual(today)
    expect(await foreignPart?.()).toBeUndefined()
    const applied = await db.all('select name from kysely_migration order by name')
    expect(applied.map(({ name }) => name)).toEqual(migrations.map((step) => step.name))
  }
})

/** One database for all: to create one takes longer than most of the tests. */
interface FormerDatabase {
  db: PlainDatabase
  /** What restoring would refuse in it; undefined on PostgreSQL. */
  foreignPart?(): Promise<string | undefined>
  update(steps?: readonly MigrationStep[]): Promise<void>
  /** Leaves it without tables. */
  clear(): Promise<void>
  close(): Promise<void>
}

function inMemory(): FormerDatabase {
  let file = new DatabaseSync(':memory:')
  return {
    db: { all: async (query) => file.prepare(query).all(), close: async () => file.close() },
    foreignPart: () => foreignPartOf(file, migrations),
    async update(steps = migrations) {
      file.exec('pragma foreign_keys = off')
      const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(file, forWriting, createWriteGuard()) })
      const progress = updateProgress(() => {})
      await db.transaction().execute(async (tx) => {
        refuseUnknown(await appliedMigrations(tx, 'sqlite'), steps)
        await migrate(tx, 'sqlite', steps, progress)
      })
      progress.stop()
      expect(file.prepare('pragma foreign_key_check').all()).toEqual([])
      file.exec('pragma foreign_keys = on')
    },
    async clear() {
      file.close()
      file = new DatabaseSync(':memory:')
    },
    close: async () => file.close(),
  }
}

async function onServer(url: string): Promise<FormerDatabase> {
  const db = await openPlain(url)
  return {
    db,
    update: async (steps) => (await openDatabase(url, steps)).close(),
    async clear() {
      await db.all('drop schema public cascade')
      await db.all('create schema public')
    },
    close: () => db.close(),
  }
}
