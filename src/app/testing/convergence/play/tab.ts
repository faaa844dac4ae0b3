import { hashKey, QueryClient } from '@tanstack/react-query'
import { focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import { pauseCollection } from '#features/habits/pauses/web/pause-queries.ts'
import { lists as listCollection } from '#features/lists/list/web/list-queries.ts'
import { preferencesCollection } from '#features/preferences/web/preferences-queries.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
// The app fetches these writes after its first screen. Here they are loaded at once, so that no simulated time passes
// meanwhile.
import '#features/focus/sessions/web/moved-session.ts'
import '#platform/sync/live/account-live-updates.ts'
import '#platform/sync/outbox/sender.ts'
import { firstWrites } from '#app/shell/signed-in/first-writes.ts'
import { otherWrites } from '#app/shell/signed-in/other-writes.ts'
import { AccountSync, type AccountSyncParts } from '#platform/sync/account/account-sync.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { createOverlay } from '#platform/sync/collections/overlay.ts'
import {
  collectionKey,
  collectionQueryDefaults,
  type ServerSnapshot,
} from '#platform/sync/collections/server-snapshot.ts'
import type { LocalStore } from '#platform/sync/local-store/local-store.ts'
import { randomId } from '#platform/sync/local-store/random-id.ts'
import { mortalStore } from '#platform/sync/testing/mortal-store.ts'
import { learnInstants } from '#platform/sync/undo/own-instants.ts'
import type { Editor } from '../people/editor.ts'
import type { QueueableChange } from '../people/one-change.ts'
import type { TakenBackTimes } from '../people/taken-back.ts'
import type { Deleted, View } from '../people/view.ts'
import type { Change } from '../rules/rule.ts'

const writes = [...Object.values(firstWrites).flat(), ...otherWrites]

export interface Tab {
  sync: AccountSync
  deleted: Deleted
  /** The open editor. */
  editor: Editor | undefined
  /** The changes made in the tab. */
  made: Change[]
  /** The numbers of the changes whose storing has not been confirmed to the tab. */
  unstored: Set<number>
  takenBack: TakenBackTimes
  view(): View
  queue(change: QueueableChange): void
  /** Waits for the confirmation that a change is stored, or was refused by then. */
  confirm(number: number, stored: Promise<boolean>): Promise<boolean>
  close(): void
}

interface TabParts {
  account: string
  sendRequest: NonNullable<AccountSyncParts['sendRequest']>
  /** Opens the stream of changes made elsewhere. Without it, nobody looks at the tab. */
  openEvents: AccountSyncParts['openEvents']
  store: Promise<LocalStore>
  /** Simulates the delay until a result of the store arrives. */
  delivered(): Promise<void>
  pause: NonNullable<AccountSyncParts['pause']>
  now: NonNullable<AccountSyncParts['now']>
  steady: NonNullable<AccountSyncParts['steady']>
  /** Called with the number of a change once the tab was told that it is stored. */
  onStored(number: number): void
  /** Called whenever a screen would render again. */
  onRender(tab: Tab): void
}

/** The channel that was opened last. The tests close it with its tab, since a dead tab must receive nothing more. */
let lastChannel: BroadcastChannel | undefined

export class RememberedChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    lastChannel = this
  }
}

/** One tab of the app, without its screens. */
export function openTab({
  account,
  sendRequest,
  openEvents,
  store,
  delivered,
  pause,
  now,
  steady,
  onStored,
  onRender,
}: TabParts): Tab {
  let dead = false
  const queryClient = new QueryClient()
  const sync = new AccountSync({
    account,
    writes,
    queryClient,
    store: store.then((opened) => mortalStore(opened, () => dead, delivered)),
    tabId: randomId(),
    sendRequest,
    openEvents,
    pause,
    now,
    steady,
    visible: () => openEvents !== undefined,
  })
  const channel = lastChannel
  queryClient.setQueryDefaults(collectionKey(account), { ...collectionQueryDefaults, retryDelay: 0 })

  function shown<Row>(collection: Collection<Row>) {
    const overlay = createOverlay(collection, sync.writes)
    const hash = hashKey(sync.query(collection).queryKey)
    return () => {
      const snapshot = queryClient.getQueryCache().get<ServerSnapshot<Row>>(hash)?.state.data
      return snapshot && [...overlay(snapshot.rows, sync.outbox.writesTo(collection.name))]
    }
  }
  const lists = shown(listCollection)
  const todos = shown(todoCollection)
  const habits = shown(habitCollection)
  const pauses = shown(pauseCollection)
  const sessions = shown(focusSessionCollection)
  const preferences = shown(preferencesCollection)

  const tab: Tab = {
    sync,
    deleted: { lists: [], todos: [], habits: [], entries: [], pauses: [], sessions: [] },
    editor: undefined,
    made: [],
    unstored: new Set(),
    takenBack: new Map(),
    view: () => ({
      lists: lists(),
      todos: todos(),
      habits: habits(),
      pauses: pauses(),
      sessions: sessions(),
      preferences: preferences(),
    }),
    queue(change) {
      tab.made.push(change)
      void tab.confirm(change.number, change.queue(sync))
    },
    async confirm(number, stored) {
      tab.unstored.add(number)
      const isStored = await stored
      tab.unstored.delete(number)
      if (isStored) onStored(number)
      return isStored
    },
    close() {
      dead = true
      for (const stop of stopLooking) stop()
      channel?.close()
      sync.stop()
      queryClient.clear()
    },
  }
  const stopLooking = [
    sync.outbox.subscribe(() => onRender(tab)),
    sync.outbox.subscribe(() => learnInstants(sync.changes.own(), sync.outbox.stored)),
    queryClient.getQueryCache().subscribe(({ type }) => type === 'updated' && onRender(tab)),
  ]
  sync.start({ onSignedOut() {}, onWiped() {}, onCleared() {}, onOutdated() {} })
  return tab
}
