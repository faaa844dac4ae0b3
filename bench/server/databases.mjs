// Empty databases to measure on: SQLite files, and a PostgreSQL whose commits are as durable as SQLite's.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { obtainPostgres } from '../../src/platform/database/testing/postgres/postgres-server.ts'

/** @param {string} folder */
export async function emptyDatabases(folder) {
  /** @type {{ url: string, stop: () => Promise<void> } | undefined} */
  let postgres
  return {
    /** @param {'sqlite' | 'postgres'} engine */
    async empty(engine) {
      if (engine === 'sqlite') return `sqlite:${join(folder, `${randomUUID()}.db`)}`
      postgres ??= await durablePostgres()
      const name = `daymark_bench_${randomUUID().replaceAll('-', '')}`
      await run(postgres.url, `create database ${name}`)
      const url = new URL(postgres.url)
      url.pathname = name
      return url.href
    },
    async close() {
      await postgres?.stop()
    },
  }
}

/** The tests' PostgreSQL, but with commits that survive a power cut. */
async function durablePostgres() {
  process.env.DAYMARK_DURABLE_POSTGRES = '1'
  const postgres = await obtainPostgres()
  if ('missing' in postgres) throw new Error(postgres.missing)
  return postgres
}

/** @param {string} url @param {string} statement */
async function run(url, statement) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
