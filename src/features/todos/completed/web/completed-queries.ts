import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type Todo, todoNones } from '#features/todos/todo/todo.ts'
import { todoSearch } from '#features/todos/todo/todo-search.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { type Day, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { wantedOf } from '#platform/search/match.ts'
import { collectionKey, ReadFailure } from '#platform/sync/collections/server-snapshot.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'
import { useWhenChanged } from '#platform/sync/react/use-when-changed.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { completedTaskKey, completedTodosSchema } from '../completed-todos.ts'

/** A completed to-do, and the person's day on which it was completed. */
export interface CompletedTodo {
  todo: Todo
  day: Day
  /** The occurrence that was completed; null if the to-do does not repeat. */
  occurrence: Day | null
  /** Identifies the completion (`completedTaskKey`). */
  key: string
}

interface CompletedDay {
  day: Day
  /** How many completions the day has, including those that are not loaded yet. */
  count: number
  completed: CompletedTodo[]
}

interface CompletedPages {
  /** The latest day first; undefined until any completions are known. */
  days: CompletedDay[] | undefined
  /** How many completions there are in total; undefined while only those on this device are known. */
  count: number | undefined
  /** Why the server's completions could not be read. */
  problem: RequestProblem | undefined
  reading: boolean
  more: boolean
  loadingMore: boolean
  loadMore(): void
  retry(): void
}

/**
 * Completed to-dos, the latest first, 50 at a time. `wanted` limits them to a list or a search text; without either, to-dos of
 * the `archived` lists are left out. Changes on this device count at once. `gone`: the completions that have left the page.
 * Without a connection, only completions on this device are shown.
 */
export function useCompletedTodos(
  wanted: { list?: string | undefined; search?: string | undefined },
  { gone, archived }: { gone: ReadonlySet<string>; archived: ReadonlySet<string> },
): CompletedPages {
  const sync = useSync()
  const { timeZone, dayStart } = useUserCalendar()
  const { rows, queued } = useTodos()
  const query = useInfiniteQuery({
    queryKey: [...completedKey(sync.account), wanted],
    queryFn: ({ signal, pageParam }) => readPage(sync.account, wanted, { before: pageParam, signal }),
    initialPageParam: firstPage,
    getNextPageParam({ todos }) {
      const last = todos.at(-1)
      return todos.length < pageLength || !last ? undefined : completedTaskKey(last)
    },
    staleTime: 0,
    // Drop results a minute after the person searches for something else.
    gcTime: 60_000,
  })
  useReadAfterChanges(queued.length)

  const here = useMemo(() => new Map(rows?.map((todo) => [todo.id, todo])), [rows])
  const pages = query.data?.pages
  const hasMore = query.hasNextPage
  const days = useMemo(() => {
    const sought = wantedOf(wanted.search ?? '')
    const own = (rows ?? [])
      .filter(({ list_id }) => wanted.list === undefined || list_id === wanted.list)
      .filter(({ list_id }) => wanted.list !== undefined || sought || !archived.has(list_id ?? ''))
      .filter((todo) => !sought || todoSearch.matches(todo, sought))
      .flatMap((todo) => completedOf(todo, (at) => dayOf(instantFromWire(at), timeZone, dayStart)))
    if (!pages) return byDay(own.sort(latestFirst), new Map())

    const read = pages.flatMap(({ todos }) =>
      todos.map((todo) => ({
        todo: { ...todo, title: here.get(todo.id)?.title ?? todo.title },
        day: todo.completed_on,
        occurrence: todo.day,
        key: completedTaskKey(todo),
      })),
    )
    // A row may be on two pages: it moved to the next page after the first page was read.
    const once = new Map(read.map((each) => [each.key, each]))
    const counts = new Map(pages.flatMap((page) => page.days.map(({ day, count }) => [day, count])))
    const isLeft = ({ todo, occurrence, key }: CompletedTodo) =>
      !gone.has(key) && !gone.has(todo.id) && isCompletedHere(here.get(todo.id), occurrence)
    for (const each of once.values()) {
      if (!isLeft(each)) counts.set(each.day, (counts.get(each.day) ?? 1) - 1)
    }
    // Add completions made on this device since the pages were read.
    const last = read.at(-1)?.todo.completed_at ?? ''
    const fresh = own.filter(
      ({ todo: { completed_at }, key }) =>
        !once.has(key) && !gone.has(key) && (!hasMore || (completed_at ?? '') > last),
    )
    for (const { day } of fresh) counts.set(day, (counts.get(day) ?? 0) + 1)
    return byDay([...fresh, ...[...once.values()].filter(isLeft)].sort(latestFirst), counts)
  }, [pages, hasMore, rows, here, gone, archived, wanted, timeZone, dayStart])

  const { error, isError, isFetching, refetch, fetchNextPage } = query
  const problem = useRequestProblem(error, pages !== undefined && !isError)
  const retry = useCallback(() => void refetch(), [refetch])
  const moreFailed = isError && pages !== undefined
  return {
    days: pages || isError ? days : undefined,
    count: pages?.[0]?.count,
    problem: isError ? problem : undefined,
    reading: isFetching,
    more: hasMore,
    loadingMore: query.isFetchingNextPage || (moreFailed && isFetching),
    async loadMore() {
      // Read the pages again first: the last row may have been reopened, and the server would refuse to continue after that row.
      if (moreFailed && !(await refetch()).isSuccess) return
      await fetchNextPage()
    },
    retry,
  }
}

/** The first page of matches, for callers that need no more. */
export function completedQuery(account: string, wanted: { search: string }) {
  return {
    queryKey: [...completedKey(account), 'first', wanted],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readPage(account, wanted, { before: firstPage, signal }),
    staleTime: 0,
    gcTime: 60_000,
  }
}

async function readPage(
  account: string,
  wanted: { list?: string | undefined; search?: string | undefined },
  { before, signal }: { before: string | undefined; signal: AbortSignal },
) {
  const result = await sendRequest({ method: 'GET', path: pathOf(wanted, before) }, account, signal)
  if (result.kind !== 'done') throw new ReadFailure(result)
  return readKnown(completedTodosSchema, result.body, { todos: todoNones })
}

/** The completions of a to-do that this device knows. For a repeating to-do, the device knows only the last months. */
function completedOf(todo: Todo, dayOfInstant: (at: string) => Day): CompletedTodo[] {
  const { id, completed, completed_at, settled = [] } = todo
  const occurrences = settled.flatMap(({ day: occurrence, state, done_on, at }) =>
    state === 'done' && done_on !== null
      ? [
          {
            todo: { ...todo, completed: 1 as const, completed_at: at },
            day: done_on,
            occurrence,
            key: completedTaskKey({ id, day: occurrence }),
          },
        ]
      : [],
  )
  // A repeating to-do is completed when its last occurrence is, so it has no completion of its own.
  if (completed === 0 || completed_at === null || occurrences.length > 0) return occurrences
  return [{ todo, day: dayOfInstant(completed_at), occurrence: null, key: id }]
}

/** False only if this device knows that the completion was reopened. */
function isCompletedHere(todo: Todo | undefined, occurrence: Day | null): boolean {
  if (occurrence === null) return todo?.completed !== 0
  const row = todo?.settled?.find(({ day }) => day === occurrence)
  return row === undefined || row.state === 'done'
}

function byDay(completed: readonly CompletedTodo[], counts: ReadonlyMap<string, number>): CompletedDay[] {
  return [...Map.groupBy(completed, ({ day }) => day)].map(([day, of]) => ({
    day,
    count: Math.max(counts.get(day) ?? 0, of.length),
    completed: of,
  }))
}

function latestFirst({ todo: one }: CompletedTodo, { todo: other }: CompletedTodo): number {
  return (one.completed_at ?? '') < (other.completed_at ?? '') ? 1 : -1
}

/**
 * Reads the completions again once a change to to-dos has reached the server, from this device or another. `waiting`: how many
 * changes this device still has to send.
 */
function useReadAfterChanges(waiting: number) {
  const { account } = useSync()
  const queryClient = useQueryClient()
  const read = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: completedKey(account) }),
    [queryClient, account],
  )
  useWhenChanged(ofTodos, read)
  const before = useRef(waiting)
  useEffect(() => {
    const wasSent = waiting < before.current
    before.current = waiting
    if (wasSent) read()
  }, [waiting, read])
}

/** Milliseconds from the last key press to the request. */
export const searchDelay = 250

const ofTodos = ['todos', 'lists']
const pageLength = 50
const firstPage: string | undefined = undefined

/** Nested under the account's collections, so that the query is cleared and retried together with them. */
function completedKey(account: string) {
  return collectionKey(account, 'completed')
}

function pathOf(
  { list, search }: { list?: string | undefined; search?: string | undefined },
  before: string | undefined,
): string {
  const asked = new URLSearchParams({
    range: 'all',
    ...(list !== undefined && { list_id: list }),
    ...(search !== undefined && { search }),
    ...(before !== undefined && { before }),
  })
  return `/api/todos/completed?${asked}`
}
