import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addUser } from './testing/add-user.ts'
import { describeEachEngine } from './testing/engines.ts'

describeEachEngine('The database', (openEmpty) => {
  test('a write that fails undoes only its own changes, however the writers interleave', async () => {
    const db = await openEmpty()
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        db.write(async (tx) => {
          await addUser(tx, db.engine, `first ${number}`)
          await pause()
          await addUser(tx, db.engine, `second ${number}`)
          if (number % 3 === 0) throw new Error(`${number} is given up`)
        }),
      ),
    )
    const kept = await db.read.selectFrom('user').select('id').execute()
    const expected = Array.from({ length: 20 }, (_, number) => number)
      .filter((number) => number % 3 !== 0)
      .flatMap((number) => [`first ${number}`, `second ${number}`])
    expect(kept.map((row) => row.id).toSorted()).toEqual(expected.toSorted())
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(7)
  })

  test('each write in a shared commit gives its own user a new revision, and one that fails gives none', async () => {
    const db = await openEmpty()
    const users = ['ada', 'eve', 'max']
    for (const user of users) {
      await addUser(db.auth, db.engine, user)
      await db.writeFor(user, [], async () => {})
    }
    const revisions = async () => {
      const rows = await db.read.selectFrom('revisions').selectAll().execute()
      return new Map(rows.map(({ user_id, revision }) => [user_id, revision]))
    }
    const before = await revisions()
    const rename = (user: string) =>
      db.writeFor(user, [], async (tx) => {
        await tx.updateTable('user').set({ name: 'renamed' }).where('id', '=', user).execute()
        if (user === 'eve') throw new Error('given up')
      })
    await Promise.allSettled([...users, ...users].map(rename))
    const after = await revisions()
    expect(users.map((user) => after.get(user) !== before.get(user))).toEqual([true, false, true])
    const names = await db.read.selectFrom('user').select('name').orderBy('id').execute()
    expect(names.map(({ name }) => name)).toEqual(['renamed', 'eve', 'renamed'])
  })

  test('using a transaction after its write has ended changes nothing of what others write', async () => {
    const db = await openEmpty()
    const kept = await db.write(async (tx) => ({ tx }))
    await expect(addUser(kept.tx, db.engine, 'late')).rejects.toThrow()
    expect(await db.read.selectFrom('user').select('id').execute()).toEqual([])
  })

  test("better-auth's statements and transactions are not undone by a failing write beside them", async () => {
    const db = await openEmpty()
    let inside = () => {}
    const isInside = new Promise<void>((resolve) => {
      inside = resolve
    })
    const failing = db.write(async (tx) => {
      await addUser(tx, db.engine, 'undone')
      inside()
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('given up')
    })
    await isInside
    const statement = addUser(db.auth, db.engine, 'kept 1')
    const transaction = db.auth.transaction().execute(async (tx) => {
      await addUser(tx, db.engine, 'kept 2')
      await addUser(tx, db.engine, 'kept 3')
    })
    const givenUp = db.auth.transaction().execute(async (tx) => {
      await addUser(tx, db.engine, 'undone too')
      throw new Error('given up too')
    })
    await Promise.allSettled([failing, statement, transaction, givenUp])
    const kept = await db.read.selectFrom('user').select('id').orderBy('id').execute()
    expect(kept.map((row) => row.id)).toEqual(['kept 1', 'kept 2', 'kept 3'])
  })

  test('better-auth sees what it wrote at once', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    expect(await db.auth.selectFrom('user').select('id').execute()).toEqual([{ id: 'ada' }])
  })

  test('the result of a write is visible to the next read', async () => {
    const db = await openEmpty()
    for (let number = 0; number < 20; number++) {
      await db.write((tx) => addUser(tx, db.engine, `${number}`))
      const { count } = await db.read
        .selectFrom('user')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect(count).toBe(number + 1)
    }
  })

  test('anything but the transaction fails at once inside a write, instead of waiting forever', async () => {
    const db = await openEmpty()
    const message = /used inside a write/
    await expect(db.write(() => db.write(async () => 1))).rejects.toThrow(message)
    await expect(db.write(() => addUser(db.auth, db.engine, 'ada'))).rejects.toThrow(message)
    await expect(db.write(() => db.auth.transaction().execute(async () => 1))).rejects.toThrow(message)
    await expect(db.write(() => db.read.selectFrom('user').select('id').execute())).rejects.toThrow(message)
    await db.write((tx) => addUser(tx, db.engine, 'ada'))
    expect(await db.read.selectFrom('user').select('id').execute()).toEqual([{ id: 'ada' }])
  })

  test('work that a write sets off may write once that write has finished', async () => {
    const db = await openEmpty()
    let finished = () => {}
    const isFinished = new Promise<void>((resolve) => {
      finished = resolve
    })
    const followed = await db.write(async (tx) => {
      await addUser(tx, db.engine, 'ada')
      return { later: isFinished.then(() => db.write((next) => addUser(next, db.engine, 'grace'))) }
    })
    finished()
    await followed.later
    expect(await db.read.selectFrom('user').select('id').orderBy('id').execute()).toHaveLength(2)
  })

  test('a row that is read for update keeps what two concurrent writers add to it', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const append = (letter: string) =>
      db.write(async (tx) => {
        const row = await tx.selectFrom('user').select('name').forUpdate().executeTakeFirstOrThrow()
        await tx
          .updateTable('user')
          .set({ name: row.name + letter })
          .execute()
      })
    await Promise.all(Array.from('abcdefghij', append))
    const { name } = await db.read.selectFrom('user').select('name').executeTakeFirstOrThrow()
    expect(Array.from(name.slice('ada'.length)).toSorted().join('')).toBe('abcdefghij')
  })

  test('closing waits for the writes that have begun', async () => {
    const db = await openEmpty()
    const writes = Array.from({ length: 5 }, (_, number) =>
      db.write((tx) => addUser(tx, db.engine, `${number}`)),
    )
    await Promise.all([...writes, db.close()])
  })

  test('a closed database says so instead of hanging', async () => {
    const db = await openEmpty()
    await db.ping()
    await db.close()
    await expect(db.ping()).rejects.toThrow()
    await expect(db.write(async () => 1)).rejects.toThrow()
  })

  test('counts, sums and instants come back as numbers', async () => {
    const db = await openEmpty()
    const instant = Date.UTC(2026, 10, 20, 12, 30, 15, 250)
    await db.auth
      .insertInto('rateLimit')
      .values([
        { id: 'a', key: 'a', count: 1, lastRequest: instant },
        { id: 'b', key: 'b', count: 2, lastRequest: 1 },
      ])
      .execute()
    const row = await db.read
      .selectFrom('rateLimit')
      .select((eb) => [
        eb.fn.sum('lastRequest').as('sum'),
        eb.fn.max('lastRequest').as('latest'),
        eb.fn.countAll().as('count'),
      ])
      .executeTakeFirst()
    expect(row).toEqual({ sum: instant + 1, latest: instant, count: 2 })
  })

  test('an integer too large for a number is an error, not a different number', async () => {
    const db = await openEmpty()
    const asInteger = sql`select cast('9007199254740993' as bigint) as n`
    await expect(asInteger.execute(db.read)).rejects.toThrow(/9007199254740993|too large/)
  })
})
