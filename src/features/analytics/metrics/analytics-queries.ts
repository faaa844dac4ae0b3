import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import {
  completedFocusSchema,
  focusSessionCollectionSchema,
  sessionNones,
} from '#features/focus/sessions/focus-session.ts'
import { focusBySubjectSchema } from '#features/focus/subjects/focus-by-subject.ts'
import { habitCollectionSchema, habitNones } from '#features/habits/habit/habit.ts'
import { completedHabitsSchema, type HabitsDue, habitsDueSchema } from '#features/habits/past/habits-due.ts'
import { pauseCollectionSchema, pauseNones } from '#features/habits/pauses/pause.ts'
import { allListsSchema, listNones } from '#features/lists/list/list.ts'
import { completedTaskKey, completedTodosSchema } from '#features/todos/completed/completed-todos.ts'
import { todoNones } from '#features/todos/todo/todo.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { collectionKey, ReadFailure } from '#platform/sync/collections/server-snapshot.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'
import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { useWhenChanged } from '#platform/sync/react/use-when-changed.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import type { DayValue, Metric } from './day-value.ts'
import { type DueHabit, dueOnTheDay, readAllDue } from './due-habits.ts'

// Analytics only read. The server does the counting, so a change on this device is counted once the server has it.

export interface QueryState<Data> {
  data: Data | undefined
  /** 'failed' only if there is no data to show. */
  status: 'loading' | 'ready' | 'failed'
  /** Why reading failed; kept during a retry. */
  problem: RequestProblem | undefined
  retry(): void
}

/** Reads every day of a range with its value. */
export function useDays(metric: Metric, { from, to }: DayRange): QueryState<DayValue[]> {
  const { path, read } = sources[metric]
  return useResponse(`${path}?from=${from}&to=${to}`, read)
}

/** The habits that were due in a range. With `onTheDay`, only those that were due on one particular day. */
export function useHabitsDue(
  { from, to }: DayRange,
  { onTheDay = false }: { onTheDay?: boolean } = {},
): QueryState<DueHabit[]> {
  const path = (first: Day, list?: string) =>
    `/api/habits/due?from=${first}&to=${to}${list === undefined ? '' : `&list=${list}`}`
  const key = onTheDay ? `${path(from)}#day` : path(from)
  return useAnalyticsQuery(key, async (account, signal) => {
    const due = await readAllDue(from, (first, list) =>
      read(path(first, list), readHabitsDue, account, signal),
    )
    return onTheDay ? dueOnTheDay(due, await read('/api/habits', readHabits, account, signal)) : due
  })
}

export function useHabits() {
  return useResponse('/api/habits', readHabits)
}

export function usePauses() {
  return useResponse('/api/pauses', readPauses)
}

export function useFocusSessions({ from, to }: DayRange) {
  return useResponse(`/api/focus?from=${from}&to=${to}`, readSessions)
}

/** The focus time in a range, by to-do and habit. */
export function useFocusBySubject({ from, to }: DayRange) {
  return useResponse(`/api/focus/subjects?from=${from}&to=${to}`, readSubjects)
}

/** The person's lists in their order, including archived ones. */
export function useLists() {
  return useResponse('/api/lists', readLists)
}

/** The completed to-dos of a range, newest first, 50 at a time. With `list`, only those of one list. */
export function useCompletedTodos({ from, to }: DayRange, list?: string) {
  const sync = useSync()
  const ofList = list === undefined ? '' : `&list_id=${list}`
  const path = `/api/todos/completed?from=${from}&to=${to}${ofList}`
  const readPage = (before: string | undefined, signal: AbortSignal) =>
    read(before === undefined ? path : `${path}&before=${before}`, readTodos, sync.account, signal)
  const query = useInfiniteQuery({
    queryKey: [...analyticsKey(sync.account), 'pages', path],
    queryFn: ({ signal, pageParam }) => readPage(pageParam, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    staleTime: sharedFor,
    gcTime: cacheTime,
  })
  const { data, error, isError, isFetching, refetch, fetchNextPage } = query
  const problem = useRequestProblem(error, data !== undefined && !isError)
  const retry = useCallback(() => void refetch(), [refetch])
  const moreFailed = isError && data !== undefined
  const todos = useMemo(() => data?.pages.flatMap((page) => page.todos), [data])
  return {
    todos,
    count: data?.pages[0]?.count ?? 0,
    status: todos ? 'ready' : isError && !isFetching ? 'failed' : 'loading',
    problem,
    retry,
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage || (moreFailed && isFetching),
    moreFailed,
    async loadMore() {
      // The row after which the next page starts may have been reopened or deleted, so that the server would refuse the page
      // every time. Read everything again.
      if (moreFailed && !(await refetch()).isSuccess) return
      await fetchNextPage()
    },
    /** Reads all pages, for a file. Bypasses the query: otherwise every later refresh would read all pages again. */
    async readAll() {
      const { signal } = new AbortController()
      const all: CompletedTodos['todos'] = []
      let before = firstPage
      do {
        const page = await readPage(before, signal)
        all.push(...page.todos)
        before = nextPage(page)
      } while (before !== undefined)
      return all
    },
  } as const
}

/**
 * Counts again whenever a change has reached the server while an analytics screen is open. A change from this tab is noticed when
 * it leaves the outbox of unsent changes. A change from another tab may pass the outbox unnoticed, but brings new rows of its
 * collection. A change from another device is announced by the server, even if no screen shows the row any more.
 */
export function useCountAfterChanges(): void {
  const { account } = useSync()
  const { waiting } = useSyncState()
  const queryClient = useQueryClient()
  useWhenChanged(
    countedCollections,
    () => void queryClient.invalidateQueries({ queryKey: analyticsKey(account) }),
  )
  const before = useRef(waiting)
  useEffect(() => {
    const wasSent = waiting < before.current
    before.current = waiting
    if (wasSent) void queryClient.invalidateQueries({ queryKey: analyticsKey(account) })
  }, [waiting, account, queryClient])

  useEffect(() => {
    const rowsByQuery = new Map<string, unknown>()
    for (const query of queryClient.getQueryCache().findAll({ queryKey: collectionKey(account) })) {
      rowsByQuery.set(query.queryHash, rowsOf(query.state.data))
    }
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      const rows = type === 'updated' ? rowsOf(query.state.data) : undefined
      if (rows === undefined || !isCollectionOf(query.queryKey, account)) return
      const last = rowsByQuery.get(query.queryHash)
      rowsByQuery.set(query.queryHash, rows)
      if (last !== undefined && last !== rows) {
        void queryClient.invalidateQueries({ queryKey: analyticsKey(account) })
      }
    })
  }, [account, queryClient])
}

const countedCollections = ['todos', 'lists', 'habits', 'pauses', 'focus', 'preferences']

function isCollectionOf([kind, of, name]: QueryKey, account: string): boolean {
  const [collections] = collectionKey(account)
  return kind === collections && of === account && name !== 'analytics'
}

/** The rows of cached response data. If the rows did not change, they are the same object as before, so that `===` tells. */
function rowsOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'rows' in data ? data.rows : undefined
}

/** Milliseconds for which parts of a screen that make the same request share its response. */
const sharedFor = 1_000
const cacheTime = 300_000
const pageLength = 50
const firstPage: string | undefined = undefined

type CompletedTodos = ReturnType<typeof readTodos>

function nextPage({ todos }: CompletedTodos): string | undefined {
  const last = todos.at(-1)
  return todos.length < pageLength || !last ? undefined : completedTaskKey(last)
}

function useResponse<Data>(path: string, parse: (response: unknown) => Data): QueryState<Data> {
  return useAnalyticsQuery(path, (account, signal) => read(path, parse, account, signal))
}

/** A query that may make several requests, cached under the path of the first. */
function useAnalyticsQuery<Data>(
  path: string,
  readData: (account: string, signal: AbortSignal) => Promise<Data>,
): QueryState<Data> {
  const { account } = useSync()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...analyticsKey(account), path],
    queryFn: ({ signal }) => readData(account, signal),
    staleTime: sharedFor,
    gcTime: cacheTime,
  })
  const retry = useCallback(() => void refetch(), [refetch])
  const problem = useRequestProblem(error, data !== undefined)
  if (data !== undefined) return { data, status: 'ready', problem, retry }
  return { data, status: error && !isFetching ? 'failed' : 'loading', problem, retry }
}

/**
 * The key begins with the key of the account's collections, so that analytics are forgotten and retried together with the
 * collections.
 */
function analyticsKey(account: string): QueryKey {
  return collectionKey(account, 'analytics')
}

async function read<Data>(
  path: string,
  parse: (response: unknown) => Data,
  account: string,
  signal: AbortSignal,
): Promise<Data> {
  const result = await sendRequest({ method: 'GET', path }, account, signal)
  if (result.kind !== 'done') throw new ReadFailure(result)
  return parse(result.body)
}

const sources = {
  todos: { path: '/api/todos/completed', read: readTodoDays },
  habits: { path: '/api/habits/completed', read: readHabitDays },
  focus: { path: '/api/focus/completed', read: readFocusDays },
} as const

function readTodoDays(response: unknown): DayValue[] {
  const { days } = readTodos(response)
  return days.map(({ day, count }) => ({ day: parseDay(day), amount: count, occasions: 0 }))
}

function readHabitDays(response: unknown): DayValue[] {
  const { days } = readKnown(completedHabitsSchema, response)
  return days.map(({ day, completed, due }) => ({ day: parseDay(day), amount: completed, occasions: due }))
}

function readFocusDays(response: unknown): DayValue[] {
  const { days } = readKnown(completedFocusSchema, response)
  return days.map(({ day, count, seconds }) => ({ day: parseDay(day), amount: seconds, occasions: count }))
}

function readHabitsDue(response: unknown): HabitsDue {
  return readKnown(habitsDueSchema, response, { habits: { frequency: 'daily' } })
}

function readHabits(response: unknown) {
  return readKnown(habitCollectionSchema, response, { habits: habitNones }).habits
}

function readPauses(response: unknown) {
  return readKnown(pauseCollectionSchema, response, { pauses: pauseNones }).pauses
}

function readLists(response: unknown) {
  return readKnown(allListsSchema, response, { lists: listNones }).lists
}

function readSessions(response: unknown) {
  return readKnown(focusSessionCollectionSchema, response, { sessions: sessionNones }).sessions
}

function readSubjects(response: unknown) {
  return readKnown(focusBySubjectSchema, response).subjects
}

function readTodos(response: unknown) {
  return readKnown(completedTodosSchema, response, { todos: todoNones })
}

function parseDay(text: string): Day {
  return daySchema.parse(text)
}
