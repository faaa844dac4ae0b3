import 'fake-indexeddb/auto'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runs } from '#testing/runs.ts'
import { createOverlay } from '../collections/overlay.ts'
import { collectionKey, collectionQueryDefaults } from '../collections/server-snapshot.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import { randomId } from '../local-store/random-id.ts'
import { mortalStore } from '../testing/mortal-store.ts'
import {
  eventLoopTurn,
  type Fate,
  type Note,
  type NoteChange,
  NoteServer,
  noteCollection,
  noteWrites,
  putNote,
  removeNote,
} from '../testing/notes.ts'
import { AccountSync } from './account-sync.ts'

// Several tabs of one person write to a small collection while requests are lost, repeated, refused or left unanswered, a
// firewall blocks some of them for good, and tabs die at any moment. The expectations at the end of `play` must hold for
// every such schedule.

type Step =
  /** `times`: this many one after another, so that several wait and are sent together. */
  | { do: 'put' | 'remove'; tab: number; note: number; blocked: boolean; times: number }
  | { do: 'crash' | 'read' | 'wake'; tab: number }
  /** Something changes of which the server cannot tell what. */
  | { do: 'untold' }
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
const blocked = fc.oneof(
  { weight: 20, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
const change = { tab, note: fc.nat(2), blocked, times: fc.integer({ min: 1, max: 3 }) }
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), ...change }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), ...change }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('crash', 'read', 'wake'), tab }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), turns: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'untold' as const }) },
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

/** One tab with a screen that shows the notes, and that records whenever it did not show one of its own changes. */
function openTab(account: string, server: NoteServer) {
  let dead = false
  const queryClient = new QueryClient()
  const sync = new AccountSync({
    account,
    writes: noteWrites,
    queryClient,
    store: openIndexedDbStore().then((store) => mortalStore(store, () => dead)),
    tabId: randomId(),
    sendRequest: server.handle,
    // Waiting costs a few turns of the event loop instead of time.
    pause: async (_milliseconds, signal) => {
      for (let turns = 0; turns < 3; turns++) await eventLoopTurn()
      signal.throwIfAborted()
    },
    visible: () => false,
  })
  const channel = lastChannel
  queryClient.setQueryDefaults(collectionKey(account), { ...collectionQueryDefaults, retryDelay: 0 })
  const overlay = createOverlay(noteCollection, sync.writes)
  const shown = () => {
    const snapshot = queryClient.getQueryData(sync.query(noteCollection).queryKey)
    return snapshot && overlay(snapshot.rows, sync.outbox.writesTo(noteCollection.name))
  }
  const mine = new Map<string, { at: number; removed: boolean }>()
  const hidden: NoteChange[] = []
  const checkShown = () => {
    const notes = shown()
    if (!notes) return
    for (const [id, { at, removed }] of mine) {
      const note = notes.find((each) => each.id === id)
      const seen = note ? note.at > at || (removed ? note.removed : note.at === at) : removed
      if (!seen) hidden.push({ id, at, text: String(note?.at) })
    }
  }
  sync.outbox.subscribe(checkShown)
  const observer = new QueryObserver(queryClient, sync.query(noteCollection))
  const stopObserving = observer.subscribe(checkShown)
  sync.start({ onSignedOut() {}, onWiped() {}, onCleared() {}, onOutdated() {} })
  return {
    sync,
    shown,
    hidden,
    write(write: typeof putNote, change: NoteChange) {
      const stored = sync.write(write, change)
      mine.set(change.id, { at: change.at, removed: write === removeNote })
      checkShown()
      return stored
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
    // Some things wait until the person does something.
    if (turns % 50 === 49) poke()
    await eventLoopTurn()
  }
  throw new Error('It never came to rest')
}

/** `isByRevision`: whether the server tells what has changed since the rows that a tab has. */
async function play(steps: readonly Step[], isByRevision = false) {
  const account = `person-${++accounts}`
  vi.stubGlobal('indexedDB', new IDBFactory())
  const server = new NoteServer()
  server.isByRevision = isByRevision
  const tabs = [0, 1, 2].map(() => openTab(account, server))
  const hidden: NoteChange[] = []
  const stored: { id: string; at: number }[] = []
  const noteOf = new Map<number, string>()
  let clock = 0
  const tabOf = (index: number) => {
    const found = tabs[index]
    if (!found) throw new Error('There are three tabs')
    return found
  }

  for (const each of steps) {
    if (each.do === 'put' || each.do === 'remove') {
      // Each tab writes to notes of its own, so that the order of a note's changes is known.
      for (let time = 0; time < each.times; time++) {
        const at = ++clock
        if (each.blocked) server.blocked.add(at)
        const vars = { id: `note-${each.tab}-${each.note}`, text: `text ${at}`, at }
        noteOf.set(at, vars.id)
        const write = each.do === 'put' ? putNote : removeNote
        void tabOf(each.tab)
          .write(write, vars)
          .then((durable) => durable && stored.push(vars))
      }
    } else if (each.do === 'pass') for (let turns = 0; turns < each.turns; turns++) await eventLoopTurn()
    else if (each.do === 'untold') server.put()
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
      tabs.every(({ sync }) => sync.outbox.waiting === 0 && sync.outbox.unread.size === 0) &&
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

  const failedWrites = tabOf(0).sync.outbox.failedWrites
  const reported = new Set(failedWrites.flatMap(({ texts }) => texts))
  const done = new Set(server.done.map(({ at }) => at))
  const truth = [...server.notes.values()]
  const sorted = (notes: readonly Note[]) => [...notes].sort((a, b) => a.id.localeCompare(b.id))

  // Nothing that was stored is lost: the server made the change, or it was reported as failed.
  expect(stored.filter(({ at }) => !done.has(at) && !reported.has(`text ${at}`))).toEqual([])
  // Nothing is reported as failed unless it was refused or builds on something that was.
  const buildsOn = (at: number) => (other: number) => other <= at && noteOf.get(other) === noteOf.get(at)
  const reportedChanges = [...noteOf.keys()].filter((at) => reported.has(`text ${at}`))
  expect(reportedChanges.filter((at) => ![...refused].some(buildsOn(at)))).toEqual([])
  // In the end every tab shows what the server has.
  for (const { shown } of tabs) expect(sorted(shown() ?? [])).toEqual(sorted(truth))
  // The changes of a note first reached the server in the order in which they were made.
  for (const [id, changes] of Map.groupBy(server.done, (change) => change.id)) {
    const first = [...new Set(changes.map(({ at }) => at))]
    expect(first, id).toEqual(first.toSorted((a, b) => a - b))
  }
  // No tab ever hid a change made in it, unless the server refused it.
  hidden.push(...tabs.flatMap((each) => each.hidden))
  if (refused.size === 0) expect(hidden).toEqual([])
  for (const each of tabs) each.close()
}

describe('the path of a change', () => {
  it(
    'loses, hides, reorders and invents nothing, whatever happens to requests and tabs',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), fc.boolean(), play), {
        numRuns: runs(5_000, 10),
      })
    },
    runs(7_200_000, 600_000),
  )

  it('keeps the order of changes to a note when one of them alone, and then the server, does not respond', async () => {
    await play([
      { do: 'put', tab: 0, note: 0, blocked: false, times: 3 },
      {
        do: 'fates',
        of: 'reads',
        fates: ['answered', 'answered', 'answered', 'answered', 'answered', 'lost'],
      },
      { do: 'put', tab: 0, note: 0, blocked: false, times: 1 },
      { do: 'fates', of: 'writes', fates: ['lost', 'lost', 'lost'] },
    ])
  })
})
