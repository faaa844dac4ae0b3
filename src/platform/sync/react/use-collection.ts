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
  /** The server's rows with the queued writes applied on top; undefined until they can be shown. */
  rows: readonly Row[] | undefined
  /** While `rows` is undefined: rows added on this device that have not been read back. */
  added: readonly Row[]
  /** The last response of the server; undefined until anything is known. */
  server: ServerSnapshot<Row, Totals> | undefined
  /** The writes that are waiting to be sent. */
  queued: readonly NewQueuedWrite[]
  /** 'failed' only if there is nothing to show: a failed refresh keeps the last known rows. */
  status: 'loading' | 'ready' | 'failed'
  /** True while the rows come from this device's store and the first read since the page was opened is in progress. */
  arriving: boolean
  /** Why the last read failed, even while it is retried. */
  problem: RequestProblem | undefined
  /** Reads the collection again. Resolves once that has succeeded or failed. */
  retry(): Promise<void>
}

/** A collection's rows and state. While `isNeeded` is false, this does not request them from the server. */
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
  // Rows from the local store have an update time of 0.
  const arriving = isFetching && dataUpdatedAt === 0
  const known = { server: snapshot, queued, arriving, problem, retry }
  if (!canShow) return { rows: undefined, added: rows, status: 'loading', ...known }
  if (snapshot) return { rows, added: [], status: 'ready', ...known }
  const status = error && !isFetching ? 'failed' : 'loading'
  return { rows: undefined, added: rows, status, ...known }
}

const nothing: never[] = []

/**
 * Whether all queued writes can be applied. While the declarations of writes from an earlier visit are missing, the rows would be
 * shown without those writes.
 */
function useCanShow(queued: readonly NewQueuedWrite[]): boolean {
  const { declared } = useSync()
  const canShow = useSyncExternalStore(declared.subscribe, () => declared.canShow(queued))
  useEffect(() => {
    // If this fails, the sender fetches the declarations too, and tries again.
    if (!canShow) declared.all().catch(() => {})
  }, [canShow, declared])
  return canShow
}

/** Queues writes that the person makes and can undo. */
export function useWrite(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.write(write, vars), [sync])
}

/** Queues writes that the app makes by itself, which nobody would undo. */
export function useQueue(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.queue(write, vars), [sync])
}
