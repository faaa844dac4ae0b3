import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { List } from './list.ts'
import { createOverlay } from './overlay.ts'
import { useSync } from './sync-context.ts'
import type { Trouble } from './trouble.ts'
import { useTrouble } from './use-trouble.ts'
import type { Write } from './write.ts'

export interface ListState<Row> {
  /** What the server said with the queued writes laid over it; undefined until anything is known. */
  rows: Row[] | undefined
  /** While nothing is known: what was added on this device and has not been read back. */
  added: Row[]
  /** 'failed' only while there is nothing to show: a failed refresh keeps the last known rows. */
  status: 'loading' | 'ready' | 'failed'
  /** Why it failed, also while it is tried again. */
  trouble: Trouble | undefined
  /** Settles when it was read again, or could not be. */
  retry(): Promise<void>
}

export function useList<Row>(list: List<Row>): ListState<Row> {
  const sync = useSync()
  const { data: base, isFetching, error, refetch } = useQuery(sync.query(list))
  const subscribe = useCallback((listener: () => void) => sync.outbox.subscribe(listener), [sync])
  const queued = useSyncExternalStore(subscribe, () => sync.outbox.over(list.name))
  const overlay = useMemo(() => createOverlay(list, sync.writes), [list, sync])
  const rows = overlay(base?.rows ?? nothing, queued)
  const trouble = useTrouble(error, base !== undefined)
  const retry = useCallback(async () => {
    await refetch()
  }, [refetch])
  if (base) return { rows, added: [], status: 'ready', trouble, retry }
  const status = error && !isFetching ? 'failed' : 'loading'
  return { rows: undefined, added: rows, status, trouble, retry }
}

const nothing: never[] = []

/**
 * Queues a write: shown at once, and the promise says true once it is durable on the device.
 * False: the device could not keep it, it is shown no longer and the person was told. Never rejects.
 */
export type QueueWrite = <Row, Vars>(write: Write<Row, Vars>, vars: Vars) => Promise<boolean>

export function useWrite(): QueueWrite {
  const sync = useSync()
  return useCallback((write, vars) => sync.write(write, vars), [sync])
}
