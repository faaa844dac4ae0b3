import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DeviceClock } from '#platform/browser/clock/device-clock.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { waitFor } from '#testing/wait.ts'
import type { Write } from '../collections/write.ts'
import { type Note, NoteServer, noteCollection } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import { aheadIn } from './era.ts'
import type { ApiRequest, RequestResult } from './request.ts'
import { ServerClock } from './server-clock.ts'
import { settleDoubts } from './settle-doubts.ts'

const noon = Date.parse('2026-11-20T12:00:00.400Z')
const day = 86_400_000
const wholeSeconds = (instant: Instant) => Math.floor(instant / 1000) * 1000

/** What a tab knows whose device's clock nobody sets. */
function undisturbed() {
  const clock = new ServerClock(
    new DeviceClock(
      () => noon,
      () => noon,
    ),
  )
  return {
    get ahead() {
      return clock.ahead
    },
    learn: (date: Instant | undefined, sent: Instant, received: Instant) =>
      clock.learn(date, sent, received, 0),
  }
}

describe("what a device knows of the server's clock", () => {
  it('a correct clock is left alone, however long the responses take', () => {
    const clock = undisturbed()
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
    const response = fc.record({ wait: fc.nat(60_000), there: fc.nat(2_000), back: fc.nat(2_000) })
    fc.assert(
      fc.property(fc.integer(), fc.array(response, { minLength: 1 }), (ahead, responses) => {
        const clock = undisturbed()
        let now = noon
        for (const { wait, there, back } of responses) {
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
    const response = fc.record({ wait: fc.nat(60_000), there: fc.nat(2_000), back: fc.nat(2_000) })
    fc.assert(
      fc.property(off, fc.array(response, { minLength: 1 }), (ahead, responses) => {
        const clock = undisturbed()
        let now = noon
        for (const { wait, there, back } of responses) {
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

  it('a clock that is 20 s behind is not taken for right by responses that take a minute', () => {
    const clock = undisturbed()
    for (const time of [noon, noon + 60_000]) {
      clock.learn(wholeSeconds(time), time - 20_000, time + 40_000)
      expect(clock.ahead).toBeGreaterThan(19_000)
      expect(clock.ahead).toBeLessThan(21_000)
    }
  })

  it('a correct clock is left alone from the first quick response on, and moved late by slow ones only until then', () => {
    const clock = undisturbed()
    clock.learn(wholeSeconds(noon + 9_000), noon, noon + 10_000)
    expect(clock.ahead).toBeGreaterThanOrEqual(0)
    expect(clock.ahead).toBeLessThan(10_000)
    clock.learn(wholeSeconds(noon + 15_000), noon + 15_000, noon + 15_050)
    expect(clock.ahead).toBe(0)
    clock.learn(wholeSeconds(noon + 29_000), noon + 20_000, noon + 30_000)
    expect(clock.ahead).toBe(0)
  })

  it('what a slow response told is kept over one that is slower still', () => {
    const clock = undisturbed()
    clock.learn(wholeSeconds(noon + 6_000), noon, noon + 6_000)
    const { ahead } = clock
    clock.learn(wholeSeconds(noon + 40_000), noon + 10_000, noon + 40_000)
    expect(clock.ahead).toBe(ahead)
  })

  it('a quick response that tells no time does not confirm the clock', () => {
    const clock = undisturbed()
    clock.learn(wholeSeconds(noon), noon - 20_000, noon + 40_000)
    clock.learn(undefined, noon + 50_000, noon + 50_050)
    expect(clock.ahead).toBeGreaterThan(19_000)
    clock.learn(wholeSeconds(noon + 80_000), noon + 60_000, noon + 60_050)
    expect(clock.ahead).toBeGreaterThan(19_000)
  })

  it('a clock that was off before and is right now is followed', () => {
    const clock = undisturbed()
    clock.learn(wholeSeconds(noon), noon + day, noon + day)
    expect(clock.ahead).toBeCloseTo(-day, -4)
    clock.learn(wholeSeconds(noon), noon, noon)
    expect(Math.abs(clock.ahead ?? day)).toBeLessThan(1_000)
  })
})

/** A device whose wall clock people set, whose steady clock stands still in sleep, and a server whose clock is right. */
class Device {
  time = noon
  #set = 0
  #slept = 0
  clock = new DeviceClock(
    () => this.time + this.#set,
    () => this.time - this.#slept,
  )
  server = new ServerClock(this.clock)

  constructor(off: number) {
    this.#set = off
    this.clock = new DeviceClock(
      () => this.time + this.#set,
      () => this.time - this.#slept,
    )
    this.server = new ServerClock(this.clock)
    this.server.settleDoubtsBy(settleDoubts)
  }

  set(by: number): void {
    this.#set += by
  }

  pass(ms: number, asleep = false): void {
    this.time += ms
    if (asleep) this.#slept += ms
  }

  /** `there`, `back`: milliseconds that the request and its response take. */
  respond(there = 30, back = 30): void {
    const sent = this.clock.now()
    const { era } = this.clock
    this.pass(there)
    const date = wholeSeconds(this.time)
    this.pass(back)
    this.server.learn(date, sent, this.clock.now(), era)
  }

  /** A change, and when it counts as made once a response has come. */
  change() {
    const { time } = this
    const wall = this.clock.now()
    const { ahead } = this.server
    const { era } = this.clock
    return {
      time,
      isProvisional: ahead === undefined,
      countsFrom: () => wall + (ahead ?? aheadIn(this.server, era, wall)),
      /** The same, as far as a tab knows that saw the change only after all that has happened since. */
      countsFromAsSeen: () => wall + aheadIn(this.server, this.clock.era, wall),
    }
  }
}

const hour = 3_600_000

describe('a clock that is set while the page is open', () => {
  it.each([
    ['back by 20 s', -20_000],
    ['back by an hour', -hour],
    ['back by a day', -day],
  ])('%s: the next change counts from when it was made, without a connection too', (_, by) => {
    const device = new Device(0)
    device.respond()
    device.pass(5_000)
    device.set(by)
    device.pass(1_000)
    const change = device.change()
    expect(change.isProvisional).toBe(false)
    expect(Math.abs(change.countsFrom() - change.time)).toBeLessThan(1_000)
  })

  it.each([
    ['forward by 20 s', 20_000],
    ['forward by an hour', hour],
    ['forward by a day', day],
  ])('%s: a change gets its instant only from the next response', (_, by) => {
    const device = new Device(0)
    device.respond()
    device.set(by)
    device.pass(1_000)
    const change = device.change()
    expect(change.isProvisional).toBe(true)
    device.pass(30_000)
    device.respond()
    expect(Math.abs(change.countsFrom() - change.time)).toBeLessThan(1_000)
  })

  it.each([
    ['back twice', -hour, -day],
    ['back twice, the first time further', -day, -hour],
    ['back and then forward', -hour, day],
    ['forward and then back', hour, -day],
    ['forward twice', hour, day],
    ['forward, before it sleeps', hour, 0],
    ['back, before it sleeps', -hour, 0],
  ])('set %s: what another tab did in between counts from when it was made', (_, first, second) => {
    const device = new Device(0)
    device.respond()
    const moments: ReturnType<Device['change']>[] = []
    for (const by of [first, second, 0]) {
      device.pass(1_500)
      moments.push(device.change())
      device.set(by)
      device.clock.now()
    }
    if (second === 0) device.pass(8 * hour, true)
    device.pass(1_500)
    device.respond()
    for (const { time, countsFromAsSeen } of moments.slice(second === 0 ? 0 : 1)) {
      expect(Math.abs(countsFromAsSeen() - time)).toBeLessThan(1_100)
    }
  })

  it('a tab that looks a minute later knows that what another tab did since was done after the clock was set', () => {
    const device = new Device(0)
    device.respond()
    device.pass(60_000)
    device.set(20_000)
    const made = device.time
    const shown = made + 20_000
    device.pass(60_000)
    device.respond()
    expect(Math.abs(shown + aheadIn(device.server, device.clock.era, shown) - made)).toBeLessThan(1_100)
  })

  it.each([20_000, hour])(
    'and whose last request took 10 s to arrive: set forward by %d ms, what was done before counts no earlier',
    (by) => {
      const device = new Device(hour)
      device.respond(10_000)
      const change = device.change()
      device.set(by)
      device.pass(1_000)
      const later = device.change()
      device.respond()
      for (const { time, countsFrom, countsFromAsSeen } of [change, later]) {
        for (const counts of [countsFrom(), countsFromAsSeen()]) {
          expect(counts - time).toBeGreaterThanOrEqual(-1_000)
          expect(counts - time).toBeLessThan(11_000)
        }
      }
    },
  )

  it.each([
    ['to arrive', 10_000, 30],
    ['to come back', 30, 10_000],
  ])(
    'and whose last request took 10 s %s: set forward by 8 s, what was done before counts as before',
    (_, there, back) => {
      for (const isQuickBefore of [false, true]) {
        const device = new Device(hour)
        if (isQuickBefore) device.respond()
        device.respond(there, back)
        const change = device.change()
        device.set(8_000)
        device.pass(1_000)
        device.clock.now()
        device.respond()
        expect(change.countsFromAsSeen() - change.time).toBeGreaterThanOrEqual(-1_000)
        expect(change.countsFromAsSeen() - change.time).toBeLessThan(11_000)
      }
    },
  )

  it('a night of sleep is not taken for a clock that was set', () => {
    const device = new Device(0)
    device.respond()
    device.pass(8 * hour, true)
    const change = device.change()
    expect(change.isProvisional).toBe(true)
    device.respond()
    expect(change.countsFrom()).toBe(change.time)
    expect(device.server.ahead).toBe(0)
  })

  it('whatever happens to the clock between two responses, every change counts from when it was made', () => {
    // No two of these add up to a third: nobody could tell them apart.
    const shift = fc.constantFrom(20_000, 70_000, hour, 8 * hour, day)
    const event = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), by: shift }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('forward', 'back', 'sleep'), by: shift }) },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('respond' as const), by: fc.constantFrom(30, 3_000, 9_000) }),
      },
    )
    const off = fc.constantFrom(0, hour, -hour)
    fc.assert(
      fc.property(off, fc.array(event, { maxLength: 25, size: 'max' }), (off, events) => {
        const device = new Device(off)
        device.respond()
        const changes: ReturnType<Device['change']>[] = []
        const used = new Set<number>()
        for (const { do: happens, by } of events) {
          device.pass(1_500)
          if (happens === 'change') changes.push(device.change())
          else if (happens === 'respond') {
            device.respond(by)
            used.clear()
          } else if (!used.has(by)) {
            used.add(by)
            if (happens === 'sleep') device.pass(by, true)
            else device.set(happens === 'back' ? -by : by)
            // The page looks at the clock all the time.
            device.clock.now()
          }
          const settled = device.clock.isUnsure ? [] : changes
          for (const { time, countsFrom } of settled) {
            expect(countsFrom() - time).toBeGreaterThan(-1_100)
            // The estimate is too high by as long as a request took to arrive.
            expect(countsFrom() - time).toBeLessThan(1_100 + 9_000)
          }
        }
      }),
      { numRuns: runs(10_000, 300) },
    )
  })

  it('a change never counts from before what the tab knew already', () => {
    const device = new Device(0)
    device.respond()
    // It slept, and its clock was set back by just as much: nobody can notice that.
    device.pass(hour, true)
    device.set(-hour)
    device.respond()
    const known = wholeSeconds(device.time)
    expect(device.server.notBefore(undefined)).toBe(known)
    expect(device.server.notBefore(known + 700)).toBe(known + 700)
    device.server.took(known + 500, known)
    expect(device.server.notBefore(undefined)).toBe(known + 500)
  })

  it('what the server had to cut to its own time is not taken for known', () => {
    const device = new Device(0)
    device.respond()
    const known = device.server.notBefore(undefined)
    device.server.took(device.time + day, wholeSeconds(device.time))
    expect(device.server.notBefore(undefined)).toBe(known)
  })

  it("when the server's clock was set back, what it took before is not taken for known any more", () => {
    const device = new Device(0)
    device.respond()
    device.server.took(device.time, wholeSeconds(device.time))
    const written = wholeSeconds(device.time - 2 * day)
    const now = device.clock.now()
    device.server.learn(written, now, now, device.clock.era)
    expect(device.server.notBefore(undefined)).toBe(written)
  })
})

describe('a device whose clock is a day off', () => {
  const put: Write<Note, { id: string; at: string }> = {
    name: 'notes.dated',
    version: 1,
    collection: noteCollection,
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
    const respond = ({ method, body }: ApiRequest): RequestResult => {
      if (!device.online) return { kind: 'none', retryAfter: undefined }
      if (method === 'PUT' && typeof body === 'object' && body !== null && 'id' in body && 'at' in body) {
        sent.push([String(body.id), Date.parse(String(body.at))])
      }
      return { kind: 'done', body: { notes: [] }, date: wholeSeconds(noon) }
    }
    const parts = { writes: [put], now: () => device.now, respond: respond }
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

  describe('a page that is loaded again before there was a response', () => {
    /** Its wall clock can be set, its steady clock can't; the server's time is the true one. */
    function openSettable(off: number) {
      const sent: [id: string, at: Instant][] = []
      const device = { time: noon, set: off, slept: 0, online: true }
      const respond = ({ method, body }: ApiRequest): RequestResult => {
        if (!device.online) return { kind: 'none', retryAfter: undefined }
        if (method === 'PUT' && typeof body === 'object' && body !== null && 'id' in body && 'at' in body) {
          sent.push([String(body.id), Date.parse(String(body.at))])
        }
        return { kind: 'done', body: { notes: [] }, date: wholeSeconds(device.time) }
      }
      const open = () => {
        const now = () => device.time + device.set
        return openTab(new NoteServer(), {
          writes: [put, stamped],
          now,
          steady: () => device.time - device.slept,
          respond,
        })
      }
      const at = () => instantToWire(device.time + device.set)
      return { device, sent, open, at }
    }

    /** A write whose variables hold an instant by the server's clock. */
    const stamped: Write<Note, { id: string; stamp: Instant }> = {
      name: 'notes.stamped',
      version: 1,
      collection: noteCollection,
      apply: (rows) => [...rows],
      request: ({ id, stamp }) => ({
        method: 'PUT',
        path: `/notes/${id}`,
        body: { id, at: instantToWire(stamp) },
      }),
      moving: async () => ({ moved: ({ id, stamp }, move) => ({ id, stamp: move(stamp) }) }),
      subject: ({ id }) => id,
      refusal: 'Failed to keep note',
      text: ({ id }) => id,
    }

    it.each([
      ['opened without a connection, and set back by an hour', hour, [-hour]],
      ['set forward by an hour, and right again', 0, [hour, -hour]],
    ])('%s: what was changed counts from when it was made', async (_, off, sets) => {
      const { device, sent, open, at } = openSettable(off)
      const before = open()
      if (off === 0) await before.read()
      device.online = false
      const made: Instant[] = []
      for (const [place, by] of [...sets, 0].entries()) {
        device.time += 60_000
        if (off === 0) device.set += by
        made.push(device.time)
        await before.sync.write(put, { id: `note ${place}`, at: at() })
        device.time += 60_000
        if (off !== 0) device.set += by
      }
      before.sync.stop()
      const after = open()
      device.online = true
      device.time += 1_000
      after.sync.wake()
      await settled(after.sync)
      expect(sent).toHaveLength(made.length)
      for (const [place, [, at]] of sent.entries()) {
        expect(Math.abs(at - (made[place] ?? 0))).toBeLessThan(1_100)
      }
    })

    it('what another page changed before it, and again after the clock was set, counts from when it was made', async () => {
      const { device, sent, open, at } = openSettable(hour)
      device.online = false
      const other = open()
      const made: Instant[] = []
      const changeElsewhere = async (id: string) => {
        device.time += 60_000
        made.push(device.time)
        await other.sync.write(put, { id, at: at() })
      }
      await changeElsewhere('before')
      const again = open()
      await again.sync.outbox.ready
      device.set -= hour
      await changeElsewhere('since')
      await waitFor(() => expect(again.sync.outbox.queued).toHaveLength(2))
      other.sync.stop()
      device.online = true
      device.time += 1_000
      again.sync.wake()
      await settled(again.sync)
      expect(sent.map(([id]) => id)).toEqual(['before', 'since'])
      for (const [place, [, at]] of sent.entries()) {
        expect(Math.abs(at - (made[place] ?? 0))).toBeLessThan(1_100)
      }
    })

    it.each([
      ['its clock was set forward', true],
      ['it slept', false],
    ])("what it holds by the server's clock is moved if %s", async (_, wasSet) => {
      const { device, sent, open } = openSettable(0)
      const tab = open()
      await tab.read()
      device.online = false
      const start = device.time
      device.time += 300_000
      if (wasSet) device.set += hour
      else {
        device.time += hour
        device.slept = hour
      }
      const guess = () => device.time + device.set + tab.sync.guessedAhead
      await tab.sync.queue(stamped, { id: 'before', stamp: start + 60_000 })
      await tab.sync.queue(stamped, { id: 'since', stamp: guess() })
      const made = device.time
      device.online = true
      device.time += 1_000
      tab.sync.wake()
      await settled(tab.sync)
      const stamps = new Map(sent)
      expect(stamps.get('before')).toBe(start + 60_000)
      expect(Math.abs((stamps.get('since') ?? 0) - made)).toBeLessThan(1_100)
    })
  })
})
