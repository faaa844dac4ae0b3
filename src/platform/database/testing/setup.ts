import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../opening/open-database.ts'
import { dropDatabases, type Postgres, prepareDatabases } from './postgres/postgres-databases.ts'
import { obtainPostgres } from './postgres/postgres-server.ts'

// Sets up what the store tests need once per run. vitest.config.ts names this file as its globalSetup.

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Postgres | { missing: string }
    sqlite: SqliteFiles
  }
}

export interface SqliteFiles {
  /** A folder for the files of tests; removed when the run ends. */
  folder: string
  /** Path of a migrated, empty database to copy. */
  migrated: string
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(quickFolder(), 'daymark-sqlite-'))
  const migrated = join(folder, 'migrated.db')
  const database = await openDatabase(`sqlite:${migrated}`)
  await database.close()
  project.provide('sqlite', { folder, migrated })
  const stopPostgres = await setUpPostgres(project)
  return async () => {
    rmSync(folder, { recursive: true })
    await stopPostgres()
  }
}

/** A folder in memory, if there is room: on a disk, small writes would spend nearly all their time waiting. */
function quickFolder(): string {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize > 1024 ** 3) return memory
  } catch {
    // Only Linux has this folder.
  }
  return tmpdir()
}

async function setUpPostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = await obtainPostgres()
  if ('missing' in server) {
    const { missing } = server
    process.stderr.write(`\n!!! ${missing}\n!!! The half of the store tests that needs one is left out.\n\n`)
    project.provide('postgres', { missing })
    return async () => {}
  }
  const postgres = await prepareDatabases(server.url)
  project.provide('postgres', postgres)
  return async () => {
    // A server that was started for this run takes its databases with it.
    if (server.outlivesRun) await dropDatabases(postgres)
    await server.stop()
    rmSync(postgres.free, { recursive: true })
  }
}
