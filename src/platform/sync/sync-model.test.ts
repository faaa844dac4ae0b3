import 'fake-indexeddb/auto'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runs } from '#testing/runs.ts'
import { AccountSync } from './account-sync.ts'
import { listDefaults, listKey } from './base.ts'
import { openIndexedDevice } from './indexed-device.ts'
import { createOverlay } from './overlay.ts'
import { randomId } from './random-id.ts'
import { mortalDevice } from './testing/mortal-device.ts'
import {
  type Fate,
  type Note,
  type NoteChange,
  NoteServer,
  noteList,
  noteWrites,
  putNote,
  removeNote,
  turn,
} from './testing/notes.ts'

// Several tabs of one person write to a small list while requests are lost, repeated, refused or left unanswered, a
// firewall lets some of them through under no circumstances, and tabs die at any moment. What must come out of every such schedule is said by the expectations at the end of `play`.

type Step =
  /** `times`: one after another, so that several wait and are sent together. */
  | { do: 'put' | 'remove'; tab: number; note: number; disliked: boolean; times: number }
  | { do: 'crash' | 'read' | 'wake'; tab: number }
  | { do: 'pass'; turns: number }
  | { do: 'fates'; of: 'writes' | 'reads'; fates: Fate[] }

const tab = fc.nat(2)
const fate = fc.constantFrom<Fate>(
  'answered',
  'slow',
  'slow',
  'lost',
  'unanswered',
  'repeated',
  'refused',
  'broken',
  'signed-out',
)
const disliked = fc.oneof(
  { weight: 20, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
const change = { tab, note: fc.nat(2), disliked, times: fc.integer({ min: 1, max: 3 }) }
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), ...change }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), ...change }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('crash', 'read', 'wake'), tab }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), turns: fc.nat(40) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fates' as const),
      of: fc.constantFrom('writes', 'reads'),
      fates: fc.array(fate, { maxLength: 6, size: 'max' }),
    }),
  },
)

let accounts = 0

let lastChannel: BroadcastChannel | undefined

class RememberedChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    lastChannel = this
  }
}

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', RememberedChannel)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** One tab, with a screen that shows the list and remembers whenever it did not show what was changed in it. */
function openTab(account: string, server: NoteServer) {
  let dead = false
  const queryClient = new QueryClient()
  const sync = new AccountSync({
    account,
    writes: noteWrites,
    queryClient,
    device: openIndexedDevice().then((device) => mortalDevice(device, () => dead)),
    holder: randomId(),
    ask: server.ask,
    // Waiting costs a few turns of the event loop instead of time.
    pause: async (_milliseconds, signal) => {
      for (let turns = 0; turns < 3; turns++) await turn()
      signal.throwIfAborted()
    },
    visible: () => false,
  })
  const channel = lastChannel
  queryClient.setQueryDefaults(listKey(account), { ...listDefaults, retryDelay: 0 })
  const overlay = createOverlay(noteList, sync.writes)
  const shown = () => {
    const base = queryClient.getQueryData(sync.query(noteList).queryKey)
    return base && overlay(base.rows, sync.outbox.over(noteList.name))
  }
  const mine = new Map<string, { at: number; removed: boolean }>()
  const hidden: NoteChange[] = []
  const look = () => {
    const notes = shown()
    if (!notes) return
    for (const [id, { at, removed }] of mine) {
      const note = notes.find((each) => each.id === id)
      const seen = note ? note.at > at || (removed ? note.removed : note.at === at) : removed
      if (!seen) hidden.push({ id, at, text: String(note?.at) })
    }
  }
  sync.outbox.subscribe(look)
  const observer = new QueryObserver(queryClient, sync.query(noteList))
  const stopObserving = observer.subscribe(look)
  sync.start({ onSignedOut() {}, onWiped() {}, onCleared() {}, onOutdated() {} })
  return {
    sync,
    shown,
    hidden,
    write(write: typeof putNote, change: NoteChange) {
      const kept = sync.write(write, change)
      mine.set(change.id, { at: change.at, removed: write === removeNote })
      look()
      return kept
    },
    read: () => observer.refetch(),
    close() {
      dead = true
      channel?.close()
      sync.stop()
      stopObserving()
      queryClient.clear()
    },
  }
}

async function until(condition: () => boolean, poke: () => void) {
  for (let turns = 0; turns < 5_000; turns++) {
    if (condition()) return
    // What waits for the person waits for a sign of them.
    if (turns % 50 === 49) poke()
    await turn()
  }
  throw new Error('It never came to rest')
}

async function play(steps: readonly Step[]) {
  const account = `person-${++accounts}`
  vi.stubGlobal('indexedDB', new IDBFactory())
  const server = new NoteServer()
  const tabs = [0, 1, 2].map(() => openTab(account, server))
  const hidden: NoteChange[] = []
  const kept: { id: string; at: number }[] = []
  const noteOf = new Map<number, string>()
  let clock = 0
  const tabOf = (index: number) => {
    const found = tabs[index]
    if (!found) throw new Error('There are three tabs')
    return found
  }

  for (const each of steps) {
    if (each.do === 'put' || each.do === 'remove') {
      // Each tab writes to notes of its own, so that the order in which a person made the changes is known.
      for (let time = 0; time < each.times; time++) {
        const at = ++clock
        if (each.disliked) server.disliked.add(at)
        const vars = { id: `note-${each.tab}-${each.note}`, text: `text ${at}`, at }
        noteOf.set(at, vars.id)
        const write = each.do === 'put' ? putNote : removeNote
        void tabOf(each.tab)
          .write(write, vars)
          .then((durable) => durable && kept.push(vars))
      }
    } else if (each.do === 'pass') for (let turns = 0; turns < each.turns; turns++) await turn()
    else if (each.do === 'fates') server.fates[each.of].push(...each.fates)
    else if (each.do === 'crash') {
      hidden.push(...tabOf(each.tab).hidden)
      tabOf(each.tab).close()
      tabs[each.tab] = openTab(account, server)
    } else if (each.do === 'read') void tabOf(each.tab).read()
    else tabOf(each.tab).sync.wake()
  }

  const { refused } = server
  await until(
    () =>
      tabs.every(({ sync }) => sync.outbox.waiting === 0 && sync.outbox.unseen.size === 0) &&
      tabs.every(({ shown }) => shown() !== undefined),
    () => {
      for (const { sync, shown, read } of tabs) {
        sync.wake()
        if (!shown()) void read()
      }
    },
  )
  server.fates.reads = []
  for (const { read } of tabs) await read()

  const notices = tabOf(0).sync.outbox.notices
  const told = new Set(notices.flatMap(({ texts }) => texts))
  const done = new Set(server.done.map(({ at }) => at))
  const truth = [...server.notes.values()]
  const sorted = (notes: readonly Note[]) => [...notes].sort((a, b) => a.id.localeCompare(b.id))

  // Nothing that the device kept is lost: it was done, or the person is told what was not.
  expect(kept.filter(({ at }) => !done.has(at) && !told.has(`text ${at}`))).toEqual([])
  // What was not refused was not taken out, unless it builds on what was.
  const buildsOn = (at: number) => (other: number) => other <= at && noteOf.get(other) === noteOf.get(at)
  const toldOf = [...noteOf.keys()].filter((at) => told.has(`text ${at}`))
  expect(toldOf.filter((at) => ![...refused].some(buildsOn(at)))).toEqual([])
  // Every tab shows the truth in the end.
  for (const { shown } of tabs) expect(sorted(shown() ?? [])).toEqual(sorted(truth))
  // The changes of one note were first done in the order in which they were made.
  for (const [id, changes] of Map.groupBy(server.done, (change) => change.id)) {
    const first = [...new Set(changes.map(({ at }) => at))]
    expect(first, id).toEqual(first.toSorted((a, b) => a - b))
  }
  // No tab ever hid a change that was made in it, unless it was refused.
  hidden.push(...tabs.flatMap((each) => each.hidden))
  if (refused.size === 0) expect(hidden).toEqual([])
  for (const each of tabs) each.close()
}

describe('the way of a change', () => {
  it(
    'loses, hides, reorders or invents nothing, whatever becomes of requests and tabs',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), play), {
        numRuns: runs(5_000, 60),
      })
    },
    runs(7_200_000, 60_000),
  )
})
