// npm run demo: Daymark with a year of sample data, in a database of its own next to the real one, which is neither
// read nor written. `npm run demo -- --fresh` creates it again, up to today.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { demoPerson } from '../src/app/demo/demo-account.ts'
import { makeDemo } from '../src/app/demo/make-demo.ts'
import { storedSecret } from '../src/app/settings/auth-secret.ts'
import { currentNameOf } from '../src/platform/calendar/time-zone.ts'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { buildWebWhenChanged } from './web-build.mjs'

const path = 'data/demo.db'
const draft = `${path}.draft`
const unknown = process.argv.slice(2).filter((word) => word !== '--fresh')

try {
  if (unknown.length > 0) throw new Error(`${unknown[0]} is unknown to it; there is only --fresh.`)
  await makeWhereMissing(process.argv.includes('--fresh'))
  process.env.AUTH_SECRET = await storedSecret('data/demo-auth-secret')
  await buildWebWhenChanged(say)
} catch (error) {
  say(`The demo cannot start: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

process.env.NODE_ENV ??= 'production'
process.env.DATABASE_URL = `sqlite:${path}`
// Overrides the real Daymark's settings: a demo sends no mail, and its address is where it is opened.
const ofTheRealOne = ['BACKUP_EVERY', 'BACKUP_TO', 'BACKUP_KEEP', 'METRICS_TOKEN']
for (const name of ['DATABASE_DIRECT_URL', 'BASE_URL', 'SMTP_URL', 'MAIL_FROM', ...ofTheRealOne]) {
  delete process.env[name]
}
// The real Daymark can keep running at 3000.
process.env.PORT ||= '3100'

const { start } = await import('../src/app/server.ts')
await start((address) => {
  // Not localhost, because the real Daymark has its cookies there: two with the same host would sign each other out.
  const signIn = new URL('/sign-in', address.replace('//localhost:', '//127.0.0.1:'))
  say(`
  The demo is ready. Sign in at ${signIn}
    email     ${demoPerson.email}
    password  ${demoPerson.password}
`)
})

/** @param {boolean} anew */
async function makeWhereMissing(anew) {
  if (existsSync(path) && !anew) {
    const madeOn = dayMadeOn()
    const anew = 'npm run demo -- --fresh makes it anew, up to today.'
    if (madeOn === undefined) say(`Demo: the person of ${path} is gone; ${anew}`)
    else if (madeOn !== dayOfUtc(new Date())) say(`Demo: ${path} ends on ${madeOn}; ${anew}`)
    return
  }
  if (existsSync(path)) refuseWhileInUse()
  say(`Demo: making a year of data in ${path} ...`)
  const started = performance.now()
  removeDatabase(draft)
  try {
    const database = await openDatabase(`sqlite:${draft}`)
    await makeDemo(database, Date.now(), zoneOfMachine()).finally(() => database.close())
  } catch (error) {
    removeDatabase(draft)
    throw error
  }
  // All or nothing: if creating it is interrupted, it starts over.
  removeDatabase(path)
  renameSync(draft, path)
  say(`Demo: made in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

/** A running program would lose a file that is removed while it has it open. */
function refuseWhileInUse() {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // SQLite allows this only for the last program that has it open.
    file.exec('pragma journal_mode = delete')
  } catch (error) {
    const busy = error instanceof Error && 'errcode' in error && error.errcode === 5
    if (busy) throw new Error(`${path} is in use. End the demo that runs, and start this again.`)
  } finally {
    file.close()
  }
}

function dayMadeOn() {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    const person = file.prepare('select "createdAt" as at from user where email = ?').get(demoPerson.email)
    return person && dayOfUtc(new Date(String(person.at)))
  } catch {
    throw new Error(`${path} is no demo. npm run demo -- --fresh puts one in its place.`)
  } finally {
    file.close()
  }
}

/** There is none if TZ names a zone that doesn't exist. */
function zoneOfMachine() {
  return currentNameOf(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC')
}

/** @param {Date} date */
function dayOfUtc(date) {
  return date.toISOString().slice(0, 10)
}

/** @param {string} file */
function removeDatabase(file) {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true })
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}
