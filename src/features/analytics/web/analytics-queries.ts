import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { completedFocusSchema, focusSessionListSchema } from '#features/focus/focus-session.ts'
import {
  completedHabitsSchema,
  type HabitsDue,
  habitListSchema,
  habitsDueSchema,
} from '#features/habits/habit.ts'
import { completedTodosSchema } from '#features/todos/todo.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { ask } from '#platform/sync/answer.ts'
import { listKey, ReadFailure } from '#platform/sync/base.ts'
import { useSync } from '#platform/sync/sync-context.ts'
import type { Trouble } from '#platform/sync/trouble.ts'
import { useSyncState } from '#platform/sync/use-sync-state.ts'
import { useTrouble } from '#platform/sync/use-trouble.ts'
import { useWhenChanged } from '#platform/sync/use-when-changed.ts'
import type { DayFigure, Measure } from '../day-figure.ts'
import { allDue, type DueHabit } from '../due-habits.ts'

// Analytics only read. What is counted is counted by the server, so it is asked again when a change has reached it.

export interface Asked<Data> {
  data: Data | undefined
  /** 'failed' only while there is nothing to show. */
  status: 'loading' | 'ready' | 'failed'
  /** Why it failed, also while it is tried again. */
  trouble: Trouble | undefined
  retry(): void
}

/** Every day of a range with what it came to. */
export function useDays(measure: Measure, { from, to }: DayRange): Asked<DayFigure[]> {
  const { path, read } = calls[measure]
  return useAnswer(`${path}?from=${from}&to=${to}`, read)
}

export function useHabitsDue({ from, to }: DayRange): Asked<DueHabit[]> {
  const path = (first: Day, list?: string) =>
    `/api/habits/due?from=${first}&to=${to}${list === undefined ? '' : `&list=${list}`}`
  return useAsked(path(from), (account, signal) =>
    allDue(from, (first, list) => read(path(first, list), readHabitsDue, account, signal)),
  )
}

export function useHabits() {
  return useAnswer('/api/habits', readHabits)
}

export function useFocusSessions({ from, to }: DayRange) {
  return useAnswer(`/api/focus?from=${from}&to=${to}`, readSessions)
}

/** The completed to-dos of a range, newest first, 50 at a time. */
export function useCompletedTodos({ from, to }: DayRange) {
  const sync = useSync()
  const path = `/api/todos/completed?from=${from}&to=${to}`
  const readPage = (before: string | undefined, signal: AbortSignal) =>
    read(before === undefined ? path : `${path}&before=${before}`, readTodos, sync.account, signal)
  const query = useInfiniteQuery({
    queryKey: [...answersKey(sync.account), 'pages', path],
    queryFn: ({ signal, pageParam }) => readPage(pageParam, signal),
    initialPageParam: startOfList,
    getNextPageParam: nextPage,
    staleTime: justRead,
    gcTime: minutesKept,
  })
  const { data, error, isError, isFetching, refetch, fetchNextPage } = query
  const trouble = useTrouble(error, data !== undefined && !isError)
  const retry = useCallback(() => void refetch(), [refetch])
  const moreFailed = isError && data !== undefined
  const todos = useMemo(() => data?.pages.flatMap((page) => page.todos), [data])
  return {
    todos,
    count: data?.pages[0]?.count ?? 0,
    status: todos ? 'ready' : isError && !isFetching ? 'failed' : 'loading',
    trouble,
    retry,
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage || (moreFailed && isFetching),
    moreFailed,
    async loadMore() {
      // The row after which it goes on may be reopened or deleted, and the server refuses it for good: read anew.
      if (moreFailed && !(await refetch()).isSuccess) return
      await fetchNextPage()
    },
    /** Every one of them, for a file. What is shown stays as it is: all of it would be read again with each look. */
    async readAll() {
      const { signal } = new AbortController()
      const all: CompletedTodos['todos'] = []
      let before = startOfList
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
 * While a screen of analytics is open: a change that reached the server is counted. One from this tab leaves the outbox;
 * one from another tab may have come and gone between two looks, but brings other rows of its list; of one from another
 * device the server says so, also where no list shows it any more.
 */
export function useCountAfterChanges(): void {
  const { account } = useSync()
  const { waiting } = useSyncState()
  const queryClient = useQueryClient()
  useWhenChanged(counted, () => void queryClient.invalidateQueries({ queryKey: answersKey(account) }))
  const before = useRef(waiting)
  useEffect(() => {
    const landed = waiting < before.current
    before.current = waiting
    if (landed) void queryClient.invalidateQueries({ queryKey: answersKey(account) })
  }, [waiting, account, queryClient])

  useEffect(() => {
    const known = new Map<string, unknown>()
    for (const query of queryClient.getQueryCache().findAll({ queryKey: listKey(account) })) {
      known.set(query.queryHash, rowsOf(query.state.data))
    }
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      const rows = type === 'updated' ? rowsOf(query.state.data) : undefined
      if (rows === undefined || !isListOf(query.queryKey, account)) return
      const last = known.get(query.queryHash)
      known.set(query.queryHash, rows)
      if (last !== undefined && last !== rows) {
        void queryClient.invalidateQueries({ queryKey: answersKey(account) })
      }
    })
  }, [account, queryClient])
}

const counted = ['todos', 'habits', 'focus', 'preferences']

function isListOf([kind, of, name]: QueryKey, account: string): boolean {
  const [lists] = listKey(account)
  return kind === lists && of === account && name !== 'analytics'
}

/** The same object as long as they are the same rows. */
function rowsOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'rows' in data ? data.rows : undefined
}

/** Parts of one screen that ask the same within a moment share the answer; whoever comes back asks anew. */
const justRead = 1_000
const minutesKept = 300_000
const pageLength = 50
const startOfList: string | undefined = undefined

type CompletedTodos = ReturnType<typeof readTodos>

function nextPage({ todos }: CompletedTodos): string | undefined {
  return todos.length < pageLength ? undefined : todos.at(-1)?.id
}

function useAnswer<Data>(path: string, parse: (answer: unknown) => Data): Asked<Data> {
  return useAsked(path, (account, signal) => read(path, parse, account, signal))
}

/** What is found out by asking, kept under `path`. */
function useAsked<Data>(
  path: string,
  askFor: (account: string, signal: AbortSignal) => Promise<Data>,
): Asked<Data> {
  const { account } = useSync()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...answersKey(account), path],
    queryFn: ({ signal }) => askFor(account, signal),
    staleTime: justRead,
    gcTime: minutesKept,
  })
  const retry = useCallback(() => void refetch(), [refetch])
  const trouble = useTrouble(error, data !== undefined)
  if (data !== undefined) return { data, status: 'ready', trouble, retry }
  return { data, status: error && !isFetching ? 'failed' : 'loading', trouble, retry }
}

/** Under the account's lists, so that it is forgotten with them and tried again as they are. */
function answersKey(account: string): QueryKey {
  return listKey(account, 'analytics')
}

async function read<Data>(
  path: string,
  parse: (answer: unknown) => Data,
  account: string,
  signal: AbortSignal,
): Promise<Data> {
  const answer = await ask({ method: 'GET', path }, account, signal)
  if (answer.kind !== 'done') throw new ReadFailure(answer)
  return parse(answer.body)
}

const calls = {
  todos: { path: '/api/todos/completed', read: readTodoDays },
  habits: { path: '/api/habits/completed', read: readHabitDays },
  focus: { path: '/api/focus/completed', read: readFocusDays },
} as const

function readTodoDays(answer: unknown): DayFigure[] {
  const { days } = completedTodosSchema.parse(answer)
  return days.map(({ day, count }) => ({ day: dayOfAnswer(day), amount: count, beside: 0 }))
}

function readHabitDays(answer: unknown): DayFigure[] {
  const { days } = completedHabitsSchema.parse(answer)
  return days.map(({ day, completed, due }) => ({ day: dayOfAnswer(day), amount: completed, beside: due }))
}

function readFocusDays(answer: unknown): DayFigure[] {
  const { days } = completedFocusSchema.parse(answer)
  return days.map(({ day, count, seconds }) => ({ day: dayOfAnswer(day), amount: seconds, beside: count }))
}

function readHabitsDue(answer: unknown): HabitsDue {
  return habitsDueSchema.parse(answer)
}

function readHabits(answer: unknown) {
  return habitListSchema.parse(answer).habits
}

function readSessions(answer: unknown) {
  return focusSessionListSchema.parse(answer).sessions
}

function readTodos(answer: unknown) {
  return completedTodosSchema.parse(answer)
}

function dayOfAnswer(text: string): Day {
  return daySchema.parse(text)
}
