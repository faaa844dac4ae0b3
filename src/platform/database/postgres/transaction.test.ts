import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Change } from '../changes.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../opening/open-database.ts'
import { isPassingFailure } from '../storage/passing-failure.ts'
import type { Tables } from '../tables.ts'
import { addUser } from '../testing/add-user.ts'
import { describePostgresUrl } from '../testing/engines.ts'
import { countingProxy } from '../testing/postgres/counting-proxy.ts'
import { reroutedUrl } from '../testing/postgres/rerouted-url.ts'
import { sendAlong } from '../transaction-executor.ts'
import { tablesLock } from './fence.ts'

const stored = compiledOnce<{ user: string; revision: string }>()((db, param) =>
  db
    .insertInto('revisions')
    .values({ user_id: param('user'), revision: param('revision') })
    .returningAll(),
)
const all = compiledOnce()((db) => db.selectFrom('revisions').selectAll())
const allJoined = compiledOnce()((db) =>
  db.selectFrom('revisions').innerJoin('user', 'user.id', 'revisions.user_id').selectAll('revisions'),
)

describePostgresUrl('a transaction', (emptyUrl) => {
  async function openCounted() {
    const proxy = await countingProxy(await emptyUrl())
    onTestFinished(() => proxy.close())
    const database = await openDatabase(proxy.url)
    onTestFinished(() => database.close())
    await addUser(database.auth, 'postgres', 'ada')
    return { proxy, database }
  }

  test('that asks for nothing sends nothing, whether it succeeds or throws', async () => {
    const { proxy, database } = await openCounted()
    const trips = await proxy.during(async () => {
      expect(await database.write(async () => 'done')).toBe('done')
      const refusing = database.write(async () => {
        throw new Error('refused')
      })
      await expect(refusing).rejects.toThrow('refused')
    })
    // Meanwhile the program may also look whether the tables are still its own.
    const ofWatch = /^commit$| read only$|^\s*select .*(advisory|kysely_migration)/
    expect(trips.flat().filter((statement) => !ofWatch.test(statement))).toEqual([])
  })

  test('that writes outside of a write takes one round trip, and is checked and committed in it', async () => {
    const { proxy, database } = await openCounted()
    await addUser(database.auth, 'postgres', 'eve')
    const trips = await proxy.during(() => addUser(database.auth, 'postgres', 'joe'))
    const [first = []] = trips.filter((statements) => statements.some((text) => text.includes('insert')))
    expect(first.map((statement) => statement.replace(/^(\S+ \S+).*/s, '$1'))).toEqual([
      'begin isolation',
      'set local',
      'insert into',
      'execute daymark_lock;',
    ])
  })

  test('that is refused while another process changes the tables is accepted on the same connection afterwards', async () => {
    const url = await emptyUrl()
    const other = await openDatabase(url)
    onTestFinished(() => other.close())
    await addUser(other.auth, 'postgres', 'ada')
    const database = await openDatabase(url, undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    const write = () => database.writeFor('ada', [], async () => {})
    await other.write(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(tablesLock)})`.execute(tx)
      await expect(write()).rejects.toThrow('updating')
    })
    await write()
    expect(await database.read.selectFrom('revisions').select('user_id').execute()).toEqual([
      { user_id: 'ada' },
    ])
  })

  test('says why it could not be checked, and once it can, the same connection commits', async () => {
    const url = await emptyUrl()
    const other = await openDatabase(url)
    onTestFinished(() => other.close())
    const database = await openDatabase(url, undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    const connection = sql`select pg_backend_pid() as id`
    const { rows: before } = await connection.execute(database.read)
    await sql`alter table kysely_migration rename to moved_away`.execute(other.auth)
    await expect(addUser(database.auth, 'postgres', 'ada')).rejects.toThrow(/kysely_migration/)
    const write = () => database.writeFor('ada', [], async () => {})
    await expect(write()).rejects.toThrow(/kysely_migration/)
    await sql`alter table moved_away rename to kysely_migration`.execute(other.auth)
    await addUser(database.auth, 'postgres', 'ada')
    await write()
    expect((await connection.execute(database.read)).rows).toEqual(before)
  })

  test('goes on with what it has prepared after a newer program has added a column', async () => {
    const { database } = await openCounted()
    const renew = (revision: string) =>
      database.write(async (tx) => {
        await tx.deleteFrom('revisions').execute()
        const rows = await stored(tx, { user: 'ada', revision })
        return [...rows, ...(await all(tx, {})), ...(await allJoined(tx, {}))]
      })
    // Often enough for it to be prepared.
    for (let time = 0; time < 10; time++) await renew(`${time}`)
    await sql`alter table revisions add column mood text default 'good'`.execute(database.auth)
    const last = { user_id: 'ada', revision: 'last', number: 0 }
    expect(await renew('last')).toEqual([last, last, { ...last, mood: 'good' }])
  })

  test('gives its user a revision even if theirs has gone, and then says that anything may have changed', async () => {
    const { database } = await openCounted()
    const told: (Change | undefined)[] = []
    const write = () => database.writeFor('ada', ['todos'], async () => {})
    const revisions = () => database.read.selectFrom('revisions').select('revision').execute()
    onTestFinished(database.changes.listen('ada', (change) => told.push(change)))
    // From here on, nothing is told but what is written.
    await expect.poll(() => told.length).toBe(1)
    await write()
    await database.write((tx) => tx.deleteFrom('revisions').execute())
    await write()
    expect(told).toEqual([undefined, expect.anything(), undefined])
    const [gone] = await revisions()
    await write()
    expect(told.at(-1)).toMatchObject({ before: gone?.revision })
    expect(await revisions()).toEqual([{ revision: told.at(-1)?.revision }])
  })

  test.each(['begin isolation level', 'set local'])(
    'whose begin the server refuses (%s) stores nothing of what was sent with it',
    async (spoiledText) => {
      const url = await emptyUrl()
      const other = await openDatabase(url)
      onTestFinished(() => other.close())
      await addUser(other.auth, 'postgres', 'ada')
      const spoiled = await spoilingProxy(url)
      onTestFinished(() => spoiled.close())
      const database = await openDatabase(spoiled.url, undefined, { poolSize: 1 })
      onTestFinished(() => database.close())
      const write = (revision: string) =>
        database.write(async (tx) => void (await stored(tx, { user: 'ada', revision })))
      const revisions = () => other.read.selectFrom('revisions').select('revision').execute()
      // Often enough for it to get its name, and once more on a connection that has prepared nothing.
      for (let time = 0; time < 10; time++) {
        await write('before')
        await other.write((tx) => tx.deleteFrom('revisions').execute())
      }
      await endConnectionOf(database, other)
      spoiled.spoil(spoiledText)
      await expect(write('alone')).rejects.toThrow(/syntax/)
      const together = database.write((tx) =>
        Promise.all([
          tx.selectFrom('user').select('id').execute(),
          stored(tx, { user: 'ada', revision: 'along' }),
        ]),
      )
      await expect(together).rejects.toThrow(/syntax/)
      await expect(addUser(database.auth, 'postgres', 'eve')).rejects.toThrow(/syntax/)
      expect(await revisions()).toEqual([])
      expect(await other.read.selectFrom('user').select('id').execute()).toEqual([{ id: 'ada' }])
      spoiled.spoil(undefined)
      // The same statement, which was named but never prepared.
      await write('after')
      expect(await revisions()).toEqual([{ revision: 'after' }])
    },
  )

  test('limits how long its statements take, and those of nothing after it', async () => {
    const { database } = await openBeside()
    const limit = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`
    const limitOf = async (read: Kysely<Tables>) => (await limit.execute(read)).rows[0]?.limit
    const usual = await limitOf(database.read)
    const refused = database.write(async (tx) => {
      expect(await limitOf(tx)).toBe('13500ms')
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await database.writeFor('ada', [], async (tx) => expect(await limitOf(tx)).toBe('13500ms'))
    await addUser(database.auth, 'postgres', 'eve')
    expect(await database.snapshot(limitOf)).toBe(usual)
    expect(await limitOf(database.read)).toBe(usual)
  })

  test('that throws at once stores nothing of what still waited for it to begin', async () => {
    const { database, other } = await openBeside()
    const refused = database.write((tx) =>
      Promise.all([
        sql`select 1`.execute(tx),
        stored(tx, { user: 'ada', revision: 'waiting' }),
        Promise.reject(new Error('refused')),
      ]),
    )
    await expect(refused).rejects.toThrow('refused')
    // As long as it would take to be stored.
    await pause(200)
    expect(await other.read.selectFrom('revisions').select('revision').execute()).toEqual([])
    await expectGoingOn(database)
  })

  test('that is given up stores nothing later, when what it waited for is over', async () => {
    const url = await emptyUrl()
    const other = await openDatabase(url)
    onTestFinished(() => other.close())
    await addUser(other.auth, 'postgres', 'ada')
    const database = await openDatabase(url, undefined, { poolSize: 1, responseTimeout: 1_000 })
    onTestFinished(() => database.close())
    // With what it needs for a commit prepared, its connection has nothing to do but the update and the commit.
    await database.write((tx) => stored(tx, { user: 'ada', revision: 'one' }))
    const revisions = () => other.read.selectFrom('revisions').select('revision').execute()
    await other.write(async (tx) => {
      await tx.selectFrom('revisions').select('revision').forUpdate().execute()
      const write = database.write(async (within) => {
        // Once it has begun, its commit is sent along with the update.
        await sql`select 1`.execute(within)
        await sendAlong(within, within.updateTable('revisions').set({ revision: 'given up' }).execute())
      })
      await expect(write).rejects.toSatisfy(isPassingFailure)
    })
    // As long as it would take to be stored.
    await pause(200)
    expect(await revisions()).toEqual([{ revision: 'one' }])
  })

  test('sends no commit once a statement has failed, even if nobody minds', async () => {
    const { proxy, database } = await openCounted()
    const trips = await proxy.during(async () => {
      const write = database.write(async (tx) => {
        await stored(tx, { user: 'ada', revision: 'one' })
        await sql`select no_such_column from revisions`.execute(tx).catch(() => {})
      })
      await expect(write).rejects.toThrow(/no_such_column/)
    })
    const ends = trips.flat().filter((text) => /commit$|rollback$/.test(text))
    expect(ends).toContain('rollback')
    expect(ends.filter((text) => text.includes('daymark_lock'))).toEqual([])
  })

  test('goes on before at most twenty statements are answered', async () => {
    const { proxy, database } = await openCounted()
    const trips = await proxy.during(() =>
      database.write(async (tx) => {
        await stored(tx, { user: 'ada', revision: 'one' })
        for (let place = 0; place < 60; place++)
          await sendAlong(tx, sql`select ${sql.lit(place)}::int`.execute(tx))
      }),
    )
    const statements = trips.map((trip) => trip.filter((text) => text.includes('::int')).length)
    expect(Math.max(...statements)).toBe(20)
  })

  test('prepares at most so many statements in one connection', async () => {
    const database = await openDatabase(await emptyUrl(), undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    for (let place = 0; place < 600; place++) {
      const numbered = compiledOnce()((db) => db.selectFrom('revisions').select(sql.lit(place).as('place')))
      for (let time = 0; time < 10; time++) expect(await numbered(database.read, {})).toEqual([])
    }
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from pg_prepared_statements`.execute(database.read)
    expect(rows[0]?.count).toBeGreaterThan(100)
    expect(rows[0]?.count).toBeLessThan(520)
  })

  test.each([
    ['for the first time', 0],
    ['once more', 1],
  ])(
    'of a user who is being deleted, and writes %s, waits, and then stores no revision',
    async (_, before) => {
      const { database } = await openCounted()
      for (let write = 0; write < before; write++) await database.writeFor('ada', [], async () => {})
      const deleted = Promise.withResolvers<void>()
      const isDeleting = Promise.withResolvers<void>()
      const deletion = database.write(async (tx) => {
        await tx.deleteFrom('user').where('id', '=', 'ada').execute()
        isDeleting.resolve()
        await deleted.promise
      })
      await isDeleting.promise
      const write = database.writeFor('ada', [], async () => {})
      const isWaiting = async () => {
        const waiting = sql<{ count: number }>`
        select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return (await waiting.execute(database.read)).rows[0]?.count
      }
      await expect.poll(isWaiting).toBeGreaterThan(0)
      deleted.resolve()
      await deletion
      await write
      expect(await database.read.selectFrom('revisions').selectAll().execute()).toEqual([])
    },
  )

  const refusing: Failing = ['it refuses by itself', /refused/, () => Promise.reject(new Error('refused'))]
  const failing: Failing = [
    'a statement fails',
    /no_such_column/,
    (tx) => sql`select no_such_column from "user"`.execute(tx),
  ]
  const failingAlong: Failing = [
    'a statement fails that it does not wait for',
    /no_such_column/,
    async (tx) => {
      await sendAlong(tx, sql`select no_such_column from "user"`.execute(tx))
      await sql`select 1`.execute(tx).catch(() => {})
      throw new Error('what followed')
    },
  ]

  describe.each<[string, (database: Database, work: Work) => Promise<unknown>, Failing[]]>([
    ['a write', (database, work) => database.write(work), [refusing, failing, failingAlong]],
    [
      'a write of a user',
      (database, work) => database.writeFor('ada', ['todos'], work),
      [refusing, failing, failingAlong],
    ],
    ['a snapshot', (database, work) => database.snapshot(work), [refusing, failing]],
  ])('whose rollback fails, since the server has ended its connection: %s', (_, run, failures) => {
    test.each(failures)('says what failed first when %s, and others go on', async (_cause, reason, fail) => {
      const { database, other } = await openBeside()
      const unheard = unheardRejections()
      const running = run(database, async (tx) => {
        const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(tx)
        try {
          await fail(tx)
        } finally {
          await ended(other, rows)
        }
      })
      await expect(running).rejects.toThrow(reason)
      await expectGoingOn(database)
      expect(unheard).toEqual([])
    })

    test('says so when it ends amid its statements, and others go on', async () => {
      const { database, other } = await openBeside()
      const unheard = unheardRejections()
      const running = run(database, async (tx) => {
        const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(tx)
        await sendAlong(tx, sql`select pg_sleep(10)`.execute(tx))
        const following = [1, 2, 3].map(() => sql`select 1`.execute(tx))
        await Promise.all([ended(other, rows), ...following])
      })
      await expect(running).rejects.toSatisfy(isPassingFailure)
      await expectGoingOn(database)
      expect(unheard).toEqual([])
    })
  })

  async function openBeside() {
    const url = await emptyUrl()
    const other = await openDatabase(url)
    onTestFinished(() => other.close())
    await addUser(other.auth, 'postgres', 'ada')
    const database = await openDatabase(url, undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    return { database, other }
  }

  /** Ends connections of which we then hear nothing but that they have ended. */
  async function ended(other: Database, connections: readonly { id: number }[]): Promise<void> {
    for (const { id } of connections) {
      await sql`select pg_terminate_backend(${id}, 5000)`.execute(other.read)
    }
  }

  /** The next statement then opens another. */
  async function endConnectionOf(database: Database, other: Database): Promise<void> {
    const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(database.read)
    await ended(other, rows)
    const isThere = () =>
      database.ping().then(
        () => true,
        () => false,
      )
    await expect.poll(isThere).toBe(true)
  }

  async function expectGoingOn(database: Database): Promise<void> {
    await database.write((tx) => stored(tx, { user: 'ada', revision: 'after' }))
    const revisions = await database.read.selectFrom('revisions').select('revision').execute()
    expect(revisions).toEqual([{ revision: 'after' }])
  }

  test('leaves no connection to the next that the server has ended, though nobody says that it is closed', async () => {
    const proxy = await spoilingProxy(await emptyUrl())
    onTestFinished(() => proxy.close())
    const database = await openDatabase(proxy.url, undefined, { poolSize: 1, responseTimeout: 3_000 })
    onTestFinished(() => database.close())
    await addUser(database.auth, 'postgres', 'ada')
    const ending = sql`select pg_terminate_backend(pg_backend_pid())`
    const ways = [
      () => ending.execute(database.read),
      () => database.readTogether((read) => ending.execute(read)),
      () => database.snapshot((read) => ending.execute(read)),
      () => database.write((tx) => ending.execute(tx)),
    ]
    for (const end of ways) {
      await expect(end()).rejects.toThrow(/terminating connection/)
      expect((await sql`select 1 as one`.execute(database.read)).rows).toEqual([{ one: 1 }])
    }
    await expectGoingOn(database)
  })

  test('leaves no connection to the next of which we do not know what it has prepared', async () => {
    const { database, other } = await openBeside()
    const said = compiledOnce<{ value: unknown }>()((db, param) =>
      db.selectFrom('user').select(sql`${param('value')}::text`.as('said')),
    )
    const say = (value: unknown) => database.write((tx) => said(tx, { value }))
    // Often enough for it to get its name.
    for (let time = 0; time < 10; time++) await say('something')
    await endConnectionOf(database, other)
    const unsendable: Record<string, unknown> = {}
    unsendable.itself = unsendable
    await expect(say(unsendable)).rejects.toThrow(/circular/)
    expect(await say('something')).toEqual([{ said: 'something' }])
  })

  test('leaves no connection to the next on which half of the checks are prepared', async () => {
    const database = await openDatabase(await emptyUrl(), undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    await sql`prepare daymark_lock as select 1`.execute(database.read)
    await expect(addUser(database.auth, 'postgres', 'ada')).rejects.toThrow(/daymark_lock/)
    await addUser(database.auth, 'postgres', 'ada')
    await database.writeFor('ada', [], async () => {})
  })

  test('leaves no connection to the next on which a statement was given up', async () => {
    const database = await openDatabase(await emptyUrl(), undefined, { poolSize: 1, responseTimeout: 1_000 })
    onTestFinished(() => database.close())
    const slow = sql`select pg_sleep(3)`.execute(database.read)
    const givenUp = expect(slow).rejects.toSatisfy(isPassingFailure)
    await pause(500)
    const { rows } = await sql`select 1 as one`.execute(database.read)
    expect(rows).toEqual([{ one: 1 }])
    await givenUp
  })

  test('reads the last of columns that have the same name', async () => {
    const { database } = await openCounted()
    const { rows } = await sql`select 1 as one, 'two' as two, null as one`.execute(database.read)
    expect(rows).toEqual([{ one: null, two: 'two' }])
  })

  test('says of a statement that failed who asked for it', async () => {
    const { database } = await openCounted()
    async function askForNothing() {
      await sql`select nothing from nowhere`.execute(database.read)
    }
    await expect(askForNothing()).rejects.toHaveProperty('stack', expect.stringContaining('askForNothing'))
  })

  test('reads on after a read failed while others were on their way with it', async () => {
    const database = await openDatabase(await emptyUrl(), undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    await addUser(database.auth, 'postgres', 'ada')
    const reading = database.readTogether((read) =>
      Promise.all([
        sql`select no_such_column from revisions`.execute(read),
        sql`select pg_sleep(10)`.execute(read),
      ]),
    )
    await expect(reading).rejects.toThrow(/no_such_column/)
    await database.writeFor('ada', [], async () => {})
    // Nobody has waited for what others had asked for.
    const { rows } = await sql`
      select pid from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(10)'`.execute(
      database.read,
    )
    expect(rows).toHaveLength(1)
    expect(await database.read.selectFrom('revisions').select('user_id').execute()).toEqual([
      { user_id: 'ada' },
    ])
  })
})

type Work = (tx: Transaction<Tables>) => Promise<unknown>
/** Its name, what it says, and how it comes about. */
type Failing = [when: string, reason: RegExp, fail: Work]

/** Collects, until the test ends, what is rejected without anybody hearing of it. */
function unheardRejections(): unknown[] {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  return unheard
}

/** A proxy that can spoil a text in what is sent to the server, and never says that the server has closed a connection. */
async function spoilingProxy(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let spoiled: string | undefined
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      upstream.write(
        Buffer.from(
          spoiled ? text.replaceAll(spoiled, spoiled.toUpperCase().replaceAll('E', '3')) : text,
          'latin1',
        ),
      )
    })
    upstream.pipe(client, { end: false })
  })
  const rerouted = await reroutedUrl(url, server)
  return {
    url: rerouted,
    spoil(text: string | undefined) {
      spoiled = text
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
