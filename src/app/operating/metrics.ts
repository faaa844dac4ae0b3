import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { countDue } from '#platform/database/rows/count-due.ts'
import { addProcessMetrics } from '#platform/metrics/process-metrics.ts'
import { createRegistry, type Registry, single } from '#platform/metrics/registry.ts'
import { countWrites } from '#platform/metrics/write-metrics.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { readAbout } from '../backups/about.ts'
import { newestBackup } from '../backups/make-backup.ts'
import type { BackupSettings } from '../settings/backup-settings.ts'

/** The metrics of this process, and the token that gives access to them. */
export interface Metrics {
  registry: Registry
  token: string
}

interface MetricsParts {
  database: Database
  token: string
  backups: BackupSettings | undefined
  clock: () => Instant
}

/** Milliseconds for which a value from the database is reused, however often the metrics are read. */
const fresh = 5_000
const maxCounted = 10_000

/** Collects all metrics except metrics of requests. Use the returned database, which counts the writes. */
export function collectMetrics({ database, token, backups, clock }: MetricsParts): {
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
    cachedFor(fresh, () => countDue(database, { table, due }, clock(), maxCounted))
  registry.add(
    single(
      'daymark_reminders_waiting',
      `Reminders that are to be sent by now, ${maxCounted} at most.`,
      'gauge',
      waiting('deliveries', 'send_at'),
    ),
  )
  registry.add(
    single(
      'daymark_alarms_overdue',
      `Alarms that are due and were not taken yet, ${maxCounted} at most.`,
      'gauge',
      waiting('alarms', 'due_at'),
    ),
  )
  if (backups) addBackupMetrics(registry, backups, clock)
  addProcessMetrics(registry)
  return { metrics: { registry, token }, database: counted }
}

function addBackupMetrics(registry: Registry, { to }: BackupSettings, clock: () => Instant): void {
  registry.add(
    single('daymark_backup_age_seconds', 'How long ago the newest backup was made.', 'gauge', async () => {
      const newest = await newestBackup(to, clock())
      return newest && Math.round((clock() - newest.madeAt) / 1000)
    }),
  )
  registry.add(
    single('daymark_backup_bytes', 'How large the newest backup is.', 'gauge', async () => {
      const newest = await newestBackup(to, clock())
      if (!newest) return undefined
      const { parts } = await readAbout(newest.folder)
      return Object.values(parts).reduce((sum, part) => sum + (part?.bytes ?? 0), 0)
    }),
  )
}

function cachedFor(milliseconds: number, read: () => Promise<number>): () => Promise<number> {
  let cached: { result: Promise<number>; until: number } | undefined
  return () => {
    if (!cached || performance.now() >= cached.until)
      cached = { result: read(), until: performance.now() + milliseconds }
    return cached.result
  }
}
