import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Collection } from '../collections/collection.ts'
import { createOverlay } from '../collections/overlay.ts'
import type { Write } from '../collections/write.ts'
import type { RequestProblem } from '../network/request-problem.ts'
import { useSync } from './sync-context.ts'
import { useRequestProblem } from './use-request-problem.ts'

export interface CollectionState<Row> {
  /** The server's rows with the queued writes applied on top; undefined until anything is known. */
  rows: Row[] | undefined
  /** While nothing is known: rows added on this device that have not been read back. */
  added: Row[]
  /** 'failed' only if there is nothing to show: a failed refresh keeps the last known rows. */
  status: 'loading' | 'ready' | 'failed'
  /** Why it failed, even while it is retried. */
  problem: RequestProblem | undefined
  /** Resolves once it has been read again or that has failed. */
  retry(): Promise<void>
}

export function useCollection<Row>(collection: Collection<Row>): CollectionState<Row> {
  const sync = useSync()
  const { data: snapshot, isFetching, error, refetch } = useQuery(sync.query(collection))
  const subscribe = useCallback((listener: () => void) => sync.outbox.subscribe(listener), [sync])
  const queued = useSyncExternalStore(subscribe, () => sync.outbox.writesTo(collection.name))
  const overlay = useMemo(() => createOverlay(collection, sync.writes), [collection, sync])
  const rows = overlay(snapshot?.rows ?? nothing, queued)
  const problem = useRequestProblem(error, snapshot !== undefined)
  const retry = useCallback(async () => {
    await refetch()
  }, [refetch])
  if (snapshot) return { rows, added: [], status: 'ready', problem, retry }
  const status = error && !isFetching ? 'failed' : 'loading'
  return { rows: undefined, added: rows, status, problem, retry }
}

const nothing: never[] = []

/**
 * Queues a write and shows it at once. Resolves with true once it is durable on the device, or with false if it could not
 * be stored: it is then no longer shown, and the person has been told. Never rejects.
 */
export type QueueWrite = <Row, Vars>(write: Write<Row, Vars>, vars: Vars) => Promise<boolean>

export function useWrite(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.write(write, vars), [sync])
}
