import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../database.ts'
import { dropDatabases, type Postgres, prepareDatabases } from './postgres-databases.ts'
import { obtainPostgres } from './postgres-server.ts'

// What the tests of the stores need once a run. vitest.config.ts names this file as its globalSetup.

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Postgres | { missing: string }
    /** A SQLite file as migrating an empty one leaves it, to be copied. */
    migratedFile: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-migrated-'))
  const migratedFile = join(folder, 'daymark.db')
  const migrated = await openDatabase(`sqlite:${migratedFile}`)
  await migrated.close()
  project.provide('migratedFile', migratedFile)
  const stopPostgres = await setUpPostgres(project)
  return async () => {
    rmSync(folder, { recursive: true })
    await stopPostgres()
  }
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
    // A server of this run takes them along.
    if (server.outlivesRun) await dropDatabases(postgres)
    await server.stop()
  }
}
