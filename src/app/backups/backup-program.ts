import { resolve } from 'node:path'
import { readBackupConfiguration } from '../settings/configuration.ts'
import { BackupError } from './backup-error.ts'
import { formatBytes, formatRows } from './format.ts'
import { type MadeBackup, makeBackup, makeNextBackup } from './make-backup.ts'

// Runs as `npm run backup [-- FOLDER]`. The server starts it with `--if-due` when a backup is due, and receives the
// outcome.

export type Outcome = MadeBackup | 'busy' | 'fresh'

// Milliseconds to stop work in progress. The next backup removes files left after that.
const stopTimeout = 2_000

const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    stopping.abort(new BackupError('It was told to stop.'))
    // SQLite cannot be interrupted, and the process would wait for it, so kill the process.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeout).unref()
  })
}

try {
  const [given, ...more] = process.argv.slice(2)
  if (more.length > 0) throw new BackupError('Name one folder, or none: npm run backup -- my-backup')
  const outcome = await backUp(given)
  if (process.connected) process.send?.(outcome)
  process.stdout.write(`${formatOutcome(outcome)}\n`)
} catch (error) {
  process.stderr.write(`The backup failed: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
process.disconnect?.()

async function backUp(given: string | undefined): Promise<Outcome> {
  const reading = readBackupConfiguration(process.env)
  if ('wrong' in reading) throw new BackupError(reading.wrong)
  const { database, backups } = reading
  const { signal } = stopping
  if (given !== undefined && given !== '--if-due') {
    if (given.startsWith('-')) throw new BackupError(`${given} is unknown to it; name a folder, or nothing.`)
    return makeBackup(database, resolve(given), Date.now(), signal)
  }
  if (!backups)
    throw new BackupError('Set BACKUP_TO to the folder it goes to, or name one: npm run backup -- my-backup')
  const every = given === undefined ? 0 : (backups.every ?? 0)
  return makeNextBackup(database, backups, Date.now(), { every, signal })
}

function formatOutcome(outcome: Outcome): string {
  if (outcome === 'busy') return 'Another process is making a backup there.'
  if (outcome === 'fresh') return 'There is one that is new enough.'
  const { folder, rows, bytes, removed } = outcome
  const made = `Backed up to ${folder}: ${formatRows(rows)}, ${formatBytes(bytes)}. It was opened and counted.`
  if (removed.length === 0) return made
  return `${made}\nRemoved ${removed.length === 1 ? 'an older one' : `${removed.length} older ones`}.`
}
