import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type PushService, startPushService } from '#testing/push-service.ts'
import { runs } from '#testing/runs.ts'
import { waitFor } from '#testing/wait.ts'
import { openApplication } from '../testing/application.ts'
import { addRemindedPerson } from '../testing/reminded-person.ts'

const now = Date.now()
const anHourAgo = now - 3_600_000

describeEachEngine('reminders of many people', (openEmpty) => {
  let database: Database
  let service: PushService
  let applicationKey = ''
  beforeEach(async () => {
    database = await openEmpty()
    service = await startPushService(() => applicationKey)
  })
  afterEach(async () => {
    expect(service.wrong).toEqual([])
    await service.stop()
  })

  async function open(on = database) {
    const daymark = openApplication(on, { clock: () => now, pushTo: 'anywhere' })
    onTestFinished(() => daymark.pusher.close())
    applicationKey = await daymark.pusher.publicKey()
    return daymark.reminding
  }
  const add = (user: string, todos: number, more: { due?: number; browsers?: number } = {}) =>
    addRemindedPerson(database, service, user, { due: anHourAgo, now, todos, ...more })
  const alarmsOf = async (user: string) =>
    (await database.read.selectFrom('alarms').select('row_id').where('user_id', '=', user).execute()).length

  it('one with thousands due at once comes second to somebody with one that is due later', async () => {
    const many = runs(20_000, 1_000)
    await add('eve', many, { browsers: 0 })
    await add('zoe', 1, { due: now })
    const left: { ofEve: number; ofZoe: number }[] = []
    const reminding = await open({
      ...database,
      async write(work) {
        const done = await database.write(work)
        if (left.at(-1)?.ofZoe !== 0)
          left.push({ ofEve: await alarmsOf('eve'), ofZoe: await alarmsOf('zoe') })
        return done
      },
    })
    left.length = 0
    await reminding.remindNow()
    expect(left).toEqual([{ ofEve: many - 5, ofZoe: 0 }])
    expect(service.pushed).toHaveLength(1)
    // Nor is anybody with many left out because of it.
    expect(await alarmsOf('eve')).toBe(0)
  })

  it('some with hundreds in progress are not all sent before somebody who has one', async () => {
    const people = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn']
    for (const person of people) await add(person, 50)
    const { browsers } = await add('zoe', 1, { due: now })
    const reminding = await open()
    await reminding.remindNow()
    const order = service.pushed.map(({ browser }) => browser)
    expect(order).toHaveLength(people.length * 50 + 1)
    expect(new Set(service.pushed.map(({ message }) => message.id)).size).toBe(order.length)
    // At most what is claimed twice.
    expect(order.indexOf(browsers[0]?.number ?? -1)).toBeLessThan(32)
  })

  it('one with many browsers that never respond delays nobody, and has at most two of them tried at once', async () => {
    const eve = await add('eve', 10, { browsers: 20 })
    const held = eve.browsers.map((browser) => service.hold(browser))
    const { browsers } = await add('zoe', 3, { due: now })
    const reminding = await open()
    const reminded = reminding.remindNow()
    await waitFor(() => expect(service.pushed).toHaveLength(3))
    expect(service.pushed.map(({ browser }) => browser)).toEqual(Array(3).fill(browsers[0]?.number))
    // None of hers has a response yet, so each that arrived is still being tried.
    const tried = eve.browsers.reduce((sum, browser) => sum + service.arrived(browser), 0)
    expect(tried).toBeLessThanOrEqual(2)
    for (const respond of held) respond()
    await reminded
    expect(service.pushed).toHaveLength(10 * 20 + 3)
  })

  it('many with browsers that never respond take no slots that others need', async () => {
    const people = Array.from({ length: 20 }, (_, place) => `person-${place}`)
    const held: (() => void)[] = []
    for (const person of people) {
      const { browsers } = await add(person, 4)
      held.push(...browsers.map((browser) => service.hold(browser)))
    }
    const { browsers } = await add('zoe', 1, { due: now })
    const reminding = await open()
    const reminded = reminding.remindNow()
    await waitFor(() => expect(service.pushed).toHaveLength(1))
    expect(service.pushed[0]?.browser).toBe(browsers[0]?.number)
    for (const respond of held) respond()
    await reminded
    expect(new Set(service.pushed.map(({ message }) => message.id)).size).toBe(people.length * 4 + 1)
  })
})
