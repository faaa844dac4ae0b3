import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { focusSessionList } from '#features/focus/web/focus-queries.ts'
import { habitList } from '#features/habits/web/habit-queries.ts'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import { preferencesList } from '#features/preferences/web/preferences-queries.ts'
import { todoList } from '#features/todos/web/todo-queries.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import type { List } from '#platform/sync/list.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication } from './testing/application.ts'
import { addressOf, PlayedDevice } from './testing/convergence/device.ts'
import { type Fate, Network } from './testing/convergence/network.ts'
import { doingOf, fieldsOf, type View, type Wish, wish } from './testing/convergence/person.ts'
import { PlayedTime, turns } from './testing/convergence/played-time.ts'
import { breaches, type Change, hidden } from './testing/convergence/rule.ts'
import { signIn } from './testing/convergence/sign-in.ts'
import { RememberedChannel, type Tab } from './testing/convergence/tab.ts'

// Several devices of one person change the same few rows while they are offline, while requests are lost, repeated or held
// back and while tabs die. The application, its database and the tabs' way of a change are real; the network and the time
// are played. What must stand in the end is computed from the changes alone, by `rule.ts`.

const minute = 60_000

type Step = { after: number; meanwhile: 'at once' | 'a moment' | 'calm'; device: number; tab: number } & (
  | { do: 'change'; wish: Wish }
  | { do: 'fates'; of: 'writes' | 'reads'; fates: Fate[] }
  | { do: 'offline' | 'online' | 'crash' | 'read' | 'late' | 'wake' }
)

interface Schedule {
  devices: { tabs: number; ahead: number }[]
  steps: Step[]
}

const when = {
  after: fc.constantFrom(0, 0, 1, 1_000, minute, 45 * minute),
  meanwhile: fc.constantFrom('at once', 'at once', 'a moment', 'calm'),
  device: fc.nat(3),
  tab: fc.nat(1),
} as const
const fate = fc.constantFrom<Fate>(
  'answered',
  'slow',
  'lost',
  'unanswered',
  'unanswered',
  'doubled',
  'held',
  'held',
  'unavailable',
  'broken',
  'signed-out',
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ ...when, do: fc.constant('change' as const), wish }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...when,
      do: fc.constant('fates' as const),
      of: fc.constantFrom('writes', 'writes', 'reads'),
      fates: fc.array(fate, { minLength: 1, maxLength: 4, size: 'max' }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...when,
      do: fc.constantFrom('offline', 'offline', 'online', 'crash', 'read', 'read', 'late', 'wake'),
    }),
  },
)
const schedule: fc.Arbitrary<Schedule> = fc.record({
  devices: fc.array(
    fc.record({ tabs: fc.integer({ min: 1, max: 2 }), ahead: fc.constantFrom(0, -90 * minute) }),
    {
      minLength: 2,
      maxLength: 4,
    },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
})

const networks = new Map<string, Network>()
let people = 0

/** What is so before anybody has changed it. */
const theBeginning: Change = {
  ...{ number: 0, device: undefined, at: 0, list: preferencesList.name, row: 'all', does: 'add' },
  fields:
    fieldsOf({ preferences: [defaultPreferences] })
      .get(preferencesList.name)
      ?.get('all') ?? new Map(),
}
const tally = { schedules: 0, changes: 0, told: 0 }

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', RememberedChannel)
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { host, pathname, search } = new URL(url)
    const network = networks.get(host)
    if (!network) throw new Error(`${host} is no device`)
    return network.fetch(pathname + search, init)
  })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

class Play {
  readonly changes: Change[] = [theBeginning]
  readonly devices: PlayedDevice[]
  #hidden: string[] = []
  #daymark: Application
  #user: string
  #cookie: string
  #time: PlayedTime

  constructor(daymark: Application, user: string, cookie: string, time: PlayedTime, { devices }: Schedule) {
    this.#daymark = daymark
    this.#user = user
    this.#cookie = cookie
    this.#time = time
    this.devices = devices.map((device, place) => {
      const network = new Network(daymark, cookie)
      networks.set(addressOf({ user, place }), network)
      const look = (...seen: [PlayedDevice, Tab]) => this.#look(...seen)
      return new PlayedDevice({ ...device, user, place, network, time, look })
    })
  }

  async begin(): Promise<void> {
    const [first] = this.devices
    if (!first) throw new Error('There are devices')
    for (const does of ['add todo', 'add habit', 'record session'] as const) {
      this.#change(first, 0, { does, which: 0, value: 0 })
    }
    await this.calm()
    await Promise.all(this.devices.map((device) => device.tab(0).sync.reread()))
    this.#time.pass(minute)
  }

  async take(each: Step): Promise<void> {
    this.#time.pass(each.after)
    const device = this.devices[each.device % this.devices.length]
    if (!device) throw new Error('There are devices')
    if (each.do === 'change') this.#change(device, each.tab, each.wish)
    else if (each.do === 'fates') device.network.fates[each.of].push(...each.fates)
    else if (each.do === 'offline') device.connect(false)
    else if (each.do === 'online') device.connect(true)
    else if (each.do === 'crash') device.crash(each.tab)
    else if (each.do === 'read') void device.tab(each.tab).sync.reread()
    else if (each.do === 'late') await device.network.deliverLate()
    else device.wake()
    if (each.meanwhile === 'calm') await this.calm()
    else if (each.meanwhile === 'a moment') await turns(8)
  }

  #change(device: PlayedDevice, which: number, wish: Wish): void {
    const tab = device.tab(which)
    const made = { number: this.changes.length, device: device.place, at: device.now }
    const doing = doingOf(wish, made, tab.view(), tab.deleted)
    if (!doing) return
    this.changes.push(doing)
    tab.make(doing)
  }

  #look(device: PlayedDevice, tab: Tab): void {
    if (tab.made.length === 0) return
    const shown = fieldsOf(tab.view())
    const find = (list: string, row: string) => shown.get(list)?.get(row)
    const made = tab.made.filter(({ list }) => shown.has(list))
    this.#hidden.push(...hidden(made, this.changes, device.told, find))
  }

  /** All that can be done without anybody's help is done. */
  async calm(): Promise<void> {
    for (let still = 0; still < 3; still++) {
      if (await this.#answered()) still = 0
      this.#time.pass(200)
    }
  }

  async comeToRest(): Promise<void> {
    for (const device of this.devices) device.connect(true)
    for (let round = 0; round < 1_000; round++) {
      await this.#answered()
      if (this.devices.every(({ atRest }) => atRest)) return
      this.#time.pass(70_000)
      // What waits for the person waits for a sign of them.
      if (round % 10 === 9) for (const device of this.devices) device.wake()
    }
    throw new Error('It never came to rest')
  }

  /** No request is under way, and what follows from the last answers is done. Whether there were any. */
  async #answered(): Promise<boolean> {
    for (let any = false; ; any = true) {
      await turns(4)
      const underWay = this.devices.flatMap(({ network }) => [...network.underWay])
      if (underWay.length === 0) return any
      await Promise.allSettled(underWay)
    }
  }

  async end(): Promise<void> {
    for (const { network } of this.devices) network.fates = { writes: [], reads: [] }
    await this.comeToRest()
    for (const { network } of this.devices) await network.deliverLate()
    await Promise.all(this.devices.flatMap(({ tabs }) => tabs.map(({ sync }) => sync.reread())))
    await this.comeToRest()
  }

  close(): void {
    for (const device of this.devices) {
      device.close()
      networks.delete(addressOf({ user: this.#user, place: device.place }))
    }
  }

  /** What the server has in the end, the completions of habits among it. */
  async expectTheEnd(): Promise<void> {
    expect(this.devices.flatMap(({ network }) => network.surprises)).toEqual([])
    expect(this.#hidden.slice(0, 3)).toEqual([])
    const truth = await this.#askAll()
    for (const shown of this.devices.flatMap(({ tabs }) => tabs.map((tab) => tab.view()))) {
      expect(shown).toEqual(truth)
    }

    const fields = fieldsOf(truth)
    for (const [id, habit] of fields.get('habits') ?? []) {
      const { days } = await this.#ask(`/api/habits/${id}/completions?from=1900-01-01&to=9999-12-31`)
      const known = this.changes.filter(({ row }) => row === id).flatMap(({ fields }) => [...fields.keys()])
      for (const name of known) if (/^\d{4}-/.test(name)) habit.set(name, days.includes(name))
    }
    const told = this.devices.flatMap((device) => device.told)
    const kept = new Set(this.devices.flatMap((device) => [...device.kept]))
    const made = this.changes.filter(({ number, device }) => device === undefined || kept.has(number))
    expect(breaches(made, told, (list, row) => fields.get(list)?.get(row))).toEqual([])
    tally.schedules += 1
    tally.changes += made.length
    tally.told += told.length
  }

  async #askAll(): Promise<View> {
    const rows = async <Row>({ path, rows }: List<Row>) => rows(await this.#ask(path))
    return {
      todos: await rows(todoList),
      habits: await rows(habitList),
      sessions: await rows(focusSessionList),
      preferences: await rows(preferencesList),
    }
  }

  async #ask(path: string) {
    const { body } = await this.#daymark.ask('GET', path, { cookie: this.#cookie })
    return body
  }
}

describeEachEngine('the devices of a person', (openEmpty) => {
  it(
    'all show the same in the end, and of what was changed in each of them nothing is lost but by the rule',
    async () => {
      const database = await openEmpty()
      let time = new PlayedTime(0)
      const daymark = openApplication(database, { clock: () => time.now })
      const start = performance.now()
      await fc.assert(
        fc.asyncProperty(schedule, async (schedule) => {
          time = new PlayedTime(Date.UTC(2026, 10, 16, 20))
          const user = `person-${++people}`
          const play = new Play(daymark, user, await signIn(daymark, database, user), time, schedule)
          try {
            await play.begin()
            for (const each of schedule.steps) await play.take(each)
            await play.end()
            await play.expectTheEnd()
          } finally {
            play.close()
          }
        }),
        { numRuns: runs(5_000, 60) },
      )
      console.log(tally, performance.now() - start)
    },
    runs(7_200_000, 60_000),
  )
})
