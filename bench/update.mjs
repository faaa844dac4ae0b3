// How long an update of the tables of a large database takes: it is filled as the program before the last migration left it, then
// opened by this one. Beside it the next start, which updates nothing, and for SQLite the floor: a bare copy of the file, since an
// update first keeps one. It prints what the update reports as well.
// `node bench/update.mjs [--megabytes 1024] [--engine sqlite,postgres] [--from <name of the first migration that is missing>]`
import { copyFileSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { migrations } from '../src/platform/database/migrations/migrations.ts'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { emptyDatabases } from './server/databases.mjs'
import { addCrowd } from './server/people.mjs'

const { values: wishes } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    from: { type: 'string', default: migrations.at(-1)?.name ?? '' },
  },
})
const megabytes = Number(wishes.megabytes)
/** How many people are added together. */
const atOnce = 20
const missing = migrations.findIndex(({ name }) => name === wishes.from)
if (missing < 1) throw new Error(`There is no migration '${wishes.from}', or none before it.`)

/** @typedef {import('../src/platform/database/database.ts').Database} Database */

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const databases = await emptyDatabases(folder)
/** @type {Record<string, unknown>} */
const results = {
  date: new Date().toISOString(),
  node: process.version,
  processor: `${cpus().length} × ${cpus()[0]?.model}`,
  steps: migrations.slice(missing).map(({ name }) => name),
  loadBefore: loadavg(),
}
for (const engine of /** @type {('sqlite' | 'postgres')[]} */ (wishes.engine.split(','))) {
  results[engine] = await measure(engine)
}
await databases.close()
mkdirSync('dist/bench', { recursive: true })
writeFileSync('dist/bench/update.json', `${JSON.stringify({ ...results, loadAfter: loadavg() }, null, 2)}\n`)
say('The same as JSON: dist/bench/update.json')
process.exit(0)

/** @param {'sqlite' | 'postgres'} engine */
async function measure(engine) {
  const url = await databases.empty(engine)
  const before = await openDatabase(url, migrations.slice(0, missing))
  const filled = await fill(before)
  await before.close()
  say(
    `\n${engine}: ${filled.megabytes.toFixed(0)} MB, ${filled.people.toLocaleString('en')} people with ${filled.todos.toLocaleString('en')} to-dos; ${migrations.length - missing} of ${migrations.length} migrations`,
  )
  const copying = engine === 'sqlite' ? copy(url.slice('sqlite:'.length)) : undefined
  const updating = await open(url)
  const opening = await open(url)
  if (copying !== undefined) say(`a bare copy of the file      ${copying.toFixed(2)} s`)
  const ratio = copying === undefined ? '' : `   ${(updating / copying).toFixed(2)} times the bare copy`
  say(`opened with the update       ${updating.toFixed(2)} s${ratio}`)
  say(`opened once more, without    ${opening.toFixed(2)} s`)
  return { ...filled, copying, updating, opening }
}

/** Seconds until this program has opened the database. @param {string} url */
async function open(url) {
  const started = performance.now()
  const database = await openDatabase(url, migrations, { report: (text) => say(`  ${text}`) })
  const took = (performance.now() - started) / 1_000
  await database.close()
  return took
}

/** Seconds until a copy of the file is on the disk. @param {string} path */
function copy(path) {
  const started = performance.now()
  const copied = `${path}.bare`
  copyFileSync(path, copied)
  fsyncSync(openSync(copied, 'r+'))
  const took = (performance.now() - started) / 1_000
  rmSync(copied)
  return took
}

/**
 * People with 1,000 to-dos each, until the database is large enough. It may lack tables that this program writes, so the to-dos are
 * copied by statements of their own.
 * @param {Database} database
 */
async function fill(database) {
  /** @type {Set<string>} */
  const filled = new Set()
  while ((await sizeOf(database)) < megabytes) {
    await addCrowd(database, atOnce)
    const everybody = await database.read.selectFrom('user').select('id').execute()
    const added = everybody.map(({ id }) => id).filter((id) => !filled.has(id))
    const columns = await columnsOf(database)
    const copied = columns.map((column) =>
      column === 'id'
        ? sql`substr(id, 1, 28) || substr(cast(100000000 + number as text), 2)`
        : sql.ref(column),
    )
    await database.write(async (tx) => {
      for (const id of added) {
        await sql`
          with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 199)
          insert into todos (${sql.join(columns.map((column) => sql.ref(column)))})
          select ${sql.join(copied)} from todos cross join numbers where user_id = ${id}
        `.execute(tx)
        filled.add(id)
      }
    })
  }
  return { megabytes: await sizeOf(database), people: filled.size, todos: filled.size * 1_000 }
}

/** @param {Database} database */
async function columnsOf({ read }) {
  return Object.keys(await read.selectFrom('todos').selectAll().limit(1).executeTakeFirstOrThrow())
}

/** In megabytes. @param {Database} database */
async function sizeOf({ engine, read }) {
  const { rows } = await (engine === 'sqlite'
    ? sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql`select pg_database_size(current_database()) as bytes`
  ).execute(read)
  return Number(/** @type {{ bytes: number }} */ (rows[0]).bytes) / 2 ** 20
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
