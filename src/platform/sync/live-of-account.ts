import type { QueryClient } from '@tanstack/react-query'
import type { AccountLists } from './account-lists.ts'
import { listKey } from './base.ts'
import { ChangedLists } from './changed-lists.ts'
import { Live, type LiveParts } from './live.ts'
import type { Mirror } from './mirror.ts'
import type { Outbox } from './outbox.ts'

interface AccountParts
  extends Pick<LiveParts, 'account' | 'open' | 'onSignedOut' | 'visible' | 'now' | 'pause'> {
  holder: string
  mirror: Mirror
  outbox: Outbox
  lists: AccountLists
  queryClient: QueryClient
}

/** What keeps the lists of an account as the server says they are, whichever device changes them. */
export function liveOf({
  account,
  holder,
  mirror,
  outbox,
  lists,
  queryClient,
  pause,
  ...parts
}: AccountParts): Live {
  const stateOf = (name: string) => queryClient.getQueryState(listKey(account, name))
  const isRead = (name: string) => stateOf(name)?.fetchStatus === 'fetching'
  const changed = new ChangedLists({
    lists: () => [...lists.all()].filter(({ name }) => stateOf(name)?.data !== undefined || isRead(name)),
    // What the device kept from before counts as read at no time at all.
    readHere: (name) => (stateOf(name)?.dataUpdatedAt ?? 0) > 0 || isRead(name),
    busy: (name) =>
      isRead(name) || outbox.unseen.has(name) || outbox.queued.some(({ list }) => list === name),
    tag: (name) => lists.tagOf(name),
    refresh: (name) => lists.refresh(name),
    pause,
  })
  return new Live({
    ...parts,
    account,
    pause,
    ready: mirror.ready,
    turn: () => ({
      // Tabs without storage do not see what another one reads: each is on its own.
      name: `daymark-live-${account}${mirror.durable ? '' : `-${holder}`}`,
      take: (now, until) => mirror.takeTurn('live', holder, now, until),
    }),
    readAt: () => changed.readAt,
    reread: (told, signal) => changed.heed(told, signal),
    online: () => navigator.onLine !== false,
  })
}
