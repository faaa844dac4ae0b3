import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { describeEachEngineUrl } from '../testing/engines.ts'
import { described, openPlain, type Row } from '../testing/landed-database.ts'
import type { Engine, MigrationStep } from './migration-step.ts'
import { migrations } from './migrations.ts'
import { onlyAdds } from './only-adds.ts'

// A step whose name says that it only adds is one that an older program works beside, without knowing what it added. So
// whatever that program reads is as it was, and whatever it writes is accepted.

describeEachEngineUrl('A step that says that it only adds', (emptyUrl, engine) => {
  test('only adds', async () => {
    const url = await emptyUrl()
    for (const [place, step] of migrations.entries()) {
      if (!onlyAdds(step.name)) continue
      expect(await whatElseItDoes(url, engine, migrations.slice(0, place), step), step.name).toEqual([])
    }
  })

  test('may add a table whose rows go with their user, and columns that may be left out', async () => {
    const done = whatElseItDoes(await emptyUrl(), engine, migrations, {
      name: '9000-notes-only-adds',
      async up(db) {
        await db.schema
          .createTable('notes')
          .addColumn('user_id', 'text', (column) =>
            column.notNull().references('user.id').onDelete('cascade'),
          )
          .addColumn('id', 'text', (column) => column.notNull())
          .addPrimaryKeyConstraint('notes_key', ['user_id', 'id'])
          .execute()
        await db.schema.createIndex('notes_of_user').on('notes').column('id').execute()
        await db.schema.alterTable('todos').addColumn('mood', 'text').execute()
        await db.schema
          .alterTable('todos')
          .addColumn('weight', 'integer', (column) => column.notNull().defaultTo(0))
          .execute()
      },
    })
    expect(await done).toEqual([])
  })

  test.each<[string, (db: Kysely<unknown>) => Promise<unknown>]>([
    ['a table removed', (db) => sql`drop table sign_ups`.execute(db)],
    ['a column removed', (db) => db.schema.alterTable('todos').dropColumn('title_at').execute()],
    [
      'a column renamed',
      (db) => db.schema.alterTable('todos').renameColumn('title_at', 'title_changed_at').execute(),
    ],
    [
      'a rule for what is written',
      (db) => db.schema.createIndex('one_title').unique().on('todos').columns(['user_id', 'title']).execute(),
    ],
    [
      'rows that keep their user from being deleted',
      (db) =>
        db.schema
          .createTable('notes')
          .addColumn('user_id', 'text', (column) => column.notNull().references('user.id'))
          .execute(),
    ],
  ])('is found out: %s', async (_, up) => {
    const step: MigrationStep = { name: '9000-lies-only-adds', up: async (db) => void (await up(db)) }
    expect(await whatElseItDoes(await emptyUrl(), engine, migrations, step)).not.toEqual([])
  })
})

/** What an older program would notice of a step. */
async function whatElseItDoes(
  url: string,
  engine: Engine,
  before: readonly MigrationStep[],
  step: MigrationStep,
): Promise<Row[]> {
  await (await openDatabase(url, before)).close()
  const was = await readSchema(url, engine)
  await (await openDatabase(url, [...before, step])).close()
  const is = await readSchema(url, engine)
  const [old, now] = [was.map(textOf), is.map(textOf)]
  const tables = new Set(was.map(({ of }) => of))
  return [
    ...was.filter((row) => !now.includes(textOf(row))),
    ...is.filter((row) => !old.includes(textOf(row)) && !isAddition(row, tables)),
  ]
}

function isAddition({ what, of, is_so }: Row, tables: ReadonlySet<unknown>): boolean {
  const text = String(is_so)
  const isReference = what === 'reference' || text.includes('FOREIGN KEY')
  if (isReference) return !tables.has(of) && /(CASCADE|SET NULL)( |$)/.test(text)
  if (!tables.has(of)) return true
  // From PostgreSQL 18 on, it is a constraint too. The column says whether it has a default.
  if (what === 'constraint') return / NOT NULL /.test(text)
  if (what !== 'column') return false
  const [, type, required, byDefault] = /^\S+ (.+) (0|1|YES|NO) (\S+)( 0)?$/.exec(text) ?? []
  return type !== undefined && (required === '0' || required === 'YES' || byDefault !== '-')
}

async function readSchema(url: string, engine: Engine): Promise<Row[]> {
  const db = await openPlain(url)
  try {
    return await described(db, engine)
  } finally {
    await db.close()
  }
}

function textOf(row: Row): string {
  return JSON.stringify(row)
}
