import { focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import { preferencesCollection } from '#features/preferences/web/preferences-queries.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { NewQueuedWrite } from '#platform/sync/local-store/queued-write.ts'
import type { Direction } from '#platform/sync/undo/change-history.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { Arrivals } from '../network/arrivals.ts'
import { Network } from '../network/network.ts'
import { type PlayedTime, turns } from '../network/played-time.ts'
import { BrokenConnection, type ServerProcess } from '../network/server-process.ts'
import { editorChange, openEditor, touch } from '../people/editor.ts'
import { ChangeBuilder, type ChangeOrigin, type QueueableChange, textOf } from '../people/one-change.ts'
import { changesOf, type Intent } from '../people/person.ts'
import { deviceDay, firstTodo, type RepeatingIntent, repeatingChange } from '../people/repeating-person.ts'
import { deedOf, type Said, saidBy } from '../people/said-by.ts'
import { takeBack } from '../people/taken-back.ts'
import { fieldsOf, type View, viewOfServer } from '../people/view.ts'
import type { ArrivedChange, LateChange } from '../rules/late-rule.ts'
import { type Change, hidden, type ReportedChange } from '../rules/rule.ts'
import { overruled } from '../rules/server-clock-rule.ts'
import { renamedTo, tagField } from '../rules/tag-rule.ts'
import { addressOf, PlayedDevice } from './device.ts'
import { comeToRest, settle, waitForResponses, waitForRetries } from './rest.ts'
import { night, type Schedule, type ServerStep, type Step } from './schedule.ts'
import type { Tab } from './tab.ts'

const minute = 60_000

/** The state before anyone has changed anything. */
const initialState: Change = {
  number: 0,
  device: undefined,
  at: 0,
  earliest: 0,
  collection: preferencesCollection.name,
  row: 'all',
  kind: 'add',
  fields: new Map(
    fieldsOf({ preferences: [defaultPreferences] })
      .get(preferencesCollection.name)
      ?.get('all'),
  ),
}

type EditorStep = Extract<Step, { do: 'editor' }>

/** Sees everything that the pages of a play do and show. */
export interface Observer {
  opened(device: PlayedDevice, tab: Tab): void
  made(tab: Tab, change: Change): void
  rendered(device: PlayedDevice, tab: Tab): void
}

interface PlayParts {
  processes: readonly [ServerProcess, ...ServerProcess[]]
  user: string
  /** The cookies of the signed-in devices. */
  cookies: readonly string[]
  signIn(): Promise<string>
  time: PlayedTime
  schedule: Schedule
  /** Sees what is shown, in place of the check that every tab shows its own changes (`hidden`). */
  observer?: Observer
  /** What can happen to the processes, if they are real ones. */
  nemesis?: Nemesis
  /** Called now and then while everything is quiet, with the changes that the server has acknowledged by then. */
  look?(acknowledged: ReadonlySet<number>): Promise<void>
}

/** How many steps pass between two looks. */
const stepsUnseen = 40

export interface Nemesis {
  strike(step: ServerStep): void
  /** Resolves once all processes serve again. */
  whenOver(): Promise<void>
}

/** Plays one schedule: the devices of a person, and everything that the person did on them. */
export class Play {
  readonly devices: PlayedDevice[]
  readonly networks: ReadonlyMap<string, Network>
  /** Queues that waited for somebody to do something although everything was well again; expected to be empty. */
  readonly stuck: string[] = []
  /** Changes that were not shown in the tab that made them; expected to be empty. */
  readonly hidden: string[] = []
  /**
   * Changes that were not visible on the server once all requests had ended, although its clock was right; expected to be empty.
   */
  readonly overruled: string[] = []
  #changes: Change[] = [initialState]
  /** The running focus timer. */
  #timer: { run: string; since: Instant } | undefined
  #processes: PlayParts['processes']
  #arrivals: Arrivals
  #signIn: PlayParts['signIn']
  #time: PlayedTime
  #steps: readonly Step[]
  /** Whether the server's clock is wrong for some time, or the clocks of its processes differ. */
  #isServerWrong: boolean
  /** A cookie for reading from the server, whatever devices are signed in. */
  #cookie: Promise<string> | undefined
  #repeating: Schedule['repeating']
  #observer: Observer | undefined
  #nemesis: Nemesis | undefined
  #look: PlayParts['look']
  #stepsSinceLook = 0
  /** For each device, the tab in which the last change was made. */
  #lastTabs = new Map<PlayedDevice, Tab>()
  /** What each tab showed when it was last checked, including the number of changes. */
  #lastSeen = new Map<Tab, unknown[]>()

  constructor({ processes, user, cookies, signIn, time, schedule, observer, nemesis, look }: PlayParts) {
    this.#processes = processes
    this.#observer = observer
    this.#nemesis = nemesis
    this.#look = look
    this.#signIn = signIn
    this.#time = time
    this.#arrivals = new Arrivals(time)
    this.#steps = schedule.steps
    this.#isServerWrong =
      schedule.twoProcesses ?? schedule.steps.some((step) => step.do === 'set server clock')
    this.#repeating = schedule.repeating
    const clearable = schedule.steps.some((step) => step.do === 'clear')
    this.devices = schedule.devices.map((device, place) => {
      const arrivals = this.#arrivals
      const network = new Network({ place, cookie: cookies[place] ?? '', processes, arrivals, time })
      const onOpen = (...opened: [PlayedDevice, Tab]) => observer?.opened(...opened)
      const onRender = (...seen: [PlayedDevice, Tab]) =>
        observer ? observer.rendered(...seen) : this.#checkShown(...seen)
      return new PlayedDevice({ ...device, clearable, user, place, network, time, onOpen, onRender })
    })
    this.networks = new Map(this.devices.map(({ place, network }) => [addressOf({ user, place }), network]))
  }

  /** The changes that a device has stored, with the device's own timestamps. Only stored changes were shown as saved. */
  get changes(): Change[] {
    const stored = new Set(this.devices.flatMap((device) => [...device.stored]))
    const timestamps = new Map(this.devices.flatMap((device) => [...device.timestamps]))
    return this.#changes
      .filter(({ number, device }) => device === undefined || stored.has(number))
      .map((change) => {
        const at = timestamps.get(change.number) ?? change.at
        // A change that is undone right after it was made may have an instant that still lies in the future.
        return { ...change, at, earliest: Math.min(at, change.at, change.pressed ?? at) }
      })
  }

  /** For each change, the difference between the device's timestamp and the true instant. */
  get timestampErrors(): number[] {
    const timestamps = new Map(this.devices.flatMap((device) => [...device.timestamps]))
    return this.#changes.map(({ number, at }) => Math.abs((timestamps.get(number) ?? at) - at))
  }

  /** Whether a focus timer is running. */
  get timerRuns(): boolean {
    return this.#timer !== undefined
  }

  /** The rows that the person added, or that the server added for them, whether or not a device stored them. */
  get added(): Set<string> {
    return new Set(this.#changes.map(({ row }) => row))
  }

  /** The changes with their arrivals at the server. */
  get arrived(): ArrivedChange[] {
    return this.changes.map((change) => ({
      ...change,
      made: change.pressed ?? this.#changes[change.number]?.at ?? change.at,
      arrivals: this.#arrivals.of(change.device, change.at, (path, body) => isOf(change, path, body)),
    }))
  }

  /** The numbers of the changes that the server has answered as done. */
  get acknowledged(): Set<number> {
    const isAnswered = ({ arrivals }: ArrivedChange) =>
      arrivals.some(({ to }) => to < Number.POSITIVE_INFINITY)
    return new Set(this.arrived.filter(isAnswered).map(({ number }) => number))
  }

  /** The changes for which the person was told that a later change won. */
  get late(): LateChange[] {
    return this.devices.flatMap(({ late, lateBefore }) => [...late, ...lateBefore])
  }

  get reported(): ReportedChange[] {
    return this.devices.flatMap(({ reported, givenUp }) => [...reported, ...givenUp])
  }

  async play(): Promise<void> {
    await this.#begin()
    for (const step of this.#steps) await this.#perform(step)
    await this.#end()
  }

  close(): void {
    for (const device of this.devices) device.close()
  }

  /**
   * Adds one row to each collection, and lets every device read them. The requests that added them arrive once more later.
   */
  async #begin(): Promise<void> {
    if (this.#repeating) {
      this.#repeatArrivals(5)
      await this.#beginRepeating(this.#repeating)
    } else {
      // The to-do is in the list. Of the habits, one is counted, one is paused, and one was first done three weeks ago.
      await this.#changeAll([
        ['add list', 0],
        ['add todo', 9],
        ['add habit', 8],
        ['add habit', 9],
        ['add habit', 2],
        ['pause habit', 0],
        ['record session', 0],
      ])
      await settle(this.devices, this.#time)
      await this.#device(0).tab(0).sync.reread()
      await this.#changeAll([
        ['complete day', 3],
        ['complete day', 11],
        ['complete day', 19],
        ['add amount', 0],
        ['add amount', 1],
        ['add amount', 2],
      ])
    }
    await settle(this.devices, this.#time)
    this.#device(0).network.fates.writes = []
    await Promise.all(this.devices.map((device) => device.tab(0).sync.reread()))
    // The initial rows cannot be undone.
    for (const { tabs } of this.devices) for (const { sync } of tabs) sync.changes.clear()
    this.#time.pass(minute)
  }

  async #changeAll(changes: readonly (readonly [Intent['action'], number])[]): Promise<void> {
    this.#repeatArrivals(changes.length)
    for (const [action, value] of changes) {
      await this.#change(this.#device(0), 0, { action, which: 0, value })
      this.#time.pass(1)
    }
  }

  #repeatArrivals(count: number): void {
    this.#device(0).network.fates.writes = Array.from({ length: count }, () => 'doubled' as const)
  }

  async #perform(step: Step): Promise<void> {
    // No request takes longer than a second, unless something holds it up.
    if (step.after >= 1_000 || step.do === 'sleep') await waitForResponses(this.devices)
    this.#time.pass(step.after)
    this.#stepsSinceLook += 1
    const made = this.#changes.length
    const device = this.#device(step.device)
    if (step.do === 'server') this.#nemesis?.strike(step)
    else if (step.do === 'set server clock') this.#time.serverAhead = step.ahead
    else if (step.do === 'all sign out') for (const each of this.devices) await this.#signOut(each)
    else if (step.do === 'sign in or out' && device.isSignedIn) await this.#signOut(device)
    else if (step.do === 'sign in or out' || step.do === 'sign in') {
      if (!device.isSignedIn) await device.signIn(await this.#signIn())
    } else if (device.isSignedIn) await this.#performOn(device, step)
    if (step.meanwhile === 'calm') {
      await settle(this.devices, this.#time)
      if (step.do === 'change') await this.#seeWhatStands(made)
      if (this.#look && this.#stepsSinceLook > stepsUnseen) {
        this.#stepsSinceLook = 0
        await this.#look(this.acknowledged)
      }
    } else if (step.meanwhile === 'a moment') await turns(8)
  }

  /**
   * Checks that the changes of the last step are visible on the server, whatever was stored while the server's clock was ahead.
   */
  async #seeWhatStands(made: number): Promise<void> {
    if (!this.#isServerWrong || this.#time.serverAhead !== 0) return
    this.#cookie ??= this.#signIn()
    const cookie = await this.#cookie
    const ask = async (path: string): Promise<unknown> => (await this.#ask('GET', path, { cookie })).body
    // Changes that arrive during the reading may be missing in it, so take the arrivals first.
    const { arrived } = this
    const shown = fieldsOf(await viewOfServer(ask))
    const own = arrived.filter(({ number }) => number >= made)
    this.overruled.push(...overruled(own, arrived, (collection, row) => shown.get(collection)?.get(row)))
  }

  async #performOn(device: PlayedDevice, step: Step): Promise<void> {
    if (step.do === 'change') await this.#change(device, step.tab, step.intent)
    else if (step.do === 'repeating') await this.#repeat(device, step.tab, step.intent)
    else if (step.do === 'editor') await this.#edit(device, step)
    else if (step.do === 'undo' || step.do === 'redo') await this.#takeBack(device, step.tab, step.do)
    else if (step.do === 'firewall') {
      device.network.blockedText = step.blocks ? textOf(this.#changes.length) : undefined
    } else if (step.do === 'fates') device.network.fates[step.of].push(...step.fates)
    else if (step.do === 'set clock') {
      await this.#letNotice(device)
      device.setClock(step.by)
    } else if (step.do === 'sleep') {
      await this.#letNotice(device)
      device.sleep(night)
    } else if (step.do === 'partition') {
      device.network.partition = { ...step.partition, until: this.#time.now + step.lasts }
    } else if (step.do === 'offline') device.connect(false)
    else if (step.do === 'online') device.connect(true)
    else if (step.do === 'crash') device.crash(step.tab)
    else if (step.do === 'read') void device.tab(step.tab).sync.reread()
    else if (step.do === 'late') await device.network.deliverLate()
    else if (step.do === 'clear') await device.clear()
    else if (step.do === 'start timer') await this.#startTimer(device)
    else if (step.do === 'wake') device.wake()
    else throw new Error(`Nobody knows how to perform '${step.do}'`)
  }

  /**
   * Lets a device notice its shifted clock. A real page checks its clock every minute, so it notices one shift after the
   * other. Here it checks when it sends a request.
   */
  async #letNotice(device: PlayedDevice): Promise<void> {
    await device.whenStored()
    if (!device.isShifted) return
    for (const { sync } of device.tabs) void sync.reread()
    await waitForResponses(this.devices)
    device.isShifted = false
  }

  async #signOut(device: PlayedDevice): Promise<void> {
    if (!device.isSignedIn || !device.network.online) return
    // The store is faster than any person, so it has stored their changes by now.
    await device.whenStored()
    await device.signOut(async (cookie) => {
      const { status } = await this.#ask('POST', '/api/auth/sign-out', {
        cookie,
        body: {},
      })
      if (status !== 200) throw new Error(`Signing out was answered ${status}`)
    })
    if (this.devices.every(({ isSignedIn }) => !isSignedIn)) this.#endTimer()
  }

  /** Starts a timer on the server only; `features/focus/testing` tests how devices share it. */
  async #startTimer({ network: { cookie, online } }: PlayedDevice): Promise<void> {
    if (this.#timer || cookie === undefined || !online) return
    const since = this.#time.now
    const run = newRowId(since, crypto.getRandomValues(new Uint8Array(10)))
    const timer = { status: 'running', run: { id: run, stretches: [] }, since: instantToWire(since) }
    const body = { timer, at: instantToWire(since) }
    const { status } = await this.#ask('PUT', '/api/focus/timer', { cookie, body })
    if (status !== 200) throw new Error(`Starting the timer was answered ${status}`)
    this.#timer = { run, since }
  }

  /** Expects the session that the server records itself when the last device signs out. */
  #endTimer(): void {
    const { now } = this.#time
    const duration = this.#timer && Math.floor(Math.min(now - this.#timer.since, 25 * minute) / 1_000)
    if (this.#timer && duration) {
      this.#changes.push({
        number: this.#changes.length,
        device: undefined,
        at: now,
        earliest: now,
        collection: focusSessionCollection.name,
        row: this.#timer.run,
        kind: 'add',
        fields: new Map([['duration', duration]]),
      })
    }
    this.#timer = undefined
  }

  /** Asks the server directly, without any device, and again if the process is down. */
  async #ask(...request: Parameters<ServerProcess['ask']>): ReturnType<ServerProcess['ask']> {
    for (let tries = 0; tries < 100; tries++) {
      try {
        const response = await this.#processes[0].ask(...request)
        if (response.status !== 503) return response
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error
      }
      await this.#nemesis?.whenOver()
    }
    throw new Error(`${request[0]} ${request[1]} was never answered`)
  }

  #change(device: PlayedDevice, which: number, intent: Intent): Promise<void> {
    return this.#do(device, which, (own, { view, deleted }) =>
      changesOf(intent, own, device.now, { view: view(), deleted }),
    )
  }

  /** Adds the initial repeating to-dos. The first has a subtask, and the last does not repeat yet. */
  async #beginRepeating(rules: readonly number[]): Promise<void> {
    await this.#device(0).tab(0).sync.reread()
    for (const rule of [...rules, undefined]) {
      await this.#do(this.#device(0), 0, (own, { view }) =>
        some(firstTodo(own, this.#device(0).now, { view: view() }, rule, null)),
      )
    }
    const parent = this.#changes.find(({ deed }) => deed)?.row ?? null
    await this.#do(this.#device(0), 0, (own, { view }) =>
      some(firstTodo(own, this.#device(0).now, { view: view() }, undefined, parent)),
    )
  }

  #repeat(device: PlayedDevice, which: number, intent: RepeatingIntent): Promise<void> {
    // An older client has no undo: it reopens what it ticked, with the current instant.
    if (intent.action === 'undo' && !device.isOlder)
      return this.#takeBack(device, which, intent.value % 4 === 0 ? 'redo' : 'undo')
    return this.#do(device, which, (own, { view, made }) =>
      some(repeatingChange(intent, own, device.now, { view: view(), made, older: device.isOlder })),
    )
  }

  /** Performs one step in an editor. Saving closes the editor, whether or not anything was typed. */
  async #edit(device: PlayedDevice, { tab: which, action, ...step }: EditorStep): Promise<void> {
    const tab = device.tab(which)
    const { editor } = tab
    if (action === 'open') tab.editor = openEditor(step.which, step.value, tab.view())
    else if (editor && action === 'touch') tab.editor = touch(editor, step.value, tab.view())
    else if (editor) {
      tab.editor = undefined
      await this.#do(device, which, (own, { view }) =>
        some(editorChange(editor, new ChangeBuilder(own, device.now), view())),
      )
    }
  }

  async #takeBack(device: PlayedDevice, which: number, direction: Direction): Promise<void> {
    const tab = device.tab(which)
    await this.#goTo(device, tab)
    const { sync, takenBack: times } = tab
    const pressed = this.#time.now
    const [{ time_zone, day_start } = { time_zone: 'UTC', day_start: 0 }] = tab.view().preferences ?? []
    const moment = { now: device.now, timeZone: time_zone, dayStart: day_start }
    const say = (write: NewQueuedWrite) => this.#said(write, device, tab.view())
    takeBack(sync, { direction, moment, times, changes: this.#changes }, say, (write, said, at) => {
      const number = this.#changes.length
      const change = { ...said, number, device: device.place, at, earliest: at, pressed }
      this.#changes.push(change)
      tab.made.push(change)
      this.#observer?.made(tab, change)
      const numbered = { ...write, vars: Object.assign({}, write.vars, { changeNumber: number }) }
      return tab.confirm(number, sync.queueMade(numbered))
    })
  }

  #said(write: NewQueuedWrite, device: PlayedDevice, view: View): Said {
    const said = saidBy(write, view)
    const [preferences] = view.preferences ?? []
    if (!this.#repeating || !preferences || said.collection !== todoCollection.name) return said
    const deed = deedOf(write, deviceDay(device.now, preferences))
    const repeat = said.fields.get('repeat')
    return { ...said, deed, fields: new Map(repeat === undefined ? [] : [['repeat', repeat]]) }
  }

  /** Switches to another tab. The store is faster than any person, so it has stored the changes of the previous tab by then. */
  async #goTo(device: PlayedDevice, tab: Tab): Promise<void> {
    if (this.#lastTabs.get(device) !== tab) await device.whenStored()
    this.#lastTabs.set(device, tab)
  }

  async #do(
    device: PlayedDevice,
    which: number,
    changesIn: (own: ChangeOrigin, tab: Tab) => readonly QueueableChange[],
  ): Promise<void> {
    const tab = device.tab(which)
    await this.#goTo(device, tab)
    const { now } = this.#time
    const own = { number: this.#changes.length, device: device.place, at: now, earliest: now }
    for (const change of changesIn(own, tab)) {
      this.#changes.push(change)
      this.#observer?.made(tab, change)
      tab.queue(change)
    }
  }

  #checkShown(device: PlayedDevice, tab: Tab): void {
    const view = tab.view()
    const seen = [...Object.values(view), tab.made.length, this.#changes.length, device.reported.length]
    const lastSeen = this.#lastSeen.get(tab)
    // Skip unchanged views: tabs render much more often than anything changes.
    if (lastSeen && seen.every((each, index) => each === lastSeen[index])) return
    this.#lastSeen.set(tab, seen)
    // Leave out entries of days that the server sends only as a sum: a tab keeps them only for Undo.
    const habits = view.habits?.map(({ entries, ...habit }) => ({
      ...habit,
      entries: entries.filter(({ day }) => day >= habit.earlier.from),
    }))
    const shown = fieldsOf({ ...view, habits })
    // Renaming or removing a tag everywhere has no row to show.
    const own = tab.made.filter(({ collection, fields }) => shown.has(collection) && !fields.has(renamedTo))
    if (own.length === 0) return
    this.hidden.push(
      ...hidden(own, this.#changes, device.reported, (collection, row) => shown.get(collection)?.get(row)),
    )
  }

  /** Puts every device online and signs it in, delivers held-back requests, and lets every tab read once more. */
  async #end(): Promise<void> {
    await this.#nemesis?.whenOver()
    this.#time.serverAhead = 0
    for (const device of this.devices) {
      device.network.partition = undefined
      device.network.fates = { writes: [], reads: [] }
      // Nobody who is online is told that the connection is back: that would wake a queue which has forgotten its retry.
      if (!device.network.online) device.connect(true)
      if (!device.isSignedIn) await device.signIn(await this.#signIn())
    }
    if (this.#nemesis) this.stuck.push(...(await waitForRetries(this.devices, this.#time)))
    await comeToRest(this.devices, this.#time)
    for (const { network } of this.devices) await network.deliverLate()
    await Promise.all(this.devices.flatMap(({ tabs }) => tabs.map(({ sync }) => sync.reread())))
    await comeToRest(this.devices, this.#time)
  }

  #device(which: number): PlayedDevice {
    const device = this.devices[which % this.devices.length]
    if (!device) throw new Error('There are devices')
    return device
  }
}

/** Whether a request contains the change. Requests name neither the only row of preferences nor a row for tag changes. */
function isOf({ collection, row }: Change, path: string, body: string): boolean {
  if (row.startsWith(tagField(''))) return path.startsWith('/api/tags/')
  if (collection === preferencesCollection.name) return path.startsWith('/api/preferences')
  return path.includes(row) || body.includes(row)
}

function some<Thing>(thing: Thing | undefined): Thing[] {
  return thing === undefined ? [] : [thing]
}
