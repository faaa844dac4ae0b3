import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import type { Write } from '../collections/write.ts'
import { type Note, NoteServer, noteList } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import type { ApiRequest, RequestResult } from './request.ts'
import { ServerClock } from './server-clock.ts'

const noon = Date.parse('2026-11-20T12:00:00.400Z')
const day = 86_400_000
const wholeSeconds = (instant: Instant) => Math.floor(instant / 1000) * 1000

describe("what a device knows of the server's clock", () => {
  it('a correct clock is left alone, however long the responses take', () => {
    const clock = new ServerClock()
    expect(clock.ahead).toBeUndefined()
    for (const [sent, written, received] of [
      [noon, noon + 900, noon + 1_000],
      [noon + 5_000, noon + 5_001, noon + 25_000],
      [noon + 30_000, noon + 39_999, noon + 40_000],
    ] as const) {
      clock.learn(wholeSeconds(written), sent, received)
      expect(clock.ahead).toBe(0)
    }
  })

  it('a clock may be off by any amount: that is known to within a second plus the time of a response', () => {
    const answer = fc.record({ wait: fc.nat(60_000), there: fc.nat(2_000), back: fc.nat(2_000) })
    fc.assert(
      fc.property(fc.integer(), fc.array(answer, { minLength: 1 }), (ahead, answers) => {
        const clock = new ServerClock()
        let now = noon
        for (const { wait, there, back } of answers) {
          const sent = now + wait
          const received = sent + there + back
          clock.learn(wholeSeconds(sent + there + ahead), sent, received)
          expect(Math.abs((clock.ahead ?? Number.NaN) - ahead)).toBeLessThanOrEqual(1_000 + there + back)
          now = received
        }
      }),
      { numRuns: runs(10_000, 100) },
    )
  })

  it('if the clock is off, nothing ever gets a timestamp before a response that had already arrived', () => {
    const off = fc.oneof(fc.integer({ min: 5_000 }), fc.integer({ max: -5_000 }))
    const answer = fc.record({ wait: fc.nat(60_000), there: fc.nat(2_000), back: fc.nat(2_000) })
    fc.assert(
      fc.property(off, fc.array(answer, { minLength: 1 }), (ahead, answers) => {
        const clock = new ServerClock()
        let now = noon
        for (const { wait, there, back } of answers) {
          const sent = now + wait
          const written = sent + there + ahead
          now = sent + there + back
          clock.learn(wholeSeconds(written), sent, now)
          expect(now + (clock.ahead ?? Number.NaN)).toBeGreaterThanOrEqual(written)
        }
      }),
      { numRuns: runs(10_000, 100) },
    )
  })

  it('a clock that is adjusted while the page is open is followed', () => {
    const clock = new ServerClock()
    clock.learn(wholeSeconds(noon), noon + day, noon + day)
    expect(clock.ahead).toBeCloseTo(-day, -4)
    clock.learn(wholeSeconds(noon), noon, noon)
    expect(Math.abs(clock.ahead ?? day)).toBeLessThan(1_000)
  })
})

describe('a device whose clock is a day off', () => {
  const put: Write<Note, { id: string; at: string }> = {
    name: 'notes.dated',
    version: 1,
    collection: noteList,
    apply: (rows) => [...rows],
    request: (vars) => ({ method: 'PUT', path: `/notes/${vars.id}`, body: vars }),
    subject: ({ id }) => id,
    refusal: 'Failed to keep note',
    text: ({ id }) => id,
  }

  withFreshBrowser()

  /** A server whose time stands still, and the times of changes that it is sent. */
  function openOff(behind: number) {
    const sent: [id: string, at: Instant][] = []
    const device = { now: noon - behind, online: true }
    const answer = ({ method, body }: ApiRequest): RequestResult => {
      if (!device.online) return { kind: 'none', retryAfter: undefined }
      if (method === 'PUT' && typeof body === 'object' && body !== null && 'id' in body && 'at' in body) {
        sent.push([String(body.id), Date.parse(String(body.at))])
      }
      return { kind: 'done', body: { notes: [] }, date: wholeSeconds(noon) }
    }
    const parts = { writes: [put], now: () => device.now, respond: answer }
    const tab = openTab(new NoteServer(), parts)
    const change = (id: string) => tab.sync.write(put, { id, at: instantToWire(device.now) })
    return { device, sent, tab, change, openAnother: () => openTab(new NoteServer(), parts) }
  }

  it.each([
    ['behind', day],
    ['ahead', -day],
  ])('%s: its changes are sent with the time at which they were really made', async (_, behind) => {
    const { tab, sent, change } = openOff(behind)
    await tab.read()
    await change('a')
    await settled(tab.sync)
    expect(Math.abs((sent[0]?.[1] ?? 0) - noon)).toBeLessThanOrEqual(1_000)
  })

  it.each([
    ['behind', day],
    ['ahead', -day],
  ])('%s: so are changes made before it had ever reached the server', async (_, behind) => {
    const { device, sent, change, tab, openAnother } = openOff(behind)
    device.online = false
    await change('a')
    device.now += 1
    await change('b')
    tab.sync.stop()
    device.online = true
    await settled(openAnother().sync)
    expect(sent.map(([id]) => id)).toEqual(['a', 'b'])
    for (const [, at] of sent) expect(Math.abs(at - noon)).toBeLessThanOrEqual(1_000)
  })

  it.each([
    ['behind', day],
    ['ahead', -day],
  ])(
    '%s: its changes get no timestamp before what it had already received, so they do not lose to that',
    async (_, behind) => {
      const { tab, sent, change } = openOff(behind)
      await tab.read()
      await change('a')
      await settled(tab.sync)
      expect(sent[0]?.[1]).toBeGreaterThanOrEqual(noon)
    },
  )

  it('two of its changes never swap, even if one of its tabs knows the time less precisely', async () => {
    const { device, sent, change, tab, openAnother } = openOff(day)
    await tab.read()
    await change('a')
    await settled(tab.sync)
    tab.sync.stop()
    // Its response came from the end of a second, that of the first tab from the beginning.
    const another = openAnother()
    device.now += 500
    await another.read()
    device.now -= 495
    await another.sync.write(put, { id: 'b', at: instantToWire(device.now) })
    await settled(another.sync)
    expect(sent.map(([id]) => id)).toEqual(['a', 'b'])
    expect(sent[1]?.[1]).toBeGreaterThan(sent[0]?.[1] ?? 0)
  })

  it('corrected in between does not affect changes made before', async () => {
    const { device, sent, change, tab } = openOff(-day)
    await tab.read()
    device.online = false
    await change('a')
    device.now = noon
    device.online = true
    tab.sync.wake()
    await settled(tab.sync)
    expect(Math.abs((sent[0]?.[1] ?? 0) - noon)).toBeLessThanOrEqual(1_000)
  })
})
