import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { List } from './list.ts'
import { createOverlay } from './overlay.ts'
import { useSync } from './sync-context.ts'
import type { Write } from './write.ts'

export interface ListState<Row> {
  /** What the server said with the queued writes laid over it; undefined until anything is known. */
  rows: Row[] | undefined
  /** 'failed' only while there is nothing to show: a failed refresh keeps the last known rows. */
  status: 'loading' | 'ready' | 'failed'
  /** Settles when it was read again, or could not be. */
  retry(): Promise<void>
}

export function useList<Row>(list: List<Row>): ListState<Row> {
  const sync = useSync()
  const { data: base, isFetching, isError, refetch } = useQuery(sync.query(list))
  const subscribe = useCallback((listener: () => void) => sync.outbox.subscribe(listener), [sync])
  const queued = useSyncExternalStore(subscribe, () => sync.outbox.over(list.name))
  const overlay = useMemo(() => createOverlay(list, sync.writes), [list, sync])
  const rows = base && overlay(base.rows, queued)
  const retry = useCallback(async () => {
    await refetch()
  }, [refetch])
  if (rows) return { rows, status: 'ready', retry }
  return { rows, status: isError && !isFetching ? 'failed' : 'loading', retry }
}

/**
 * Queues a write: shown at once, and the promise says true once it is durable on the device.
 * False: the device could not keep it, it is shown no longer and the person was told. Never rejects.
 */
export type QueueWrite = <Row, Vars>(write: Write<Row, Vars>, vars: Vars) => Promise<boolean>

export function useWrite(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.write(write, vars), [sync])
}
