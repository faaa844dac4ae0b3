import { expect, onTestFinished, test, vi } from 'vitest'
import { Changes } from '#platform/database/changes.ts'
import { EventStreams } from './event-streams.ts'

/** A stream whose first look at the database ends only with `found`. */
function beginning() {
  const changes = new Changes()
  const streams = new EventStreams(changes, () => 0, { warn() {} })
  onTestFinished(() => streams.close())
  const begun = Promise.withResolvers<void>()
  const firstLook = Promise.withResolvers<{ revision: string }>()
  let looks = 0
  const inDatabase: { now: { revision: string } | undefined } = { now: { revision: 'second' } }
  const reader = streams
    .open({
      user: 'ada',
      session: 'phone',
      lastEventId: 'first',
      readRevision: async () => {
        looks += 1
        begun.resolve()
        return looks === 1 ? firstLook.promise : inDatabase.now
      },
      cut() {},
    })
    .getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  return { changes, inDatabase, next, begun: begun.promise, found: firstLook.resolve }
}

test('a device that is signed out while its stream begins is told so at once', async () => {
  const { changes, inDatabase, next, begun, found } = beginning()
  const first = next()
  await begun
  inDatabase.now = undefined
  changes.notify('ada')
  found({ revision: 'first' })
  expect(await first).toContain('event: current')
  expect(await next()).toContain('event: signed-out')
})

test('a change that is made while a stream begins is told', async () => {
  const { changes, next, begun, found } = beginning()
  const first = next()
  await begun
  changes.notify('ada', { revision: 'second', collections: ['todos'] })
  found({ revision: 'first' })
  expect(await first).toContain('id: first\nevent: current')
  expect(await next()).toBe('id: second\nevent: changed\ndata: {}\n\n')
})

test('a stream is kept open by heartbeats, also after the clock was set back by two days', async () => {
  let now = 2 * 24 * 60 * 60_000
  const streams = new EventStreams(new Changes(), () => now, { warn() {} })
  onTestFinished(() => streams.close())
  const readRevision = async () => ({ revision: 'first' })
  const opening = { user: 'ada', session: 'phone', lastEventId: 'first', readRevision, cut() {} }
  const reader = streams.open(opening).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: current')
  const next = reader.read()
  now = 0
  streams.heartbeat()
  expect(new TextDecoder().decode((await next).value)).toMatch(/^:/)
})

test('that streams end because the database does not answer is in the log, once a minute', async () => {
  let now = 0
  const warn = vi.fn()
  const streams = new EventStreams(new Changes(), () => now, { warn })
  onTestFinished(() => streams.close())
  const openInVain = async () => {
    const failing = async () => {
      throw new Error('No connection')
    }
    const body = streams.open({
      user: 'ada',
      session: 'phone',
      lastEventId: 'first',
      readRevision: failing,
      cut() {},
    })
    expect(await body.getReader().read()).toEqual({ done: true, value: undefined })
  }
  for (let times = 0; times < 3; times += 1) await openInVain()
  expect(warn.mock.calls).toEqual([['Event streams ended: the database did not answer']])
  now += 60_000
  await openInVain()
  expect(warn).toHaveBeenCalledTimes(2)
})
