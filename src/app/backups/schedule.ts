import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import type { Logger } from 'pino'
import { loggable } from '#platform/http/request-log.ts'
import type { Outcome } from './backup-program.ts'
import { BackupRefusal } from './backup-refusal.ts'
import type { BackupSettings } from './backup-settings.ts'
import { newestBackup } from './make-backup.ts'

interface Schedule extends BackupSettings {
  every: number
  log: Logger
  clock: () => number
  /** Makes one if it is still due. */
  make: (signal: AbortSignal) => Promise<Outcome>
}

const minute = 60_000
const waitAfterFailure = 60 * minute
// Milliseconds that a backup has to clean up when the server ends.
const patience = 4_000

/**
 * Makes a backup whenever the newest is older than `every`: so a restart makes none too many, and one that was missed is
 * made up for. Looks every minute; the answer stops it, and what is being made.
 */
export function keepBackedUp(schedule: Schedule): () => Promise<void> {
  const ending = new AbortController()
  let notBefore = 0
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, minute).unref()
  return async () => {
    clearInterval(timer)
    ending.abort()
    await looking
  }

  async function look(): Promise<void> {
    const { every, to, log, clock, make } = schedule
    const now = clock()
    const newest = await newestBackup(to)
    if (now < notBefore || (newest && now - newest.madeAt < every)) return
    const began = performance.now()
    try {
      const outcome = await make(ending.signal)
      if (outcome === 'busy' || outcome === 'fresh') return
      const { folder, bytes, rows } = outcome
      const seconds = Math.round((performance.now() - began) / 100) / 10
      log.info({ file: basename(folder), bytes, seconds, rows }, 'Backed up')
    } catch (error) {
      if (ending.signal.aborted) return
      notBefore = now + waitAfterFailure
      const reason = error instanceof BackupRefusal ? error.message : loggable(error)
      log.error({ error: reason }, 'The backup failed; it is tried again in an hour')
    }
  }
}

/**
 * In a process of its own, which stands back behind the server: copying and counting a large database takes long, and
 * needs memory.
 */
export async function backUpApart(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Outcome> {
  const child = fork(new URL('./backup-program.ts', import.meta.url), ['--if-due'], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exit = once(child, 'exit')
  if (child.pid !== undefined) standBack(child.pid)
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
    setTimeout(() => child.kill('SIGKILL'), patience).unref()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await exit
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (outcome === undefined) throw new BackupRefusal(errors.trim() || 'It ended without a word.')
  return outcome
}

function standBack(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // Not every system lets one; it is made all the same.
  }
}
