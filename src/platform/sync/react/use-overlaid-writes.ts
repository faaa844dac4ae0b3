import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import type { NewQueuedWrite, RowRef } from '../local-store/queued-write.ts'
import { useSync } from './sync-context.ts'

/**
 * For data about a row that is read apart from its collection: the writes to the row that a read started at `tick` may not
 * include. `lastGone`: the tick at which the last of these writes left the outbox; 0 if none did.
 */
export function useOverlaidWrites(
  tick: number,
  { list, subject }: RowRef,
): { overlaid: readonly NewQueuedWrite[]; lastGone: number } {
  const { outbox } = useSync()
  const subscribe = useCallback((listener: () => void) => outbox.subscribe(listener), [outbox])
  const all = useSyncExternalStore(subscribe, () => outbox.writesTo(list))
  const queued = useMemo(() => all.filter((write) => write.subject === subject), [all, subject])
  const state = useRef<{
    queued: readonly NewQueuedWrite[]
    gone: Gone[]
    overlaid: readonly NewQueuedWrite[]
  }>({
    queued,
    gone: [],
    overlaid: queued,
  })

  const before = state.current
  const justGone = before.queued.filter((write) => !queued.some((other) => other.id === write.id))
  const gone = [
    // Writes that left the outbox: the collection includes them, or the server rejected them. They stay until the other data is
    // read again too.
    ...before.gone.filter(({ at }) => at > tick),
    ...justGone.map((write) => ({ write, at: nextTick() })),
  ]
  const overlaid = [...gone.map(({ write }) => write), ...queued]
  const same =
    overlaid.length === before.overlaid.length && overlaid.every((write, at) => write === before.overlaid[at])
  state.current = { queued, gone, overlaid: same ? before.overlaid : overlaid }
  return { overlaid: state.current.overlaid, lastGone: gone.at(-1)?.at ?? 0 }
}

interface Gone {
  write: NewQueuedWrite
  at: number
}

let ticks = 0

/** A counter that orders the starts of reads and the writes leaving the outbox, within this page. */
export function nextTick(): number {
  ticks += 1
  return ticks
}
