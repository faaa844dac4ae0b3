import type { Instant } from '#platform/calendar/day.ts'
import { countDue } from '#platform/database/count-due.ts'
import type { Database } from '#platform/database/database.ts'
import { addProcessFigures } from '#platform/metrics/process-figures.ts'
import { createRegistry, type Registry, single } from '#platform/metrics/registry.ts'
import { countWrites } from '#platform/metrics/write-figures.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { readAbout } from './backups/about.ts'
import type { BackupSettings } from './backups/backup-settings.ts'
import { newestBackup } from './backups/make-backup.ts'

/** The figures of this process, and who may read them. */
export interface Metrics {
  registry: Registry
  token: string
}

interface Measured {
  database: Database
  token: string
  backups: BackupSettings | undefined
  clock: () => Instant
}

/** Milliseconds for which what the database said is not asked again, however often the figures are read. */
const fresh = 5_000
const mostCounted = 10_000

/** What there is to measure besides requests; the database that is answered is to be used, for its writes are counted. */
export function measure({ database, token, backups, clock }: Measured): {
  metrics: Metrics
  database: Database
} {
  const registry = createRegistry()
  registry.add({
    name: 'daymark_info',
    help: 'Which Daymark it is.',
    type: 'gauge',
    read: () => [{ labels: { version: packageJson.version, engine: database.engine }, value: 1 }],
  })
  const counted = countWrites(registry, database)
  const waiting = (table: 'deliveries' | 'alarms', due: 'send_at' | 'due_at') =>
    keptFor(fresh, () => countDue(database, { table, due }, clock(), mostCounted))
  registry.add(
    single(
      'daymark_reminders_waiting',
      `Reminders that are to be sent by now, ${mostCounted} at most.`,
      'gauge',
      waiting('deliveries', 'send_at'),
    ),
  )
  registry.add(
    single(
      'daymark_alarms_overdue',
      `Alarms that have come due and were not taken yet, ${mostCounted} at most.`,
      'gauge',
      waiting('alarms', 'due_at'),
    ),
  )
  if (backups) addBackupFigures(registry, backups, clock)
  addProcessFigures(registry)
  return { metrics: { registry, token }, database: counted }
}

function addBackupFigures(registry: Registry, { to }: BackupSettings, clock: () => Instant): void {
  registry.add(
    single('daymark_backup_age_seconds', 'How long ago the newest backup was made.', 'gauge', async () => {
      const newest = await newestBackup(to)
      return newest && Math.round((clock() - newest.madeAt) / 1000)
    }),
  )
  registry.add(
    single('daymark_backup_bytes', 'How large the newest backup is.', 'gauge', async () => {
      const newest = await newestBackup(to)
      if (!newest) return undefined
      const { parts } = await readAbout(newest.folder)
      return Object.values(parts).reduce((sum, part) => sum + (part?.bytes ?? 0), 0)
    }),
  )
}

function keptFor(milliseconds: number, read: () => Promise<number>): () => Promise<number> {
  let kept: { answer: Promise<number>; until: number } | undefined
  return () => {
    if (!kept || performance.now() >= kept.until)
      kept = { answer: read(), until: performance.now() + milliseconds }
    return kept.answer
  }
}
