import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { List } from '#features/lists/list/list.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { tidy } from '../housekeeping.ts'
import { type Application, openApplication, type Person, password } from '../testing/application.ts'

const hour = 3_600_000
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

describeEachEngine('a device that has read a collection', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  let now: number
  beforeEach(async () => {
    now = noon
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => now, build: 'first' })
    ada = await daymark.signUp('Ada')
    for (const number of [1, 2, 3]) await add(number)
  })

  const ask = (method: string, path: string, body?: unknown, app = daymark) =>
    app.ask(method, path, { cookie: ada.cookie, body })
  const add = (number: number) => ask('POST', '/api/lists', { id: id(number), name: `List ${number}` })
  const rename = (number: number, name: string) => ask('PUT', `/api/lists/${id(number)}`, { name })

  /** What a device has after a read: the ETag as it names it. */
  async function read(app = daymark): Promise<string> {
    const { headers } = await ask('GET', '/api/lists', undefined, app)
    return tagIn(headers)
  }

  function tagIn(headers: Headers): string {
    return (headers.get('etag') ?? '').replaceAll(/^W\/|"/g, '')
  }

  const readSince = (tag: string, app = daymark) =>
    ask('GET', `/api/lists?since=${encodeURIComponent(tag)}`, undefined, app)
  const idsIn = ({ lists }: { lists: List[] }) => lists.map(({ id }) => id)

  async function expectWhole(tag: string, app = daymark): Promise<void> {
    const { status, body } = await readSince(tag, app)
    expect({ status, since: body.since, left: body.left }).toEqual({ status: 200 })
    expect(body).toEqual((await ask('GET', '/api/lists', undefined, app)).body)
  }

  it('is sent the rows that have changed since, and the ids of those that are gone', async () => {
    const tag = await read()
    await rename(2, 'Home')
    await ask('DELETE', `/api/lists/${id(3)}`)
    await add(4)
    const { body, headers } = await readSince(tag)
    const whole = await ask('GET', '/api/lists')
    expect(body).toMatchObject({ since: tag, left: [id(3)] })
    expect(idsIn(body)).toEqual([id(2), id(4)])
    expect(body.lists[0]).toEqual(whole.body.lists[1])
    expect(tagIn(headers)).toBe(tagIn(whole.headers))
    expect((await readSince(tagIn(headers))).body).toEqual(whole.body)
  })

  it('is told of a row that came and went, and of one that came back', async () => {
    const tag = await read()
    await add(4)
    await ask('DELETE', `/api/lists/${id(4)}`)
    await ask('DELETE', `/api/lists/${id(1)}`)
    await ask('POST', `/api/lists/${id(1)}/restore`)
    const { body } = await readSince(tag)
    expect({ lists: idsIn(body), left: body.left }).toEqual({ lists: [id(1)], left: [id(4)] })
  })

  it('is told nothing of rows that others changed, or of other collections', async () => {
    const tag = await read()
    const eve = await daymark.signUp('Eve')
    await daymark.ask('POST', '/api/lists', { cookie: eve.cookie, body: { id: id(9), name: "Eve's" } })
    await ask('POST', '/api/todos', { id: id(5), title: 'Write', completed: 0 })
    expect((await readSince(tag)).body).toEqual({ since: tag, lists: [], left: [] })
    const theirs = await daymark.ask('GET', `/api/lists?since=${tag}`, { cookie: eve.cookie })
    expect(theirs.body).toMatchObject({ lists: [{ id: id(9) }] })
    expect(theirs.body).not.toHaveProperty('since')
  })

  it('is answered 304 while nothing has changed', async () => {
    const tag = await read()
    const asked = { cookie: ada.cookie, headers: { 'if-none-match': `W/"${tag}"` } }
    expect(await daymark.ask('GET', `/api/lists?since=${tag}`, asked)).toMatchObject({ status: 304 })
    await rename(2, 'Home')
    expect(await daymark.ask('GET', `/api/lists?since=${tag}`, asked)).toMatchObject({ status: 200 })
  })

  it('is not sent what another device asked for from another revision', async () => {
    const first = await read()
    await rename(1, 'Home')
    const second = await read()
    await rename(2, 'Work')
    for (const [tag, ids] of [
      [first, [id(1), id(2)]],
      [second, [id(2)]],
      [first, [id(1), id(2)]],
    ] as const) {
      expect(idsIn((await readSince(tag)).body)).toEqual(ids)
    }
    await expectWhole('')
  })

  it('reads the whole collection if its revision is unknown or makes no sense', async () => {
    const tag = await read()
    await rename(2, 'Home')
    const [, rest = ''] = /^[\da-f-]{36}(.*)$/.exec(tag) ?? []
    for (const other of [
      id(7) + rest,
      rest,
      'first',
      '',
      '%',
      `${tag}x`,
      `"${tag}"`,
      `${tag}&since=${tag}`,
    ]) {
      await expectWhole(other)
    }
    expect((await ask('GET', '/api/lists?since=%')).body).toMatchObject({ lists: [{}, {}, {}] })
    expect((await readSince(tag)).body).toMatchObject({ since: tag })
  })

  it('reads the whole collection after a change of the preferences, and from another build', async () => {
    const tag = await read()
    await rename(2, 'Home')
    const other = openApplication(database, { clock: () => now, build: 'second' })
    await expectWhole(tag, other)
    expect((await readSince(tag)).body).toMatchObject({ since: tag })
    await ask('PATCH', '/api/preferences', { week_start: 7 })
    await expectWhole(tag)
  })

  it('reads the whole collection after a write that was not logged, such as one of an older program', async () => {
    const tag = await read()
    await rename(2, 'Home')
    await database.write((tx) =>
      tx
        .updateTable('revisions')
        .set({ revision: id(8) })
        .where('user_id', '=', ada.id)
        .execute(),
    )
    await expectWhole(tag)
    await rename(1, 'Work')
    await expectWhole(tag)
    const later = await read()
    await rename(3, 'Garden')
    expect((await readSince(later)).body).toMatchObject({ since: later, lists: [{ id: id(3) }] })
  })

  it('reads the whole collection if the log does not reach back to its revision', async () => {
    const tag = await read()
    await rename(2, 'Home')
    await database.write((tx) => tx.deleteFrom('row_changes').where('user_id', '=', ada.id).execute())
    await expectWhole(tag)
    const later = await read()
    for (let change = 0; change < 256; change += 1) {
      await database.writeFor(ada.id, [], async () => {})
    }
    expect((await readSince(later)).body).toMatchObject({ since: later, lists: [] })
    await database.writeFor(ada.id, [], async () => {})
    await expectWhole(later)
    // Nor does a person's log grow beyond that, however much they write.
    const logged = await database.read.selectFrom('row_changes').select('number').execute()
    expect(logged).toHaveLength(256)
  })

  it('shares the whole collection that another device was sent, if it needs that', async () => {
    const tag = await read()
    await database.writeFor(ada.id, ['lists'], async () => {})
    const whole = await ask('GET', '/api/lists')
    await database.write((tx) => tx.deleteFrom('lists').where('user_id', '=', ada.id).execute())
    expect((await readSince(tag)).body).toEqual(whole.body)
  })

  it('reads the whole collection after a write that did not tell which rows it changed', async () => {
    const tag = await read()
    await database.writeFor(ada.id, ['lists'], (tx) =>
      sql`update lists set name = 'Shed' where user_id = ${ada.id} and id = ${id(1)}`.execute(tx),
    )
    await expectWhole(tag)
  })

  it('finds no log of what is older than two days, nor of an account that is deleted', async () => {
    const logged = async () => (await database.read.selectFrom('row_changes').selectAll().execute()).length
    const before = await logged()
    expect(before).toBeGreaterThan(0)
    await tidy(database, daymark.auth, Date.now() + 47 * hour)
    expect(await logged()).toBe(before)
    await tidy(database, daymark.auth, Date.now() + 49 * hour)
    expect(await logged()).toBe(0)
    await rename(1, 'Home')
    await daymark.ask('POST', '/api/auth/delete-user', { cookie: ada.cookie, body: { password } })
    expect(await logged()).toBe(0)
  })
})
