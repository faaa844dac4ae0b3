import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { isDeep } from '#testing/runs.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import { describeEachEngineUrl } from '../testing/engines.ts'
import {
  asBefore,
  described,
  fill,
  openPlain,
  type PlainDatabase,
  type Row,
  rowsOf,
} from '../testing/landed-database.ts'
import type { Engine, MigrationStep } from './migration-step.ts'
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

  test.each(liesOf(engine))('is found out: %s', async (_, up) => {
    const step: MigrationStep = { name: '9000-lies-only-adds', up: async (db) => void (await up(db)) }
    expect(await whatElseItDoes(await emptyUrl(), engine, migrations, step)).not.toEqual([])
  })
})

type Lie = [string, (db: Kysely<unknown>) => Promise<unknown>]

function liesOf(engine: Engine): Lie[] {
  const lies: Lie[] = [
    ['a table removed', (db) => sql`drop table sign_ups`.execute(db)],
    ['a column removed', (db) => db.schema.alterTable('todos').dropColumn('title_at').execute()],
    [
      'a column renamed',
      (db) => db.schema.alterTable('todos').renameColumn('title_at', 'title_changed_at').execute(),
    ],
    ['rows changed', (db) => sql`update todos set title = title || '!'`.execute(db)],
    [
      'a rule for what is written',
      (db) => db.schema.createIndex('one_title').unique().on('todos').columns(['user_id', 'title']).execute(),
    ],
    [
      'a check of what is written',
      (db) => sql`alter table todos add column mood text check (length(mood) > 3)`.execute(db),
    ],
    [
      'a column that is computed',
      (db) => sql.raw(`alter table todos add column part ${computed[engine]}`).execute(db),
    ],
    ['a trigger', (db) => sql.raw(trigger[engine]).execute(db)],
    [
      'rows that keep their user from being deleted',
      (db) =>
        db.schema
          .createTable('notes')
          .addColumn('user_id', 'text', (column) => column.notNull().references('user.id'))
          .addColumn('id', 'text')
          .execute(),
    ],
  ]
  if (engine === 'sqlite') return lies
  // Those that are alike were found out on SQLite.
  return isDeep ? [...lies, ...inPostgres] : inPostgres
}

const computed: Record<Engine, string> = {
  sqlite: 'integer generated always as (length(title)) virtual',
  postgres: 'integer generated always as (10 / length(title)) stored',
}
const trigger: Record<Engine, string> = {
  sqlite: 'create trigger spy after insert on todos begin select 1; end',
  postgres: `
    create function spy() returns trigger language plpgsql as 'begin return new; end';
    create trigger spy before insert on todos for each row execute function spy()`,
}
const inPostgres: Lie[] = [
  [
    'a default that is computed',
    (db) => sql`alter table todos add column mood text not null default random()`.execute(db),
  ],
  ['a row level rule', (db) => sql`alter table todos enable row level security`.execute(db)],
  ['a rule instead', (db) => sql`create rule spy as on delete to todos do instead nothing`.execute(db)],
  ['a table that a crash empties', (db) => sql`alter table todos set unlogged`.execute(db)],
]

/** What an older program would notice of a step. */
async function whatElseItDoes(
  url: string,
  engine: Engine,
  before: readonly MigrationStep[],
  step: MigrationStep,
): Promise<unknown[]> {
  await (await openDatabase(url, before)).close()
  const db = await openPlain(url)
  try {
    await fill(db, engine)
    const [was, rows] = [await schemaOf(db, engine), await rowsOf(db, engine)]
    await (await openDatabase(url, [...before, step])).close()
    const is = await schemaOf(db, engine)
    const [old, now] = [was.map(textOf), is.map(textOf)]
    const tables = new Set(was.map(({ of }) => of))
    return [
      ...was.filter((row) => !now.includes(textOf(row))),
      ...is.filter((row) => !old.includes(textOf(row)) && !isAddition(row, tables)),
      ...differences(rows, await rowsOf(db, engine)),
      ...(await whyNotWritten(db, engine, rows)),
    ]
  } finally {
    await db.close()
  }
}

type Rows = Record<string, Row[]>

function differences(before: Rows, after: Rows): Row[] {
  return Object.entries(before).flatMap(([table, rows]) =>
    rows.filter((row, place) => textOf(asBefore(row, after[table]?.[place] ?? {})) !== textOf(row)),
  )
}

/** Deletes the rows of all old tables, and their users, and writes them anew, as an older program does. */
async function whyNotWritten(db: PlainDatabase, engine: Engine, before: Rows): Promise<unknown[]> {
  if (engine === 'sqlite') await db.all('pragma foreign_keys = on')
  try {
    const old = Object.keys(before)
    await fill(db, engine, (table) => !old.includes(table))
    for (const table of old.toReversed()) await db.all(`delete from "${table}"`)
    for (const [table, rows] of Object.entries(before)) {
      for (const row of rows) {
        const columns = Object.keys(row).map((column) => `"${column}"`)
        const values = Object.values(row).map(literal)
        await db.all(`insert into "${table}" (${columns.join(', ')}) values (${values.join(', ')})`)
      }
    }
    return differences(before, await rowsOf(db, engine))
  } catch (error) {
    return [error instanceof Error ? error.message : error]
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

function isAddition({ what, of, is_so }: Row, tables: ReadonlySet<unknown>): boolean {
  const text = String(is_so)
  const isReference = what === 'reference' || text.includes('FOREIGN KEY')
  if (isReference) return !tables.has(of) && /CASCADE( |$)/.test(text)
  if (!tables.has(of)) return true
  // From PostgreSQL 18 on, it is a constraint too. The column says whether it has a default.
  if (what === 'constraint') return / NOT NULL /.test(text)
  // Said of a new column: what matters of it is said by its description.
  if (what === 'type') return true
  if (what !== 'column') return false
  const [, required, byDefault = ''] = /^\S+ .+ (0|1|YES|NO) (.+?)( 0)?$/.exec(text) ?? []
  // Whatever is computed would be so for every row that is there, or fail for one.
  const isLiteral = /^('[^']*'|-?\d+|true|false)(::[\w ]+)?$/.test(byDefault)
  return isLiteral || (byDefault === '-' && (required === '0' || required === 'YES'))
}

/** With what else decides what is written, and what is told of it. */
async function schemaOf(db: PlainDatabase, engine: Engine): Promise<Row[]> {
  const more = await db.all(engine === 'sqlite' ? moreInSqlite : moreInPostgres)
  return [...(await described(db, engine)), ...more.map((row) => ({ ...row }))]
}

// Of a table's own text, which an added column changes, only what could refuse or compute something.
const moreInSqlite = `
  select 'rules' as what, name as of,
    length(lower(sql)) - length(replace(lower(sql), 'check', '')) || ' ' ||
    (length(lower(sql)) - length(replace(lower(sql), 'generated always', ''))) as is_so
  from sqlite_master where type = 'table'
  union all
  select 'hidden', t.name, c.name || ' ' || c.hidden from pragma_table_list as t, pragma_table_xinfo(t.name) as c
  where t.type = 'table' and c.hidden <> 0`

const moreInPostgres = `
  select 'trigger' as what, tgrelid::regclass::text as of, pg_get_triggerdef(oid) as is_so
  from pg_trigger where not tgisinternal
  union all
  select 'rule', tablename::text, definition from pg_rules where schemaname = 'public'
  union all
  select 'kind', relname::text, concat_ws(' ', relpersistence, relrowsecurity, relforcerowsecurity)
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
  union all
  select 'computed', c.relname::text, concat_ws(' ', a.attname, a.attgenerated, a.attidentity)
  from pg_attribute as a join pg_class as c on c.oid = a.attrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and (a.attgenerated <> '' or a.attidentity <> '')
  union all
  select 'type', c.relname::text, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod))
  from pg_attribute as a join pg_class as c on c.oid = a.attrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`

function textOf(row: Row): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
