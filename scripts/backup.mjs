// npm run backup -- <file>: a verified copy of the SQLite database, also while Daymark is running.
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

const url = process.env.DATABASE_URL?.trim() || 'sqlite:data/daymark.db'
const source = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
const target = process.argv[2]

const problem = whatIsWrong()
if (problem === undefined) await copy(String(source), String(target))
else fail(problem)

function whatIsWrong() {
  if (source === undefined)
    return 'DATABASE_URL is not an SQLite file. For PostgreSQL, use pg_dump (see the README).'
  if (target === undefined) return 'Say where the copy should go: npm run backup -- daymark-backup.db'
  if (!existsSync(source)) return `There is no database ${source}.`
  if (existsSync(target)) return `${target} is there already; name a file that is not.`
  return undefined
}

/**
 * @param {string} source
 * @param {string} target
 */
async function copy(source, target) {
  try {
    // As private as the database: it holds the same.
    closeSync(openSync(target, 'wx', 0o600))
    const database = new DatabaseSync(source, { readOnly: true })
    await backup(database, target)
    database.close()

    const copied = new DatabaseSync(target)
    // One file with everything in it, which can be moved by itself.
    copied.exec('pragma journal_mode = delete')
    const verdict = copied.prepare('pragma integrity_check').get()
    copied.close()
    if (verdict?.integrity_check !== 'ok') throw new Error('the copy is damaged')
    const file = openSync(target, 'r+')
    fsyncSync(file)
    closeSync(file)
    process.stdout.write(`${basename(source)} is copied to ${target}, and the copy is sound.\n`)
  } catch (error) {
    rmSync(target, { force: true })
    fail(`The backup failed: ${error instanceof Error ? error.message : error}`)
  }
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
