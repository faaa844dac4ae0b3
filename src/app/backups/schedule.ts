import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import type { Logger } from 'pino'
import { loggable } from '#platform/log/loggable.ts'
import type { BackupSettings } from '../settings/backup-settings.ts'
import { BackupError } from './backup-error.ts'
import type { Outcome } from './backup-program.ts'
import { newestBackup } from './make-backup.ts'

interface Schedule extends BackupSettings {
  every: number
  log: Logger
  clock: () => number
  /** Makes a backup if it is still due. */
  make: (signal: AbortSignal) => Promise<Outcome>
}

const minute = 60_000
const waitAfterFailure = 60 * minute
// Milliseconds for a backup to clean up when the server stops.
const stopTimeout = 4_000

/**
 * Makes a backup whenever the newest is older than `every`, so that a restart makes no extra backup and a missed one is made
 * up for. Checks every minute. Returns a function that stops the schedule and the backup in progress.
 */
export function scheduleBackups(schedule: Schedule): () => Promise<void> {
  const ending = new AbortController()
  const check = createBackupCheck(schedule, ending.signal)
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= check().finally(() => {
      running = undefined
    })
  }, minute).unref()
  return async () => {
    clearInterval(timer)
    ending.abort()
    await running
  }
}

/** Makes the check that runs every minute. It never rejects: a failed backup is logged and tried again an hour later. */
export function createBackupCheck(schedule: Schedule, ending: AbortSignal): () => Promise<void> {
  const { every, to, log, clock, make } = schedule
  let notBefore = 0
  return async () => {
    const now = clock()
    const newest = await newestBackup(to, now)
    // If the remaining wait is longer than `waitAfterFailure`, the clock was set back meanwhile, so do not wait for it.
    const isWaiting = now < notBefore && notBefore - now <= waitAfterFailure
    if (isWaiting || (newest && now - newest.madeAt < every)) return
    const began = performance.now()
    try {
      const outcome = await make(ending)
      if (outcome === 'busy' || outcome === 'fresh') return
      const { folder, bytes, rows } = outcome
      const seconds = Math.round((performance.now() - began) / 100) / 10
      log.info({ file: basename(folder), bytes, seconds, rows }, 'Backed up')
    } catch (error) {
      if (ending.aborted) return
      notBefore = now + waitAfterFailure
      const reason = error instanceof BackupError ? error.message : loggable(error)
      log.error({ error: reason }, 'The backup failed; it is tried again in an hour')
    }
  }
}

/**
 * Makes a backup in a child process with lower priority than the server, since copying and counting a large database takes
 * long and needs memory.
 */
export async function backUpInChildProcess(
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Outcome> {
  const child = fork(new URL('./backup-program.ts', import.meta.url), ['--if-due'], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exit = once(child, 'exit')
  if (child.pid !== undefined) lowerPriority(child.pid)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  let outcome: Outcome | undefined
  child.on('message', (message: Outcome) => {
    outcome = message
  })
  const stop = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), stopTimeout).unref()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await exit
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (outcome === undefined) throw new BackupError(errors.trim() || 'It ended without a word.')
  return outcome
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // Not every system allows lowering the priority; the backup is made all the same.
  }
}
