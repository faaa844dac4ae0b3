import { focusSessionList } from '#features/focus/web/focus-queries.ts'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import { preferencesList } from '#features/preferences/web/preferences-queries.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import type { Application } from '../application.ts'
import { addressOf, PlayedDevice } from './device.ts'
import { doingOfEditor, openEditor, touch } from './editor.ts'
import { Network } from './network.ts'
import { type Doing, type Made, OneChange, textOf } from './one-change.ts'
import { doingOf, type Wish } from './person.ts'
import { type PlayedTime, turns } from './played-time.ts'
import { type Change, hidden, type Told } from './rule.ts'
import type { Schedule, Step } from './schedule.ts'
import type { Tab } from './tab.ts'
import { fieldsOf } from './view.ts'

const minute = 60_000

/** What is so before anybody has changed it. */
const theBeginning: Change = {
  ...{
    number: 0,
    device: undefined,
    at: 0,
    earliest: 0,
    list: preferencesList.name,
    row: 'all',
    does: 'add',
  },
  fields: new Map(
    fieldsOf({ preferences: [defaultPreferences] })
      .get(preferencesList.name)
      ?.get('all'),
  ),
}

type EditorStep = Extract<Step, { do: 'editor' }>

interface PlayParts {
  daymark: Application
  user: string
  /** That each device is signed in by. */
  cookies: readonly string[]
  signIn(): Promise<string>
  time: PlayedTime
  schedule: Schedule
}

/** One schedule as it is played: the devices of a person, and all that the person did on them. */
export class Play {
  readonly devices: PlayedDevice[]
  readonly networks: ReadonlyMap<string, Network>
  /** What a tab did not show of its own changes. */
  readonly hidden: string[] = []
  #changes: Change[] = [theBeginning]
  /** The focus timer that runs. */
  #timer: { run: string; since: Instant } | undefined
  #daymark: Application
  #signIn: PlayParts['signIn']
  #time: PlayedTime
  #steps: readonly Step[]
  /** On each device, where a change was made last. */
  #lastTabs = new Map<PlayedDevice, Tab>()

  constructor({ daymark, user, cookies, signIn, time, schedule }: PlayParts) {
    this.#daymark = daymark
    this.#signIn = signIn
    this.#time = time
    this.#steps = schedule.steps
    const clearable = schedule.steps.some((step) => step.do === 'clear')
    this.devices = schedule.devices.map((device, place) => {
      const network = new Network(daymark, cookies[place] ?? '', time)
      const look = (...seen: [PlayedDevice, Tab]) => this.#look(...seen)
      return new PlayedDevice({ ...device, clearable, user, place, network, time, look })
    })
    this.networks = new Map(this.devices.map(({ place, network }) => [addressOf({ user, place }), network]))
  }

  /** The changes that a device has kept, since nothing else was ever said to be saved, as it says when they were made. */
  get changes(): Change[] {
    const kept = new Set(this.devices.flatMap((device) => [...device.kept]))
    const dated = new Map(this.devices.flatMap((device) => [...device.dated]))
    return this.#changes
      .filter(({ number, device }) => device === undefined || kept.has(number))
      .map((change) => {
        const at = dated.get(change.number) ?? change.at
        return { ...change, at, earliest: Math.min(at, change.at) }
      })
  }

  /** How far from when they were made the devices say that it was. */
  get misdated(): number[] {
    const dated = new Map(this.devices.flatMap((device) => [...device.dated]))
    return this.#changes.map(({ number, at }) => Math.abs((dated.get(number) ?? at) - at))
  }

  /** Whether a focus timer was started that nothing has ended. */
  get timerRuns(): boolean {
    return this.#timer !== undefined
  }

  /** The rows that somebody added, or the server did for them, whether or not that was kept. */
  get added(): Set<string> {
    return new Set(this.#changes.map(({ row }) => row))
  }

  get told(): Told[] {
    return this.devices.flatMap(({ told, givenUp }) => [...told, ...givenUp])
  }

  async play(): Promise<void> {
    await this.#begin()
    for (const step of this.#steps) await this.#take(step)
    await this.#end()
  }

  close(): void {
    for (const device of this.devices) device.close()
  }

  /** Every device knows one row of each list; what added them arrives once more, whatever has become of them by then. */
  async #begin(): Promise<void> {
    this.#device(0).network.fates.writes = ['doubled', 'doubled', 'doubled']
    for (const does of ['add todo', 'add habit', 'record session'] as const) {
      await this.#change(this.#device(0), 0, { does, which: 0, value: 0 })
    }
    await this.#calm()
    await Promise.all(this.devices.map((device) => device.tab(0).sync.reread()))
    this.#time.pass(minute)
  }

  async #take(step: Step): Promise<void> {
    // No request takes longer than that.
    if (step.after >= 1_000) await this.#answered()
    this.#time.pass(step.after)
    const device = this.#device(step.device)
    if (step.do === 'all sign out') for (const each of this.devices) await this.#signOut(each)
    else if (step.do === 'sign in or out' && device.isSignedIn) await this.#signOut(device)
    else if (step.do === 'sign in or out') await device.signIn(await this.#signIn())
    else if (device.isSignedIn) await this.#takeOn(device, step)
    if (step.meanwhile === 'calm') await this.#calm()
    else if (step.meanwhile === 'a moment') await turns(8)
  }

  async #takeOn(device: PlayedDevice, step: Step): Promise<void> {
    if (step.do === 'change') await this.#change(device, step.tab, step.wish)
    else if (step.do === 'editor') await this.#edit(device, step)
    else if (step.do === 'firewall') {
      device.network.dislikes = step.dislikes ? textOf(this.#changes.length) : undefined
    } else if (step.do === 'fates') device.network.fates[step.of].push(...step.fates)
    else if (step.do === 'offline') device.connect(false)
    else if (step.do === 'online') device.connect(true)
    else if (step.do === 'crash') device.crash(step.tab)
    else if (step.do === 'read') void device.tab(step.tab).sync.reread()
    else if (step.do === 'late') await device.network.deliverLate()
    else if (step.do === 'clear') await device.clear()
    else if (step.do === 'start timer') await this.#startTimer(device)
    else device.wake()
  }

  async #signOut(device: PlayedDevice): Promise<void> {
    if (!device.isSignedIn || !device.network.online) return
    // Nobody is so quick that the store has not taken what they did.
    await device.stored()
    await device.signOut(async (cookie) => {
      const { status } = await this.#daymark.ask('POST', '/api/auth/sign-out', { cookie, body: {} })
      if (status !== 200) throw new Error(`Signing out was answered ${status}`)
    })
    if (this.devices.every(({ isSignedIn }) => !isSignedIn)) this.#endTimer()
  }

  /** The timer is told to the server alone: how devices share it is played elsewhere (`features/focus/testing`). */
  async #startTimer({ network: { cookie, online } }: PlayedDevice): Promise<void> {
    if (this.#timer || cookie === undefined || !online) return
    const since = this.#time.now
    const run = newRowId(since, crypto.getRandomValues(new Uint8Array(10)))
    const timer = { status: 'running', run: { id: run, stretches: [] }, since: instantToWire(since) }
    const body = { timer, at: instantToWire(since) }
    const { status } = await this.#daymark.ask('PUT', '/api/focus/timer', { cookie, body })
    if (status !== 200) throw new Error(`Starting the timer was answered ${status}`)
    this.#timer = { run, since }
  }

  /** With the last device that signs out the server itself records what was focused. */
  #endTimer(): void {
    const { now } = this.#time
    const duration = this.#timer && Math.floor(Math.min(now - this.#timer.since, 25 * minute) / 1_000)
    if (this.#timer && duration) {
      this.#changes.push({
        ...{ number: this.#changes.length, device: undefined, at: now, earliest: now },
        ...{ list: focusSessionList.name, row: this.#timer.run, does: 'add' },
        fields: new Map([['duration', duration]]),
      })
    }
    this.#timer = undefined
  }

  #change(device: PlayedDevice, which: number, wish: Wish): Promise<void> {
    return this.#do(device, which, (made, { view, deleted }) =>
      doingOf(wish, made, device.now, { view: view(), deleted }),
    )
  }

  /** An editor that is saved is closed, whether or not anything was typed. */
  async #edit(device: PlayedDevice, { tab: which, does, ...step }: EditorStep): Promise<void> {
    const tab = device.tab(which)
    const { editor } = tab
    if (does === 'open') tab.editor = openEditor(step.which, step.value, tab.view())
    else if (editor && does === 'touch') tab.editor = touch(editor, step.value, tab.view())
    else if (editor) {
      tab.editor = undefined
      await this.#do(device, which, (made, { view }) =>
        doingOfEditor(editor, new OneChange(made, device.now), view()),
      )
    }
  }

  async #do(
    device: PlayedDevice,
    which: number,
    doingIn: (made: Made, tab: Tab) => Doing | undefined,
  ): Promise<void> {
    const tab = device.tab(which)
    // Nobody is so quick that the store has not taken what they did in another tab.
    if (this.#lastTabs.get(device) !== tab) await device.stored()
    this.#lastTabs.set(device, tab)
    const { now } = this.#time
    const made = { number: this.#changes.length, device: device.place, at: now, earliest: now }
    const doing = doingIn(made, tab)
    if (!doing) return
    this.#changes.push(doing)
    tab.make(doing)
  }

  #look(device: PlayedDevice, tab: Tab): void {
    const shown = fieldsOf(tab.view())
    const made = tab.made.filter(({ list }) => shown.has(list))
    if (made.length === 0) return
    this.hidden.push(...hidden(made, this.#changes, device.told, (list, row) => shown.get(list)?.get(row)))
  }

  /** All that can be done without anybody's help is done. */
  async #calm(): Promise<void> {
    for (let still = 0; still < 3; still++) {
      if (await this.#answered()) still = 0
      this.#time.pass(200)
    }
  }

  /** Everybody has a connection, what was held back arrives, and every tab looks once more. */
  async #end(): Promise<void> {
    for (const device of this.devices) {
      device.network.fates = { writes: [], reads: [] }
      device.connect(true)
      if (!device.isSignedIn) await device.signIn(await this.#signIn())
    }
    await this.#comeToRest()
    for (const { network } of this.devices) await network.deliverLate()
    await Promise.all(this.devices.flatMap(({ tabs }) => tabs.map(({ sync }) => sync.reread())))
    await this.#comeToRest()
  }

  async #comeToRest(): Promise<void> {
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
      if (this.devices.some(({ isStoring }) => isStoring)) continue
      if (this.#underWay.length === 0) return any
      await Promise.allSettled(this.#underWay)
    }
  }

  get #underWay(): Promise<Response>[] {
    return this.devices.flatMap(({ network }) => [...network.underWay])
  }

  #device(which: number): PlayedDevice {
    const device = this.devices[which % this.devices.length]
    if (!device) throw new Error('There are devices')
    return device
  }
}
