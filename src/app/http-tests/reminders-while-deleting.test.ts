import { expect, it, onTestFinished } from 'vitest'
import { instantToWire } from '#platform/calendar/day.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { startPushService } from '#testing/push-service.ts'
import { openApplication } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

describePostgresUrl('deleting an account', (emptyUrl) => {
  it('does not deadlock with reminding its person at the same moment, and others are reminded', async () => {
    const url = await emptyUrl()
    const [database, deleting] = [await openDatabase(url), await openDatabase(url)]
    onTestFinished(async () => void (await Promise.all([database.close(), deleting.close()])))
    let applicationKey = ''
    const service = await startPushService(() => applicationKey)
    onTestFinished(() => service.stop())
    let now = Date.now()
    const due = now + 60_000
    const daymark = openApplication(database, { clock: () => now, pushTo: 'anywhere' })
    onTestFinished(() => daymark.pusher.close())
    applicationKey = await daymark.pusher.publicKey()
    const join = async (name: string) => {
      const { id, cookie } = await daymark.signUp(name)
      const { subscription } = service.subscribe()
      await daymark.ask('PUT', '/api/reminders/devices', { cookie, body: subscription })
      const todo = { title: `Of ${name}`, remind_at: instantToWire(due) }
      expect((await daymark.ask('POST', '/api/todos', { cookie, body: todo })).status).toBe(201)
      return id
    }
    const ada = await join('Ada')
    await join('Bob')
    now = due
    await deleting.write(async (tx) => {
      // What a deletion begins with; it ends with the alarms.
      await tx.selectFrom('user').select('id').where('id', '=', ada).forUpdate().execute()
      await daymark.reminding.remindNow()
      await tx.deleteFrom('user').where('id', '=', ada).execute()
    })
    expect(service.pushed.map(({ message }) => message.title)).toEqual(['Of Bob'])
    expect((await dump(database)).alarms).toEqual([])
    expect(service.wrong).toEqual([])
  })
})
