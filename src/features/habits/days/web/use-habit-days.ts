import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { CountedFor } from '#features/habits/habit/counted-habit.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { createOverlay } from '#platform/sync/collections/overlay.ts'
import { collectionKey, ReadFailure } from '#platform/sync/collections/server-snapshot.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { nextTick, useOverlaidWrites } from '#platform/sync/react/use-overlaid-writes.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'
import { allDays, dayList, daysToRead, dayWrites } from './habit-day-queries.ts'

export interface AllHabitDays {
  /** Undefined while the days are loading. */
  days: HabitDays | undefined
  notes: ReadonlyMap<Day, string>
  failed: boolean
  /** Why loading failed; kept while it is being retried. */
  problem: RequestProblem | undefined
  retry(): void
}

/** All days of a habit, for its open view: the server's response with this device's later changes applied. */
export function useHabitDays(habit: HabitFacts, { today, calendar, pauses }: CountedFor): AllHabitDays {
  const sync = useSync()
  const list = useMemo(() => dayList(habit.id), [habit.id])
  const overlay = useMemo(
    () => createOverlay(list, new Map(dayWrites(list).map((write) => [write.name, write]))),
    [list],
  )
  const { dataUpdatedAt: habitsReadAt } = useQuery(sync.query(habitCollection))
  const years = daysToRead(habit, today)
  const {
    data: response,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: collectionKey(sync.account, list.name),
    queryFn: async ({ signal }) => {
      const tick = nextTick()
      const readYear = async ({ from, to }: DayRange) => {
        const path = `${list.path}?from=${from}&to=${to}`
        const result = await sendRequest({ method: 'GET', path }, sync.account, signal)
        if (result.kind !== 'done') throw new ReadFailure(result)
        return list.rows(result.body)
      }
      return { rows: (await Promise.all(years.map(readYear))).flat(), tick }
    },
    refetchOnMount: 'always',
  })
  const { overlaid, lastGone } = useOverlaidWrites(response?.tick ?? 0, {
    list: habitCollection.name,
    subject: habit.id,
  })

  // Read the days again when the habits were read again, or when a queued change was sent or dropped: the days may be out of
  // date.
  const readFor = useRef(habitsReadAt)
  useEffect(() => {
    if (readFor.current === habitsReadAt && lastGone === 0) return
    readFor.current = habitsReadAt
    void refetch()
  }, [habitsReadAt, lastGone, refetch])

  const rows = useMemo(() => response && overlay(response.rows, overlaid), [response, overlaid, overlay])
  const days = useMemo(
    () => rows && allDays(habit, rows, { calendar, pauses }),
    [rows, habit, calendar, pauses],
  )
  const notes = useMemo(
    () => new Map(rows?.flatMap(({ day, note }) => (note === '' ? [] : [[day, note] as const]))),
    [rows],
  )
  const retry = useCallback(() => void refetch(), [refetch])
  const problem = useRequestProblem(error, response !== undefined)
  return { days, notes, failed: response === undefined && error !== null && !isFetching, problem, retry }
}
