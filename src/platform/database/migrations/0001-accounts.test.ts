import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../database.ts'
import { instantOfAuth } from '../tables.ts'
import { describeEachEngine, describeEachEngineUrl } from '../testing/engines.ts'

function options(db: Database, heard: (message: string) => void = () => {}) {
  return {
    database: { db: db.auth, type: db.engine },
    baseURL: 'http://localhost',
    secret: 'of this test only, and long enough for it',
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: true, storage: 'database' as const },
    logger: { log: (_level: string, message: string) => heard(message) },
    telemetry: { enabled: false },
  }
}

describeEachEngineUrl('The tables of accounts', (emptyUrl) => {
  test('better-auth finds nothing left to do, and they are exactly those that it would make itself', async () => {
    const ours = await openDatabase(await emptyUrl())
    const theirs = await openDatabase(await emptyUrl(), [])
    try {
      const { runMigrations } = await getMigrations(options(theirs))
      await runMigrations()
      expect(await described(ours)).toEqual(await described(theirs))
      expect(Object.keys(await described(theirs))).toEqual(tables)
      expect(await leftToDo(ours)).toEqual(await leftToDo(theirs))
      expect(await leftToDo(ours)).toMatchObject({ todo: [[], [], [], [], []] })
    } finally {
      await ours.close()
      await theirs.close()
    }
  })
})

describeEachEngine('Accounts', (openEmpty) => {
  test('someone signs up and in, and the sign-in session can be read with its instants', async () => {
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

  test("someone's sign-in sessions and passwords go with the account", async () => {
    const db = await openEmpty()
    const auth = betterAuth(options(db))
    const person = { name: 'Ada', email: 'ada@example.org', password: 'a good password' }
    await auth.api.signUpEmail({ body: person })
    await auth.api.signInEmail({ body: person })
    await db.auth.deleteFrom('user').execute()
    expect(await db.read.selectFrom('session').select('id').execute()).toEqual([])
    expect(await db.read.selectFrom('account').select('id').execute()).toEqual([])
  })

  test('an email address belongs to one account, also when two sign up with it at once', async () => {
    const db = await openEmpty()
    const auth = betterAuth(options(db))
    const person = { name: 'Ada', email: 'ada@example.org', password: 'a good password' }
    await Promise.allSettled([auth.api.signUpEmail({ body: person }), auth.api.signUpEmail({ body: person })])
    expect(await db.read.selectFrom('user').select('email').execute()).toHaveLength(1)
  })
})

const tables = ['account', 'rateLimit', 'session', 'user', 'verification']

async function leftToDo(db: Database) {
  const warnings: string[] = []
  const found = await getMigrations(options(db, (message) => warnings.push(message)))
  const { toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems } = found
  return { todo: [toBeCreated, toBeAdded, toBeAddedIndexes, unsafeChanges, schemaProblems], warnings }
}

/** Columns, and the unique and plain indexes with their columns, of each table of better-auth. */
async function described(db: Database) {
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
