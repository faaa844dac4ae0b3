import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { ask } from '#platform/sync/answer.ts'
import { listKey, ReadFailure } from '#platform/sync/base.ts'
import type { NewEntry } from '#platform/sync/entry.ts'
import { createOverlay } from '#platform/sync/overlay.ts'
import { useSync } from '#platform/sync/sync-context.ts'
import type { Trouble } from '#platform/sync/trouble.ts'
import { useTrouble } from '#platform/sync/use-trouble.ts'
import type { HabitFacts } from '../counted-habit.ts'
import { completionList, completionWrites, habitList } from './habit-queries.ts'

export interface Completions {
  /** In order; undefined until they are known. */
  days: Day[] | undefined
  failed: boolean
  /** Why it failed, also while it is tried again. */
  trouble: Trouble | undefined
  retry(): void
}

/**
 * Every day on which a habit was completed, as its opened view needs them: what the server said, with the changes laid
 * over it that this device has made since.
 */
export function useCompletions(habit: HabitFacts): Completions {
  const sync = useSync()
  const list = useMemo(() => completionList(habit.id), [habit.id])
  const overlay = useMemo(
    () => createOverlay(list, new Map(completionWrites(list).map((write) => [write.name, write]))),
    [list],
  )
  const { dataUpdatedAt: habitsReadAt } = useQuery(sync.query(habitList))
  const {
    data: said,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: listKey(sync.account, list.name),
    queryFn: async ({ signal }) => {
      const tick = nextTick()
      const answer = await ask({ method: 'GET', path: list.path }, sync.account, signal)
      if (answer.kind !== 'done') throw new ReadFailure(answer)
      return { rows: list.rows(answer.body), tick }
    },
    refetchOnMount: 'always',
  })
  const { laid, lastGone } = useLaidSince(said?.tick ?? 0, habit.id)

  // The habits were read again, or a change went out of the outbox: what is known here may be older than that.
  const readFor = useRef(habitsReadAt)
  useEffect(() => {
    if (readFor.current === habitsReadAt && lastGone === 0) return
    readFor.current = habitsReadAt
    void refetch()
  }, [habitsReadAt, lastGone, refetch])

  const days = useMemo(() => {
    if (!said) return undefined
    const { from } = habit.earlier
    return [...overlay(said.rows, laid).filter((day) => day < from), ...habit.since]
  }, [said, laid, overlay, habit.earlier, habit.since])
  const retry = useCallback(() => void refetch(), [refetch])
  const trouble = useTrouble(error, said !== undefined)
  return { days, failed: said === undefined && error !== null && !isFetching, trouble, retry }
}

/** The changes of a habit that a reading which began at `tick` may not have seen. */
function useLaidSince(tick: number, id: string): { laid: readonly NewEntry[]; lastGone: number } {
  const { outbox } = useSync()
  const subscribe = useCallback((listener: () => void) => outbox.subscribe(listener), [outbox])
  const all = useSyncExternalStore(subscribe, () => outbox.over(habitList.name))
  const queued = useMemo(() => all.filter(({ subject }) => subject === id), [all, id])
  const known = useRef<{ queued: readonly NewEntry[]; gone: Gone[]; laid: readonly NewEntry[] }>({
    queued,
    gone: [],
    laid: queued,
  })

  const before = known.current
  const justGone = before.queued.filter((entry) => !queued.some((other) => other.id === entry.id))
  const gone = [
    // The list of habits has seen them or they were refused; until these days are read too, they stay.
    ...before.gone.filter(({ at }) => at > tick),
    ...justGone.map((entry) => ({ entry, at: nextTick() })),
  ]
  const laid = [...gone.map(({ entry }) => entry), ...queued]
  const same = laid.length === before.laid.length && laid.every((entry, at) => entry === before.laid[at])
  known.current = { queued, gone, laid: same ? before.laid : laid }
  return { laid: known.current.laid, lastGone: gone.at(-1)?.at ?? 0 }
}

interface Gone {
  entry: NewEntry
  at: number
}

let ticks = 0

/** Orders, within this page, the beginnings of readings and the changes that went out of the outbox. */
function nextTick(): number {
  ticks += 1
  return ticks
}
