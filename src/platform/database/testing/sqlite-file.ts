import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../opening/open-database.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { addUser } from './add-user.ts'

// Helpers for tests that look at SQLite files from outside, between two runs of the program.

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function newPath(): string {
  return join(temporaryFolder(), 'daymark.db')
}

export function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

export async function filled(path: string, steps: readonly MigrationStep[], user: string): Promise<void> {
  const db = await openDatabase(`sqlite:${path}`, steps)
  await addUser(db.auth, 'sqlite', user)
  await db.close()
}

export async function users(path: string, steps: readonly MigrationStep[]): Promise<string[]> {
  const db = await openDatabase(`sqlite:${path}`, steps)
  const rows = await db.read.selectFrom('user').select('id').orderBy('id').execute()
  await db.close()
  return rows.map((row) => row.id)
}
