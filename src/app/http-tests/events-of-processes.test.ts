import { expect, it, onTestFinished } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { type Application, cookieOf, openApplication, password } from '../testing/application.ts'
import { openEvents } from '../testing/event-reader.ts'

async function openUntilEnd(url: string): Promise<Database> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

/** Resolves for everybody as soon as this process hears the others. */
const connectedToOthers = ({ changes }: Database) =>
  new Promise((resolve) => {
    changes.listen('anybody', resolve)
  })

describePostgresUrl('the events of a device at another process', (emptyUrl) => {
  async function openTwo() {
    const url = await emptyUrl()
    const here = openApplication(await openUntilEnd(url))
    const database = await openUntilEnd(url)
    const there = openApplication(database)
    const { email, cookie, id } = await here.signUp('Ada')
    await connectedToOthers(database)
    const signedIn = await here.ask('POST', '/api/auth/sign-in/email', { body: { email, password } })
    const ofDesk = cookieOf(signedIn)
    const desk = await openEvents(there, { cookie: ofDesk })
    await desk.next()
    const add = (daymark: Application, title: string) =>
      daymark.ask('POST', '/api/todos', { cookie, body: { title, completed: 0 } })
    return { here, there, database, id, desk, ofDesk, add }
  }

  it('say which collection has changed', async () => {
    const { here, there, desk, add } = await openTwo()
    for (const daymark of [here, there, here]) {
      await add(daymark, 'Write')
      expect(await desk.next()).toMatchObject({ event: 'changed', lists: ['todos'] })
    }
  })

  it('end with a sign-out', async () => {
    const { here, desk, ofDesk } = await openTwo()
    await here.ask('POST', '/api/auth/sign-out', { cookie: ofDesk, body: {} })
    expect(await desk.next()).toMatchObject({ event: 'signed-out' })
    expect(await desk.next()).toBeUndefined()
  })

  it('make up for a lost message with the next one, whichever process made that change', async () => {
    const { here, there, database, id, desk, add } = await openTwo()
    await add(here, 'First')
    expect(await desk.next()).toHaveProperty('lists')
    for (const daymark of [here, there]) {
      // As if a process were killed between its commit and its message.
      await database.write(async (tx) => {
        await tx.updateTable('revisions').set({ revision: 'unheard' }).where('user_id', '=', id).execute()
      })
      await add(daymark, 'Heard')
      expect(await desk.next()).not.toHaveProperty('lists')
      await add(daymark, 'The one after it')
      expect(await desk.next()).toHaveProperty('lists', ['todos'])
    }
  })
})
