import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { instantOfAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngine, describeEachEngineUrl } from '#platform/database/testing/engines.ts'

function options(db: Database, onLog: (message: string) => void = () => {}) {
  return {
    database: { db: db.auth, type: db.engine },
    baseURL: 'http://localhost',
    secret: 'of this test only, and long enough for it',
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: true, storage: 'database' as const },
    logger: { log: (_level: string, message: string) => onLog(message) },
    telemetry: { enabled: false },
  }
}

describeEachEngineUrl('The tables of accounts', (emptyUrl) => {
  test('better-auth has nothing left to migrate, and the tables are exactly those that it would create itself', async () => {
    const ours = await openDatabase(await emptyUrl())
    const theirs = await openDatabase(await emptyUrl(), [])
    try {
      const { runMigrations } = await getMigrations(options(theirs))
      await runMigrations()
      expect(await describeTables(ours)).toEqual(await describeTables(theirs))
      expect(Object.keys(await describeTables(theirs))).toEqual(tables)
      expect(await pendingChanges(ours)).toEqual(await pendingChanges(theirs))
      expect(await pendingChanges(ours)).toMatchObject({ todo: [[], [], [], [], []] })
    } finally {
      await ours.close()
      await theirs.close()
    }
  })
})

describeEachEngine('Accounts', (openEmpty) => {
  test('a person signs up and in, and the sign-in session can be read with its instants', async () => {
    const db = await openEmpty()
    const auth = betterAuth(options(db))
    const person = { name: 'Ada', email: 'ada@example.org', password: 'a good password' }
    await auth.api.signUpEmail({ body: person })
    const { token } = await auth.api.signInEmail({ body: person })
    const before = Date.now()
    const session = await db.read
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select(['session.expiresAt', 'user.email'])
      .where('session.token', '=', token)
      .executeTakeFirstOrThrow()
    expect(session.email).toBe('ada@example.org')
    expect(instantOfAuth(session.expiresAt)).toBeGreaterThan(before)
  })

  test("someone's sign-in sessions and passwords are deleted with the account", async () => {
    const db = await openEmpty()
    const auth = betterAuth(options(db))
    const person = { name: 'Ada', email: 'ada@example.org', password: 'a good password' }
    await auth.api.signUpEmail({ body: person })
    await auth.api.signInEmail({ body: person })
    await db.auth.deleteFrom('user').execute()
    expect(await db.read.selectFrom('session').select('id').execute()).toEqual([])
    expect(await db.read.selectFrom('account').select('id').execute()).toEqual([])
  })

  test('an email address belongs to one account, even if two people sign up with it at once', async () => {
    const db = await openEmpty()
    const auth = betterAuth(options(db))
    const person = { name: 'Ada', email: 'ada@example.org', password: 'a good password' }
    await Promise.allSettled([auth.api.signUpEmail({ body: person }), auth.api.signUpEmail({ body: person })])
    expect(await db.read.selectFrom('user').select('email').execute()).toHaveLength(1)
  })
})

const tables = ['account', 'rateLimit', 'session', 'user', 'verification']

async function pendingChanges(db: Database) {
  const warnings: string[] = []
  const found = await getMigrations(options(db, (message) => warnings.push(message)))
  const { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems } = found
  return { todo: [toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems], warnings }
}

/** For each table of better-auth: its columns, and the unique and plain indexes with their columns. */
async function describeTables(db: Database) {
  const found = await db.auth.introspection.getTables()
  const indexes = await (db.engine === 'sqlite' ? sqliteIndexes(db) : postgresIndexes(db))
  return Object.fromEntries(
    found
      .filter((table) => tables.includes(table.name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((table) => [
        table.name,
        {
          columns: table.columns,
          indexes: indexes.filter((index) => index.on === table.name).map((index) => index.definition),
        },
      ]),
  )
}

async function sqliteIndexes(db: Database) {
  const found = await sql<{ on: string; definition: string }>`
    select m.name as "on", l."unique" || ' ' || l.origin || ' ' || group_concat(i.name) as definition
    from sqlite_master as m, pragma_index_list(m.name) as l, pragma_index_info(l.name) as i
    where m.type = 'table' group by m.name, l.name order by definition`.execute(db.auth)
  return found.rows
}

async function postgresIndexes(db: Database) {
  const found = await sql<{ on: string; definition: string }>`
    select tablename as "on", indexdef as definition from pg_indexes
    where schemaname = 'public' order by indexdef`.execute(db.auth)
  return found.rows
}
