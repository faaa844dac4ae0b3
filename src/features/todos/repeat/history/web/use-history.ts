import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import * as z from 'zod/mini'
import { occurrenceSchema } from '#features/todos/repeat/rule/occurrences.ts'
import type { Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { settleOccurrence, todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { collectionKey, ReadFailure } from '#platform/sync/collections/server-snapshot.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { nextTick, useOverlaidWrites } from '#platform/sync/react/use-overlaid-writes.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { hasEarlier, historyOf, type PastOrComing } from '../history.ts'

interface History {
  days: ReadonlyMap<Day, PastOrComing>
  /** Whether earlier days are being read. */
  arriving: boolean
  /** Why earlier days could not be read. */
  problem: RequestProblem | undefined
  retry(): void
}

/**
 * The occurrences of a to-do. Recent days come from this device; earlier ones from the server, overlaid with the changes that
 * this device has made since.
 */
export function useHistory(todo: Todo, range: DayRange, today: Day): History {
  const sync = useSync()
  const { id } = todo
  const { from, to } = range
  const isWanted = hasEarlier(todo, from)
  const { dataUpdatedAt: todosReadAt } = useQuery(sync.query(todoCollection))
  const {
    data: response,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: collectionKey(sync.account, `history of ${id} ${from} ${to}`),
    async queryFn({ signal }) {
      const tick = nextTick()
      const path = `/api/todos/${id}/days?from=${from}&to=${to}`
      const result = await sendRequest({ method: 'GET', path }, sync.account, signal)
      if (result.kind !== 'done') throw new ReadFailure(result)
      return { rows: readKnown(daysSchema, result.body).days, tick }
    },
    enabled: isWanted,
    refetchOnMount: 'always',
    // The history is read again each time it is opened.
    gcTime: 60_000,
  })
  const { overlaid, lastGone } = useOverlaidWrites(response?.tick ?? 0, {
    list: todoCollection.name,
    subject: id,
  })

  // If the to-dos were read again, or a change left the outbox, the earlier days may be out of date.
  const readFor = useRef(todosReadAt)
  useEffect(() => {
    if (!isWanted || (readFor.current === todosReadAt && lastGone === 0)) return
    readFor.current = todosReadAt
    void refetch()
  }, [isWanted, todosReadAt, lastGone, refetch])

  const days = useMemo(() => {
    const read = response && withChanges(response.rows, overlaid)
    return historyOf(todo, { read, range: { from, to }, today })
  }, [todo, response, overlaid, from, to, today])
  const retry = useCallback(() => void refetch(), [refetch])
  const problem = useRequestProblem(error, response !== undefined)
  const isMissing = isWanted && response === undefined
  return {
    days,
    arriving: isMissing && (isFetching || error === null),
    problem: isMissing && !isFetching ? problem : undefined,
    retry,
  }
}

const daysSchema = z.object({ days: z.array(occurrenceSchema) })
const changeSchema = z.pick(occurrenceSchema, { day: true, state: true, done_on: true })

function withChanges(
  rows: readonly Occurrence[],
  writes: readonly { write: string; vars: unknown }[],
): readonly Occurrence[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  for (const { write, vars } of writes) {
    const change = write === settleOccurrence.name ? changeSchema.safeParse(vars).data : undefined
    if (change) byDay.set(change.day, { moved_to: null, ...byDay.get(change.day), ...change })
  }
  return [...byDay.values()]
}
