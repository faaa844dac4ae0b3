import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { heldFrom } from '#platform/database/migrations/migrations.ts'
import { appliedMigrations, migrate, refuseNewer } from '#platform/database/schema/migrate.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import { updateProgress } from '#platform/database/schema/update-progress.ts'
import { createWriteGuard } from '#platform/database/write-guard.ts'
import { forReading, forWriting, nodeSqliteDialect } from '../connection/dialect.ts'

/** Opens a file and looks for a part of its schema that Daymark did not make: see `foreignPartOf`. */
export async function foreignPartIn(
  path: string,
  steps: readonly MigrationStep[],
): Promise<string | undefined> {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    return await foreignPartOf(file, steps)
  } finally {
    file.close()
  }
}

/**
 * Finds a part of a schema that its applied steps did not make, such as 'it has the trigger x, which Daymark did not make'.
 * Returns undefined if all parts are known, or if the file is not Daymark's. Runs nothing that the schema contains.
 */
export async function foreignPartOf(
  file: DatabaseSync,
  steps: readonly MigrationStep[],
): Promise<string | undefined> {
  const found = schemaOf(file)
  const running = found.find((part) => !isPlain(part))
  if (running) return strange(running)
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(file, forReading, createWriteGuard()) })
  const applied = await appliedMigrations(db, 'sqlite')
  if (applied.length === 0) return undefined
  refuseNewer(applied, steps)
  const held = steps.findIndex(({ name }) => name === heldFrom)
  const isHeld = steps.slice(0, held + 1).every(({ name }) => applied.includes(name))
  // A file that lacks one of the steps up to `heldFrom` is old, and its steps may have differed from today's. So only the names
  // of its parts can be checked.
  if (!isHeld) {
    const known = await everMade(steps)
    const unknown = found.find((part) => part.sql !== '' && !known.has(nameOf(part)))
    return unknown && strange(unknown)
  }
  return difference(found, await madeBy(steps.filter(({ name }) => applied.includes(name))))
}

interface SchemaPart {
  /** The kind of part, such as 'table'. */
  type: string
  name: string
  /** The table that the part belongs to; a table belongs to itself. */
  table: string
  /** The statement that creates the part; empty for the index of a key. */
  sql: string
}

/**
 * Whether the part is an ordinary table or an index. Its statement decides, because SQLite follows the statement, not the `type`
 * column of `sqlite_schema`.
 */
function isPlain({ type, sql }: SchemaPart): boolean {
  if (sql === '') return type === 'index'
  return (type === 'table' ? /^create table /i : /^create (unique )?index /i).test(sql)
}

/** Tables that `analyze` leaves in any file. */
const statistics = /^sqlite_stat[14]$/

function schemaOf(file: DatabaseSync): SchemaPart[] {
  const rows = file.prepare('select type, name, tbl_name, sql from sqlite_schema').all()
  return rows
    .map(({ type, name, tbl_name, sql }) => ({
      type: String(type),
      name: String(name),
      table: String(tbl_name),
      sql: String(sql ?? ''),
    }))
    .filter(({ name }) => !statistics.test(name))
}

function difference(found: readonly SchemaPart[], made: readonly SchemaPart[]): string | undefined {
  const foundByName = new Map(found.map((part) => [nameOf(part), part]))
  const madeByName = new Map(made.map((part) => [nameOf(part), part]))
  const unknown = found.find((part) => !madeByName.has(nameOf(part)))
  if (unknown) return strange(unknown)
  for (const [name, part] of madeByName) {
    const own = foundByName.get(name)
    if (!own) return `it lacks the ${name}`
    if (own.table !== part.table || definitionOf(own) !== definitionOf(part)) {
      return `its ${name} is not as Daymark makes it`
    }
  }
  return undefined
}

function strange(part: SchemaPart): string {
  return `it has the ${nameOf(part)}, which Daymark did not make`
}

function nameOf({ type, name }: SchemaPart): string {
  return `${type} ${name}`
}

/** The statement of a part, for comparison. The columns of a table are sorted, because older files got some of them later. */
function definitionOf({ type, sql }: SchemaPart): string {
  const text = sql.replace(/\s+/g, ' ').trim()
  if (type !== 'table') return text
  const [start, end] = [text.indexOf('('), text.lastIndexOf(')')]
  const parts = splitByCommas(text.slice(start + 1, end)).toSorted()
  return [text.slice(0, start), ...parts, text.slice(end + 1)].join('\n')
}

/** Splits at commas outside of brackets and quotes. */
function splitByCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(/'[^']*'|"[^"]*"|[(),]|[^'"(),]+|['"]/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${token}`)
  }
  return parts.map((part) => part.trim())
}

/** An index that only the first version of the migration `0008-reminders` made, before that migration was edited. */
const formerIndex = 'index deliveries_next'

/** The names of all parts that existed after any of the steps. */
async function everMade(steps: readonly MigrationStep[]): Promise<ReadonlySet<string>> {
  const parts = await madeBy(...steps.map((_, place) => steps.slice(0, place + 1)))
  return new Set([formerIndex, ...parts.map(nameOf)])
}

/** The schema of a new file after the steps; with several lists of steps, the parts after each list in turn. */
async function madeBy(...lists: (readonly MigrationStep[])[]): Promise<SchemaPart[]> {
  const file = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const progress = updateProgress(() => {})
  try {
    const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(file, forWriting, createWriteGuard()) })
    const parts: SchemaPart[] = []
    for (const steps of lists) {
      await db.transaction().execute((tx) => migrate(tx, 'sqlite', steps, progress))
      parts.push(...schemaOf(file))
    }
    return parts
  } finally {
    progress.stop()
    file.close()
  }
}
