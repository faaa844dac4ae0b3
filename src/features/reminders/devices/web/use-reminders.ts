import { useQuery } from '@tanstack/react-query'
import type { Reminders } from '#features/reminders/reminder/reminder-wire.ts'
import { type RequestProblem, RequestProblemError } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'
import { readReminders } from './reminder-calls.ts'
import { remindersKey } from './reminders-key.ts'

interface RemindersState {
  reminders: Reminders | undefined
  /** When the response was received, in epoch milliseconds. */
  readAt: number
  status: 'loading' | 'ready' | 'failed'
  /** Why the request failed; kept while it is retried. */
  problem: RequestProblem | undefined
  reread(): Promise<unknown>
}

/**
 * How reminders reach the person: devices and mail. Every screen that shows these settings reads them again, because other
 * devices may change them.
 */
export function useReminders(): RemindersState {
  const { account } = useSync()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    queryKey: remindersKey(account),
    queryFn: async ({ signal }) => {
      const result = await readReminders(account, signal)
      if ('problem' in result) throw new RequestProblemError(result.problem, result.requestProblem)
      return result.value
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
    networkMode: 'always',
  })
  // After an error, hide the older result: it may show a device that has been removed since.
  const reminders = error ? undefined : data
  const status = reminders ? 'ready' : error && !isFetching ? 'failed' : 'loading'
  const problem = useRequestProblem(error, reminders !== undefined)
  return { reminders, readAt: dataUpdatedAt, status, problem, reread: refetch }
}
