// Writes down every schema that a database may have had from a program on `main` before landed migrations were held, when
// some were still renamed or edited: what each program made, and what came of it when a later one opened it. Needs the
// whole history; the tests need only the file. Run again, it writes the same file.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** @typedef {{ sqlite: string[], postgres: string[] }} Statements */
/** @typedef {{ name: string, text: string }} Step what it was called, and which text it had */
/** @typedef {{ madeBy: string, steps: Step[] }} Schema */

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = 'src/platform/database/migrations'
const written = join(root, 'src/platform/database/testing/landed-schemas.json')
// Programs that have this file change no migration that landed.
const holding = 'landed.test.ts'

const work = mkdtempSync(join(tmpdir(), 'daymark-landed-'))
try {
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'))
  const { programs, texts } = await readPrograms()
  const schemas = reachable(programs, texts)
  writeFileSync(written, `${JSON.stringify({ texts, schemas }, null, 2)}\n`)
  process.stdout.write(`${programs.length} programs, ${schemas.length} schemas\n`)
} finally {
  rmSync(work, { recursive: true })
}

/** The programs that differ in their migrations, in the order in which they came. */
async function readPrograms() {
  /** @type {Record<string, Statements>} */
  const texts = {}
  /** @type {Map<string, Schema>} */
  const programs = new Map()
  const trees = new Set()
  for (const commit of git('rev-list', '--reverse', '--topo-order', 'main').split('\n')) {
    const tree = git('ls-tree', '--object-only', commit, folder)
    if (tree === '' || trees.has(tree)) continue
    trees.add(tree)
    if (git('ls-tree', '--name-only', tree).split('\n').includes(holding)) continue
    /** @type {Step[]} */
    const steps = []
    for (const { name, up } of await checkOut(tree)) {
      const statements = { sqlite: await record(up, 'sqlite'), postgres: await record(up, 'postgres') }
      const text = `${name.slice(5)}-${hashOf(statements)}`
      texts[text] = statements
      steps.push({ name, text })
    }
    const key = JSON.stringify(steps)
    if (!programs.has(key)) programs.set(key, { madeBy: commit.slice(0, 7), steps })
  }
  return { programs: [...programs.values()], texts }
}

/**
 * @param {readonly Schema[]} programs
 * @param {Record<string, Statements>} texts
 */
function reachable(programs, texts) {
  /** @type {Map<string, Schema>} */
  const schemas = new Map()
  for (const program of programs) {
    // A program opened what had the first of its migrations, by their names, and ran the rest.
    const updated = [...schemas.values()]
      .filter(({ steps }) => steps.every(({ name }, place) => name === program.steps[place]?.name))
      .map(({ madeBy, steps }) => ({
        madeBy: `${madeBy}, updated by ${program.madeBy}`,
        steps: [...steps, ...program.steps.slice(steps.length)],
      }))
    for (const schema of [program, ...updated]) {
      const key = JSON.stringify(schema.steps)
      if (!schemas.has(key) && canBeMade(schema, texts)) schemas.set(key, schema)
    }
  }
  return [...schemas.values()]
}

/**
 * Half of the programs could not update what another one had made.
 * @param {Schema} schema
 * @param {Record<string, Statements>} texts
 */
function canBeMade({ steps }, texts) {
  const database = new DatabaseSync(':memory:')
  try {
    for (const { text } of steps) for (const statement of texts[text]?.sqlite ?? []) database.exec(statement)
    return true
  } catch {
    return false
  } finally {
    database.close()
  }
}

/**
 * @param {string} tree
 * @returns {Promise<readonly { name: string, up(db: Kysely<unknown>, engine: string): Promise<void> }[]>}
 */
async function checkOut(tree) {
  const place = join(work, tree)
  mkdirSync(place)
  const archive = execFileSync('git', ['archive', tree], { cwd: root })
  execFileSync('tar', ['-x', '-C', place], { input: archive })
  for (const file of readdirSync(place)) if (file.includes('.test.')) rmSync(join(place, file))
  const { migrations } = await import(pathToFileURL(join(place, 'migrations.ts')).href)
  return migrations
}

/**
 * The statements of a step. Those of that time read nothing, so that none has to be answered.
 * @param {(db: Kysely<unknown>, engine: string) => Promise<void>} up
 * @param {'sqlite' | 'postgres'} engine
 */
async function record(up, engine) {
  /** @type {string[]} */
  const statements = []
  const db = new Kysely({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => (engine === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createQueryCompiler: () =>
        engine === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
      createIntrospector: (db) =>
        engine === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
    },
    log({ level, query }) {
      if (level === 'error' || query.parameters.length > 0 || /^\s*(select|with)\b/i.test(query.sql))
        throw new Error(`This cannot be written down: ${query.sql}`)
      statements.push(query.sql)
    },
  })
  await up(db, engine)
  return statements
}

/** @param {Statements} statements */
function hashOf(statements) {
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 8)
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
