import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Collection } from '../collections/collection.ts'
import { keepsEdited } from '../collections/edited-rows.ts'
import { createOverlay } from '../collections/overlay.ts'
import type { ServerSnapshot } from '../collections/server-snapshot.ts'
import type { QueueWrite } from '../collections/write.ts'
import type { NewQueuedWrite } from '../local-store/queued-write.ts'
import type { RequestProblem } from '../network/request-problem.ts'
import { useSync } from './sync-context.ts'
import { useRequestProblem } from './use-request-problem.ts'

export interface CollectionState<Row, Totals = unknown> {
  /** The server's rows with the queued writes applied on top; undefined until anything is known. */
  rows: Row[] | undefined
  /** While nothing is known: rows added on this device that have not been read back. */
  added: Row[]
  /** What the server said last; undefined until anything is known. */
  server: ServerSnapshot<Row, Totals> | undefined
  /** The writes that are waiting to be sent. */
  queued: readonly NewQueuedWrite[]
  /** 'failed' only if there is nothing to show: a failed refresh keeps the last known rows. */
  status: 'loading' | 'ready' | 'failed'
  /** What is known is what this device stored, and the server is being asked for the first time since this page was opened. */
  arriving: boolean
  /** Why it failed, even while it is retried. */
  problem: RequestProblem | undefined
  /** Resolves once it has been read again or that has failed. */
  retry(): Promise<void>
}

/** `isNeeded`: until then, nobody asks the server for it. */
export function useCollection<Row, Totals>(
  collection: Collection<Row, Totals>,
  { isNeeded = true }: { isNeeded?: boolean } = {},
): CollectionState<Row, Totals> {
  const sync = useSync()
  const query = useQuery({ ...sync.query(collection), enabled: isNeeded })
  const { data: snapshot, dataUpdatedAt, isFetching, error, refetch } = query
  const subscribe = useCallback((listener: () => void) => sync.outbox.subscribe(listener), [sync])
  const queued = useSyncExternalStore(subscribe, () => sync.outbox.writesTo(collection.name))
  const canShow = useCanShow(queued)
  const overlay = useMemo(() => createOverlay(collection, sync.writes), [collection, sync])
  const { edited } = sync
  const editedRows = useSyncExternalStore(edited.subscribe, () => edited.of(collection.name))
  const keepEdited = useMemo(() => keepsEdited<Row>(), [])
  const ofServer = snapshot?.rows ?? nothing
  const rows = canShow ? keepEdited(overlay(ofServer, queued), editedRows, ofServer) : nothing
  const problem = useRequestProblem(error, snapshot !== undefined)
  const retry = useCallback(async () => {
    await refetch()
  }, [refetch])
  // What was stored counts as read at 0.
  const arriving = isFetching && dataUpdatedAt === 0
  const known = { server: snapshot, queued, arriving, problem, retry }
  if (!canShow) return { rows: undefined, added: rows, status: 'loading', ...known }
  if (snapshot) return { rows, added: [], status: 'ready', ...known }
  const status = error && !isFetching ? 'failed' : 'loading'
  return { rows: undefined, added: rows, status, ...known }
}

const nothing: never[] = []

/** Without the declarations of what was queued on an earlier visit, the rows would be shown as they were before it. */
function useCanShow(queued: readonly NewQueuedWrite[]): boolean {
  const { declared } = useSync()
  const canShow = useSyncExternalStore(declared.subscribe, () => declared.canShow(queued))
  useEffect(() => {
    // What cannot be fetched now comes with the sender, which tries again.
    if (!canShow) declared.all().catch(() => {})
  }, [canShow, declared])
  return canShow
}

/** For what the person does, which they can undo. */
export function useWrite(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.write(write, vars), [sync])
}

/** For what the app does by itself, which nobody would undo. */
export function useQueue(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.queue(write, vars), [sync])
}
