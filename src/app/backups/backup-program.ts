import { resolve } from 'node:path'
import { readBackupConfiguration } from '../configuration.ts'
import { BackupRefusal } from './backup-refusal.ts'
import { type Made, makeBackup, makeNextBackup } from './make-backup.ts'
import { inBytes, inRows } from './words.ts'

// npm run backup [-- FOLDER]; and what the server starts when one is due, with --if-due, which it tells what came of it.

export type Outcome = Made | 'busy' | 'fresh'

// Milliseconds to stop what was begun, before it is left for the next one to remove.
const patience = 2_000

const told = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    told.abort(new BackupRefusal('It was told to stop.'))
    // SQLite does not let itself be interrupted, and the process would wait for it.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), patience).unref()
  })
}

try {
  const [given, ...more] = process.argv.slice(2)
  if (more.length > 0) throw new BackupRefusal('Name one folder, or none: npm run backup -- my-backup')
  const outcome = await back(given)
  if (process.connected) process.send?.(outcome)
  process.stdout.write(`${inWords(outcome)}\n`)
} catch (error) {
  process.stderr.write(`The backup failed: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
process.disconnect?.()

async function back(given: string | undefined): Promise<Outcome> {
  const reading = readBackupConfiguration(process.env)
  if ('wrong' in reading) throw new BackupRefusal(reading.wrong)
  const { database, backups } = reading
  const { signal } = told
  if (given !== undefined && given !== '--if-due') {
    if (given.startsWith('-'))
      throw new BackupRefusal(`${given} is unknown to it; name a folder, or nothing.`)
    return makeBackup(database, resolve(given), Date.now(), signal)
  }
  if (!backups)
    throw new BackupRefusal(
      'Set BACKUP_TO to the folder it goes to, or name one: npm run backup -- my-backup',
    )
  const every = given === undefined ? 0 : (backups.every ?? 0)
  return makeNextBackup(database, backups, Date.now(), { every, signal })
}

function inWords(outcome: Outcome): string {
  if (outcome === 'busy') return 'Another process is making a backup there.'
  if (outcome === 'fresh') return 'There is one that is new enough.'
  const { folder, rows, bytes, removed } = outcome
  const made = `Backed up to ${folder}: ${inRows(rows)}, ${inBytes(bytes)}. It was opened and counted.`
  if (removed.length === 0) return made
  return `${made}\nRemoved ${removed.length === 1 ? 'an older one' : `${removed.length} older ones`}.`
}
