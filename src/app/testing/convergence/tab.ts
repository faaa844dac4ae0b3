import { QueryClient } from '@tanstack/react-query'
import { focusSessionList, focusWrites } from '#features/focus/web/focus-queries.ts'
import { habitList, habitWrites } from '#features/habits/web/habit-queries.ts'
import { preferencesList, preferencesWrites } from '#features/preferences/web/preferences-queries.ts'
import { todoList, todoWrites } from '#features/todos/web/todo-queries.ts'
import { AccountSync, type AccountSyncParts } from '#platform/sync/account-sync.ts'
import { listDefaults, listKey } from '#platform/sync/base.ts'
import type { Device } from '#platform/sync/device.ts'
import type { List } from '#platform/sync/list.ts'
import { createOverlay } from '#platform/sync/overlay.ts'
import { randomId } from '#platform/sync/random-id.ts'
import { mortalDevice } from '#platform/sync/testing/mortal-device.ts'
import type { Editor } from './editor.ts'
import type { Doing } from './one-change.ts'
import type { Change } from './rule.ts'
import type { Deleted, View } from './view.ts'

const writes = [...todoWrites, ...habitWrites, ...focusWrites, ...preferencesWrites]

export interface Tab {
  sync: AccountSync
  deleted: Deleted
  /** The one that is held open. */
  editor: Editor | undefined
  /** The changes that were made in it. */
  made: Change[]
  view(): View
  make(doing: Doing): void
  close(): void
}

interface TabParts {
  account: string
  ask: NonNullable<AccountSyncParts['ask']>
  device: Promise<Device>
  /** Passes the time that an answer of the store takes to arrive. */
  answered(): Promise<void>
  pause: NonNullable<AccountSyncParts['pause']>
  now: NonNullable<AccountSyncParts['now']>
  /** Called whenever a screen would be drawn anew. */
  look(tab: Tab): void
}

/** The last channel that was opened: a tab that dies hears nothing more, and the tests have to see to that. */
let lastChannel: BroadcastChannel | undefined

export class RememberedChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    lastChannel = this
  }
}

/** One tab of the app, without its screens. */
export function openTab({ account, ask, device, answered, pause, now, look }: TabParts): Tab {
  let dead = false
  const queryClient = new QueryClient()
  const sync = new AccountSync({
    account,
    writes,
    queryClient,
    device: device.then((opened) => mortalDevice(opened, () => dead, answered)),
    holder: randomId(),
    ask,
    pause,
    now,
    visible: () => false,
  })
  const channel = lastChannel
  queryClient.setQueryDefaults(listKey(account), { ...listDefaults, retryDelay: 0 })

  function shown<Row>(list: List<Row>) {
    const overlay = createOverlay(list, sync.writes)
    return () => {
      const base = queryClient.getQueryData(sync.query(list).queryKey)
      return base && overlay(base.rows, sync.outbox.over(list.name))
    }
  }
  const todos = shown(todoList)
  const habits = shown(habitList)
  const sessions = shown(focusSessionList)
  const preferences = shown(preferencesList)

  const tab: Tab = {
    sync,
    deleted: { todos: [], habits: [], sessions: [] },
    editor: undefined,
    made: [],
    view: () => ({ todos: todos(), habits: habits(), sessions: sessions(), preferences: preferences() }),
    make(doing) {
      tab.made.push(doing)
      void doing.queue(sync)
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
    sync.outbox.subscribe(() => look(tab)),
    queryClient.getQueryCache().subscribe(({ type }) => type === 'updated' && look(tab)),
  ]
  sync.start({ onSignedOut() {}, onWiped() {}, onCleared() {}, onOutdated() {} })
  return tab
}
