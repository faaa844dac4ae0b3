import { createInterface } from 'node:readline/promises'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { readBackupConfiguration } from '../settings/configuration.ts'
import { BackupError } from './backup-error.ts'
import { type Confirm, restoreBackup } from './restore-backup.ts'

// Runs as `npm run restore -- FOLDER|FILE [--yes]`.

try {
  const args = process.argv.slice(2)
  const [given, ...more] = args.filter((word) => word !== '--yes')
  if (given === undefined || given.startsWith('-') || more.length > 0)
    throw new BackupError('Name what to restore: npm run restore -- data/backups/daymark-20261122T030000Z')
  const reading = readBackupConfiguration(process.env)
  if ('wrong' in reading) throw new BackupError(reading.wrong)
  const report = await restoreBackup(
    reading.database,
    given,
    Date.now(),
    args.includes('--yes') ? agree : ask,
  )
  process.stdout.write(`${(report ?? ['Nothing was changed.']).join('\n')}\n`)
  if (!report) process.exitCode = 1
} catch (error) {
  const expected = error instanceof BackupError || error instanceof DatabaseError
  process.stderr.write(`${expected ? error.message : `It could not be restored: ${error}`}\n`)
  process.exitCode = 1
}

async function agree(question: string): ReturnType<Confirm> {
  process.stdout.write(`${question}yes\n`)
  return true
}

async function ask(question: string): ReturnType<Confirm> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Closing the input does not count as a yes.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), closed])
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}
