import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '../schema/migration-step.ts'
import landed from './landed-schemas.json' with { type: 'json' }

// Databases as earlier programs left them, created and inspected without any of today's code.

export interface LandedSchema {
  /** The commit of the program that created the schema, and the commit of the program that updated it later, if any. */
  madeBy: string
  /** Each step's name at that time, and the key of its statements in `texts`. */
  steps: { name: string; text: string }[]
}

/** Every schema that was on `main` before migrations were frozen. */
export const landedSchemas: readonly LandedSchema[] = landed.schemas

const texts: Record<string, Record<Engine, string[]>> = landed.texts

export type Row = Record<string, unknown>

export interface PlainDatabase {
  all(query: string): Promise<Row[]>
  close(): Promise<void>
}

export async function openPlain(url: string): Promise<PlainDatabase> {
  if (!url.startsWith('sqlite:')) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return { all: async (query) => (await client.query<Row>(query)).rows, close: () => client.end() }
  }
  const path = url.slice('sqlite:'.length)
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  return { all: async (query) => database.prepare(query).all(), close: async () => database.close() }
}

/** Creates the schema's tables, and the migration records as Kysely keeps them. */
export async function makeLanded(db: PlainDatabase, engine: Engine, { steps }: LandedSchema): Promise<void> {
  await db.all('begin')
  await db.all(
    'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)',
  )
  await db.all(
    'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)',
  )
  await db.all(`insert into kysely_migration_lock values ('migration_lock', 0)`)
  for (const [place, { name, text }] of steps.entries()) {
    for (const statement of texts[text]?.[engine] ?? []) await db.all(statement)
    await db.all(`insert into kysely_migration values ('${name}', '${new Date(place).toISOString()}')`)
  }
  await db.all('commit')
}

/** Columns whose values matter to a migration, with the values for the first and the second row. */
const meaningful: Record<string, readonly [string, string]> = {
  kind: [`'todo'`, `'todo'`],
  completed: ['0', '1'],
  deleted_at: ['null', '7'],
  frequency: [`'daily'`, `'weekly'`],
  starts_before_imports: [`'[]'`, 'null'],
}

/**
 * Inserts two rows into every table, one for each of two users. The first row has a value in every column, the second has nulls
 * wherever they are allowed.
 */
export async function fill(
  db: PlainDatabase,
  engine: Engine,
  isMeant: (table: string) => boolean = () => true,
): Promise<void> {
  const columns = await columnsOf(db, engine)
  const inserts = (await tablesOf(db, engine)).filter(isMeant).map((table) => {
    const own = columns.filter((column) => column.table === table)
    const rows = ([0, 1] as const).map(
      (row) => `(${own.map((column) => literalFor(column, row)).join(', ')})`,
    )
    return `insert into "${table}" (${own.map(({ name }) => `"${name}"`).join(', ')}) values ${rows.join(', ')}`
  })
  await db.all('begin')
  for (const insert of inserts) await db.all(insert)
  await db.all('commit')
}

interface Column {
  table: string
  name: string
  type: string
  required: boolean
}

function literalFor({ name, type, required }: Column, row: 0 | 1): string {
  const who = (['first', 'second'] as const)[row]
  if (meaningful[name]) return meaningful[name][row]
  if (!required && row === 1) return 'null'
  // Columns named like this are the only ones that refer to other rows.
  if (/(^|_)id$|Id$/.test(name) && type === 'text') return `'${who}'`
  if (type === 'text') return `'${name} of ${who}'`
  if (type === 'boolean') return 'false'
  if (/date|timestamp/.test(type)) return `'2026-01-0${row + 1}T10:00:00.000Z'`
  return String(row + 1)
}

/** The tables in the order of their creation, so that none refers to a later one. */
async function tablesOf(db: PlainDatabase, engine: Engine): Promise<string[]> {
  const found = await db.all(
    engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid`
      : `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by oid`,
  )
  return found.map(({ name }) => String(name)).filter((name) => !name.startsWith('kysely_'))
}

async function columnsOf(db: PlainDatabase, engine: Engine): Promise<Column[]> {
  const found = await db.all(
    engine === 'sqlite'
      ? `select t.name as "table", c.name, c.type, c."notnull" as required
         from sqlite_master as t, pragma_table_info(t.name) as c where t.type = 'table'`
      : // Many times faster than information_schema.
        `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as required
         from pg_class as c join pg_attribute as a on a.attrelid = c.oid
         where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
         order by c.oid, a.attnum`,
  )
  return found.map(({ table, name, type, required }) => ({
    table: String(table),
    name: String(name),
    // SQLite writes the names of some types in capitals.
    type: String(type).toLowerCase(),
    required: Boolean(required),
  }))
}

/** The rows of every table, always in the same order. */
export async function rowsOf(db: PlainDatabase, engine: Engine): Promise<Record<string, Row[]>> {
  const rows: Record<string, Row[]> = {}
  for (const table of await tablesOf(db, engine)) {
    const found = await db.all(`select * from "${table}"`)
    rows[table] = found.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
  }
  return rows
}

/** `row` with only the columns of `before`. */
export function asBefore(before: Row, row: Row): Row {
  return Object.fromEntries(Object.keys(before).map((column) => [column, row[column]]))
}

function textOf(row: Row): string {
  return String(row.user_id ?? row.userId ?? row.id)
}

/** Everything that distinguishes two schemas except the order in which columns were added. */
export async function described(db: PlainDatabase, engine: Engine): Promise<Row[]> {
  const found = await db.all(engine === 'sqlite' ? describedBySqlite : describedByPostgres)
  return found.map((row) => ({ ...row }))
}

const describedBySqlite = `
  with tables as (
    select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'
  )
  select 'table' as what, name as of, 'without rowid: ' || wr as is_so from tables
  union all
  select 'column', t.name, c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || ifnull(c.dflt_value, '-') || ' ' || c.pk
  from tables as t, pragma_table_xinfo(t.name) as c
  union all
  select 'reference', t.name, r."table" || ' ' || r.seq || ' ' || r."from" || ' ' || r."to" || ' ' || r.on_delete
  from tables as t, pragma_foreign_key_list(t.name) as r
  union all
  select 'index', t.name, i.name || ' ' || i."unique" || ' ' || i.origin || ' ' || ifnull(m.sql, '-') || ' ' || (
    select group_concat(ifnull(x.name, '-') || ' ' || x."desc" || ' ' || x.key, ', ')
    -- What else an index holds of a row is said by its table.
    from pragma_index_xinfo(i.name) as x where x.key = 1
  )
  from tables as t, pragma_index_list(t.name) as i left join sqlite_master as m on m.name = i.name
  union all
  select type, tbl_name, sql from sqlite_master where type in ('view', 'trigger')
  order by 1, 2, 3`

const describedByPostgres = `
  select 'column' as what, table_name::text as of,
    concat_ws(' ', column_name, data_type, is_nullable, coalesce(column_default, '-')) as is_so
  from information_schema.columns where table_schema = 'public'
  union all
  select 'index', tablename::text, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'constraint', conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  order by 1, 2, 3`
