import type { QueryClient } from '@tanstack/react-query'
import type { CarriedResponse } from '#platform/wire/live-event.ts'
import type { AccountCollections } from '../collections/account-collections.ts'
import { changedIds, takeChange } from '../collections/changed-rows.ts'
import { collectionKey, type ServerSnapshot } from '../collections/server-snapshot.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { ChangedCollections } from './changed-collections.ts'
import { LiveUpdates, type LiveUpdatesParts } from './live-updates.ts'

interface AccountLiveUpdatesParts
  extends Pick<LiveUpdatesParts, 'account' | 'open' | 'onSignedOut' | 'visible' | 'now' | 'pause'> {
  tabId: string
  replica: TabReplica
  outbox: Outbox
  collections: AccountCollections
  queryClient: QueryClient
}

/** Keeps the collections of an account up to date with the server, whichever device changes them. */
export function accountLiveUpdates({
  account,
  tabId,
  replica,
  outbox,
  collections,
  queryClient,
  now,
  pause,
  ...parts
}: AccountLiveUpdatesParts): LiveUpdates {
  const isReading = (name: string) =>
    queryClient.getQueryState(collectionKey(account, name))?.fetchStatus === 'fetching'
  async function takeCarried(name: string, { tag, response }: CarriedResponse): Promise<boolean> {
    const key = collectionKey(account, name)
    const collection = [...collections.all()].find((each) => each.name === name)
    const asked = queryClient.getQueryData<ServerSnapshot<unknown>>(key)
    if (!collection || !asked) return false
    // This device's own changes are on the screen already, and are read again once they are sent.
    const own = new Set(outbox.writesTo(name).map(({ subject }) => subject))
    const ids = changedIds(collection, response)
    if (ids.length > 0 && ids.every((id) => own.has(id))) return false
    const read = { tick: await replica.startRead(name), tag: `"${tag}"` }
    const show = (snapshot: ServerSnapshot<unknown>) => queryClient.setQueryData(key, snapshot)
    return !!(await takeChange({ collection, replica, asked, body: response, read, isCarried: true, show }))
  }

  const changed = new ChangedCollections({
    collections: () =>
      [...collections.all()].filter(({ name }) => collections.gotAt(name) !== undefined || isReading(name)),
    // Rows from the local store have an update time of 0 and do not count as read.
    hasRead: (name) => (collections.gotAt(name) ?? 0) > 0 || isReading(name),
    isBusy: (name) =>
      isReading(name) || outbox.unread.has(name) || outbox.queued.some(({ list }) => list === name),
    tagOf: (name) => collections.tagOf(name),
    take: takeCarried,
    refresh: (name) => collections.refresh(name),
    now,
    pause,
  })
  return new LiveUpdates({
    ...parts,
    account,
    now,
    pause,
    ready: replica.ready,
    leadership: () => ({
      // Tabs without storage do not see what another tab reads, so each opens its own stream.
      lockName: `daymark-live-${account}${replica.durable ? '' : `-${tabId}`}`,
      claimLease: (now, until) => replica.claimLeadership('live', tabId, now, until),
    }),
    readRevision: () => changed.readRevision,
    reread: (...announced) => changed.handle(...announced),
    online: () => navigator.onLine !== false,
  })
}
