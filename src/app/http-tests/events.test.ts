import { describe, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, cookieOf, openApplication, type Person, password } from '../testing/application.ts'
import { openEvents } from '../testing/event-reader.ts'

const later = 25_000

async function revisionOf(database: Database, { id }: Person): Promise<string | undefined> {
  const row = await database.read
    .selectFrom('revisions')
    .select('revision')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row?.revision
}

/** Once a server hears the other processes, it has every device look, which would interfere here. */
async function connectedToOthers({ changes }: Database): Promise<void> {
  const heard = Promise.withResolvers<void>()
  const stop = changes.listen('nobody', () => heard.resolve())
  await heard.promise
  stop()
}

const signInAgain = async (daymark: Application, { email }: Person) =>
  cookieOf(await daymark.ask('POST', '/api/auth/sign-in/email', { body: { email, password } }))

describeEachEngine('the events of a person', (openEmpty, engine) => {
  async function open() {
    const database = await openEmpty()
    if (engine === 'postgres') await connectedToOthers(database)
    let now = Date.now()
    const daymark = openApplication(database, { clock: () => now })
    const ada = await daymark.signUp('Ada')
    return {
      database,
      daymark,
      ada,
      add: (title: string, { cookie } = ada) =>
        daymark.ask('POST', '/api/todos', { cookie, body: { title, completed: 0 } }),
      passTime(milliseconds: number) {
        now += milliseconds
        daymark.app.events.heartbeat()
      },
    }
  }

  it('name the changed collection, in the order of the changes, to every device of that person and to nobody else', async () => {
    const { database, daymark, ada, add } = await open()
    const eve = await daymark.signUp('Eve')
    const phone = await openEvents(daymark, ada)
    const desk = await openEvents(daymark, ada)
    const ofEve = await openEvents(daymark, eve)
    for (const device of [phone, desk]) expect(await device.next()).toEqual({ id: '', event: 'changed' })
    expect(await ofEve.next()).toMatchObject({ event: 'changed' })

    const revisions: unknown[] = []
    await add('Write')
    revisions.push(await revisionOf(database, ada))
    await daymark.ask('PATCH', '/api/preferences', { cookie: ada.cookie, body: { theme: 'dark' } })
    revisions.push(await revisionOf(database, ada))
    for (const device of [phone, desk]) {
      expect(await device.next()).toEqual({ id: revisions[0], event: 'changed', lists: ['todos'] })
      expect(await device.next()).toEqual({ id: revisions[1], event: 'changed', lists: ['preferences'] })
    }
    await add('Of Eve', eve)
    expect(await ofEve.next()).toMatchObject({ lists: ['todos'] })
  })

  it('carry what has changed of to-dos, as a device that has them would be sent it', async () => {
    const { daymark, ada, add } = await open()
    const read = (query = '') => daymark.ask('GET', `/api/todos?done=recent${query}`, { cookie: ada.cookie })
    const tagOf = ({ headers }: Awaited<ReturnType<typeof read>>) => headers.get('etag')?.replaceAll('"', '')
    await add('First')
    const phone = await openEvents(daymark, ada)
    await phone.next()
    const since = tagOf(await read())
    await add('Second')
    const { carried } = (await phone.next()) ?? {}
    const sent = await read(`&since=${since}`)
    expect(carried).toEqual([{ path: '/api/todos?done=recent', tag: tagOf(sent), response: sent.body }])
    expect(sent.body).toMatchObject({ since, todos: [{ title: 'Second' }], left: [] })
  })

  it('carry nothing that is long, nothing if more has changed, and nothing of a write that does not tell', async () => {
    const { database, daymark, ada, add } = await open()
    await add('First')
    const phone = await openEvents(daymark, ada)
    await phone.next()
    const slow = await openEvents(daymark, { ...ada, slow: true })
    await slow.next()
    const nothing = (event: unknown) => expect(event).not.toHaveProperty('carried')
    await add('x'.repeat(500))
    nothing(await phone.next())
    await add('Short')
    expect(await phone.next()).toHaveProperty('carried')
    nothing(await slow.next())
    await database.writeFor(ada.id, ['todos'], async () => {})
    nothing(await phone.next())
    await daymark.ask('PATCH', '/api/preferences', { cookie: ada.cookie, body: { week_start: 7 } })
    nothing(await phone.next())
  })

  it('carry nothing of a collection that has to be read whole, and take nothing of its budget then', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { settings: { rateLimit: true } })
    const ada = await daymark.signUp('Ada')
    const ask = (method: string, path: string, body?: object) =>
      daymark.ask(method, path, { cookie: ada.cookie, body })
    const { body } = await ask('POST', '/api/todos', { title: 'Move', completed: 0 })
    const rows = Array.from({ length: 150 }, (_, place) => [
      {
        method: 'POST',
        path: '/api/todos',
        body: {
          title: `${place} ${'x'.repeat(490)}`,
          note: 'x'.repeat(5_000),
          completed: 0,
          parent_id: body.todo.id,
        },
      },
    ])
    for (let next = 0; next < rows.length; next += 10) {
      expect((await ask('POST', '/api/changes', { rows: rows.slice(next, next + 10) })).status).toBe(200)
    }
    const phone = await openEvents(daymark, ada)
    await phone.next()
    for (let time = 0; time < 8; time += 1) {
      await ask('PUT', `/api/todos/${body.todo.id}/edit`, { title: `Move ${time}` })
      expect(await phone.next()).not.toHaveProperty('carried')
    }
    expect((await ask('GET', '/api/habits')).status).toBe(200)
  })

  it('are sent at once, and no proxy may store them', async () => {
    const { daymark, ada } = await open()
    const { headers } = await openEvents(daymark, ada)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })

  it('resume where they stopped: nothing was missed, or everything has to be read again', async () => {
    const { daymark, ada, add } = await open()
    await add('First')
    const phone = await openEvents(daymark, ada)
    const first = await phone.next()
    await phone.close()
    const again = await openEvents(daymark, { ...ada, lastEventId: first?.id ?? '' })
    expect(await again.next()).toEqual({ id: first?.id, event: 'current' })
    await again.close()

    await add('Second')
    const late = await openEvents(daymark, { ...ada, lastEventId: first?.id ?? '' })
    const missed = await late.next()
    expect(missed).toMatchObject({ event: 'changed' })
    expect(missed).not.toHaveProperty('lists')
    expect(missed?.id).not.toBe(first?.id)
  })

  it('say nothing about a change that was rolled back', async () => {
    const { database, daymark, ada, passTime } = await open()
    const phone = await openEvents(daymark, { ...ada, lastEventId: '' })
    expect(await phone.next()).toEqual({ id: '', event: 'current' })
    const failing = database.writeFor(ada.id, ['todos'], async () => {
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow('given up')
    passTime(later)
    await phone.beat()
  })

  it('send a heartbeat after 25 seconds of silence', async () => {
    const { daymark, ada, passTime } = await open()
    const phone = await openEvents(daymark, ada)
    await phone.next()
    passTime(later)
    await phone.beat()
    passTime(later)
    await phone.beat()
  })

  it('make up for a lost message with the next heartbeat', async () => {
    const { database, daymark, ada, add, passTime } = await open()
    await add('First')
    const phone = await openEvents(daymark, ada)
    await phone.next()
    // As if a process were killed between its commit and its message.
    await database.write(async (tx) => {
      await tx.updateTable('revisions').set({ revision: 'unheard' }).where('user_id', '=', ada.id).execute()
    })
    passTime(later)
    expect(await phone.next()).toEqual({ id: 'unheard', event: 'changed' })
  })

  it('make up for a lost message with the next one that arrives', async () => {
    const { database, daymark, ada, add } = await open()
    await add('First')
    const phone = await openEvents(daymark, ada)
    const first = await phone.next()
    const notify = (revision: string, before: string | undefined) =>
      database.changes.notify(ada.id, { revision, before, collections: ['habits'] })
    notify('next', first?.id)
    expect(await phone.next()).toEqual({ id: 'next', event: 'changed', lists: ['habits'] })
    notify('later', 'unheard')
    expect(await phone.next()).toEqual({ id: 'later', event: 'changed' })
  })

  it('are combined if the client stops reading, and the connection is closed before they pile up', async () => {
    const { daymark, ada, add, passTime } = await open()
    let cut = false
    const phone = await openEvents(daymark, {
      ...ada,
      slow: true,
      onCut: () => {
        cut = true
      },
    })
    await phone.next()
    for (let number = 0; number < 5; number += 1) await add(`Task ${number}`)
    await daymark.ask('PATCH', '/api/preferences', { cookie: ada.cookie, body: { theme: 'dark' } })
    expect(await phone.next()).toMatchObject({ lists: ['todos', 'preferences'] })

    await add('Taken by nobody')
    passTime(later)
    expect({ cut, open: daymark.app.events.size }).toEqual({ cut: false, open: 1 })
    passTime(later)
    expect({ cut, open: daymark.app.events.size }).toEqual({ cut: true, open: 0 })
  })

  it('a phone that reconnects twenty times ends its own dead streams and not that of the desktop', async () => {
    const { daymark, ada, add } = await open()
    const desk = await openEvents(daymark, { cookie: await signInAgain(daymark, ada) })
    await desk.next()
    const first = await openEvents(daymark, ada)
    await first.next()
    for (let number = 0; number < 20; number += 1) await (await openEvents(daymark, ada)).next()
    expect(await first.next()).toMatchObject({ event: 'crowded' })
    await add('Still heard')
    expect(await desk.next()).toMatchObject({ event: 'changed', lists: ['todos'] })
  })

  it('go to at most twenty devices of a person: the oldest is told so and ended', async () => {
    const { daymark, ada } = await open()
    const first = await openEvents(daymark, ada)
    await first.next()
    for (let number = 0; number < 20; number += 1) await (await openEvents(daymark, ada)).next()
    expect(await first.next()).toMatchObject({ event: 'crowded' })
    expect(await first.next()).toBeUndefined()
    expect(daymark.app.events.size).toBe(20)
  })

  it('cost nothing if only the headers are requested, and nothing more once the device is gone', async () => {
    const { daymark, ada } = await open()
    expect((await daymark.ask('HEAD', '/api/events', { cookie: ada.cookie })).status).toBe(200)
    expect(daymark.app.events.size).toBe(0)
    const phone = await openEvents(daymark, ada)
    await phone.next()
    expect(daymark.app.events.size).toBe(1)
    await phone.close()
    expect(daymark.app.events.size).toBe(0)
  })

  it('end at once when the program does', async () => {
    const { daymark, ada } = await open()
    const phone = await openEvents(daymark, ada)
    await phone.next()
    daymark.app.events.close()
    expect(await phone.next()).toBeUndefined()
    const late = await openEvents(daymark, ada)
    expect(await late.next()).toBeUndefined()
  })

  it('cannot be opened more than sixty times a minute', async () => {
    const daymark = openApplication(await openEmpty(), { settings: { rateLimit: true } })
    const ada = await daymark.signUp('Ada')
    const statuses: number[] = []
    for (let number = 0; number < 61; number += 1) {
      statuses.push((await daymark.ask('GET', '/api/events', { cookie: ada.cookie })).status)
    }
    expect(statuses.lastIndexOf(200)).toBe(59)
    expect(statuses[60]).toBe(429)
  })

  it('are not those of somebody who has signed in meanwhile', async () => {
    const { daymark, ada } = await open()
    const eve = await daymark.signUp('Eve')
    const headers = { 'x-daymark-user': ada.id }
    expect((await daymark.ask('GET', '/api/events', { cookie: eve.cookie, headers })).status).toBe(401)
  })

  describe('end with the sign-in session', () => {
    it.each<[string, string, object]>([
      ['signed out', '/api/auth/sign-out', {}],
      ['all ended', '/api/auth/revoke-sessions', {}],
      [
        'a new password',
        '/api/auth/change-password',
        { currentPassword: password, newPassword: 'new password' },
      ],
      ['the account deleted', '/api/auth/delete-user', { password }],
    ])('%s', async (_, path, body) => {
      const { daymark, ada } = await open()
      const phone = await openEvents(daymark, ada)
      await phone.next()
      expect((await daymark.ask('POST', path, { cookie: ada.cookie, body })).status).toBe(200)
      expect(await phone.next()).toMatchObject({ event: 'signed-out' })
      expect(await phone.next()).toBeUndefined()
      expect(daymark.app.events.size).toBe(0)
    })

    it('when ended from another device, whose own events go on', async () => {
      const { daymark, ada, add } = await open()
      const other = await signInAgain(daymark, ada)
      const phone = await openEvents(daymark, ada)
      const desk = await openEvents(daymark, { cookie: other })
      await phone.next()
      await desk.next()
      await daymark.ask('POST', '/api/auth/revoke-other-sessions', { cookie: other })
      expect(await phone.next()).toMatchObject({ event: 'signed-out' })
      await add('Still heard', { ...ada, cookie: other })
      expect(await desk.next()).toMatchObject({ event: 'changed', lists: ['todos'] })
    })

    it('when it expires, by the next heartbeat', async () => {
      const { database, daymark, ada, passTime } = await open()
      const phone = await openEvents(daymark, ada)
      await phone.next()
      const { adapter } = await daymark.auth.$context
      await adapter.update({
        model: 'session',
        where: [{ field: 'userId', value: ada.id }],
        update: { expiresAt: new Date(Date.now() - 1_000) },
      })
      await database.ping()
      passTime(later)
      expect(await phone.next()).toMatchObject({ event: 'signed-out' })
    })
  })
})
