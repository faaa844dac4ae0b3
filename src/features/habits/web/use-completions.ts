import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { createOverlay } from '#platform/sync/collections/overlay.ts'
import { collectionKey, ReadFailure } from '#platform/sync/collections/server-snapshot.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { nextTick, useOverlaidWrites } from '#platform/sync/react/use-overlaid-writes.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'
import type { HabitFacts } from '../counted-habit.ts'
import { completionList, completionWrites, habitList } from './habit-queries.ts'

export interface Completions {
  /** In order; undefined until they are known. */
  days: Day[] | undefined
  failed: boolean
  /** Why it failed, even while it is being retried. */
  problem: RequestProblem | undefined
  retry(): void
}

/**
 * Every day on which a habit was completed, for its open view: the server's response, overlaid with the changes that
 * this device has made since.
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
    data: response,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: collectionKey(sync.account, list.name),
    queryFn: async ({ signal }) => {
      const tick = nextTick()
      const result = await sendRequest({ method: 'GET', path: list.path }, sync.account, signal)
      if (result.kind !== 'done') throw new ReadFailure(result)
      return { rows: list.rows(result.body), tick }
    },
    refetchOnMount: 'always',
  })
  const { overlaid, lastGone } = useOverlaidWrites(response?.tick ?? 0, {
    list: habitList.name,
    subject: habit.id,
  })

  // The habits were read again, or a change left the outbox: the days here may be older than that.
  const readFor = useRef(habitsReadAt)
  useEffect(() => {
    if (readFor.current === habitsReadAt && lastGone === 0) return
    readFor.current = habitsReadAt
    void refetch()
  }, [habitsReadAt, lastGone, refetch])

  const days = useMemo(() => {
    if (!response) return undefined
    const { from } = habit.earlier
    return [...overlay(response.rows, overlaid).filter((day) => day < from), ...habit.since]
  }, [response, overlaid, overlay, habit.earlier, habit.since])
  const retry = useCallback(() => void refetch(), [refetch])
  const problem = useRequestProblem(error, response !== undefined)
  return { days, failed: response === undefined && error !== null && !isFetching, problem, retry }
}
