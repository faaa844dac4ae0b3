import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { BackupError } from './backup-error.ts'
import { nameAt } from './backup-name.ts'
import type { MadeBackup } from './make-backup.ts'
import { createBackupCheck } from './schedule.ts'

const hour = 60 * 60 * 1000
const start = Date.parse('2026-11-22T03:00:00Z')

function begin({ newest, failing = false }: { newest?: number; failing?: boolean }) {
  const to = mkdtempSync(join(tmpdir(), 'daymark-schedule-'))
  if (newest !== undefined) mkdirSync(join(to, nameAt(newest)))
  let now = start
  const made: number[] = []
  const lines: string[] = []
  const schedule = {
    every: 6 * hour,
    to,
    keep: { daily: 7, weekly: 4 },
    log: pino({ base: undefined }, { write: (line: string) => lines.push(line) }),
    clock: () => now,
    async make(): Promise<MadeBackup> {
      made.push((now - start) / hour)
      if (failing) throw new BackupError('40 MB are free for it, and it needs 80 MB.')
      const folder = join(to, nameAt(now))
      mkdirSync(folder)
      return { folder, bytes: 1, rows: {}, removed: [] }
    },
  }
  onTestFinished(() => rmSync(to, { recursive: true, force: true }))
  const check = createBackupCheck(schedule, new AbortController().signal)
  /** Checks every half hour. */
  const pass = async (hours: number) => {
    for (let half = 0; half < hours * 2; half += 1) {
      now += hour / 2
      await check()
    }
  }
  const setClock = (by: number) => {
    now += by
  }
  return { made, lines, pass, setClock }
}

it('makes a backup when the newest is old enough: no extra one after a restart, and a missed one at once', async () => {
  const young = begin({ newest: start - 4 * hour })
  await young.pass(10)
  expect(young.made).toEqual([2, 8])
  const missed = begin({ newest: start - 48 * hour })
  await missed.pass(1)
  expect(missed.made).toEqual([0.5])
})

it('goes on after the clock was set back, whether a backup was made or failed while it was ahead', async () => {
  const young = begin({ newest: start + 48 * hour })
  await young.pass(8)
  expect(young.made).toEqual([0.5, 6.5])
  const failing = begin({ failing: true })
  failing.setClock(48 * hour)
  await failing.pass(0.5)
  failing.setClock(-48 * hour)
  await failing.pass(0.5)
  expect(failing.made).toEqual([48.5, 1])
})

it('reports a failed backup once, and tries again after an hour', async () => {
  const { made, lines, pass } = begin({ failing: true })
  await pass(2)
  expect(made).toEqual([0.5, 1.5])
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain(
    '"error":"40 MB are free for it, and it needs 80 MB.","msg":"The backup failed; it is tried again in an hour"',
  )
})
