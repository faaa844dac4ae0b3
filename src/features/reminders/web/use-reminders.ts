import { useQuery } from '@tanstack/react-query'
import { useSync } from '#platform/sync/sync-context.ts'
import type { Reminders } from '../reminder.ts'
import { readReminders } from './reminder-calls.ts'

interface RemindersState {
  reminders: Reminders | undefined
  /** Epoch milliseconds. */
  readAt: number
  status: 'loading' | 'ready' | 'failed'
  reread(): Promise<unknown>
}

/** How reminders reach the person. Read anew by every screen that shows it: it is changed elsewhere too. */
export function useReminders(): RemindersState {
  const { account } = useSync()
  const { data, dataUpdatedAt, isError, isFetching, refetch } = useQuery({
    queryKey: remindersKey(account),
    queryFn: async ({ signal }) => {
      const read = await readReminders(account, signal)
      if ('problem' in read) throw new Error(read.problem)
      return read.value
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
    networkMode: 'always',
  })
  // An older reading may show a device that is removed by now.
  const reminders = isError ? undefined : data
  const status = reminders ? 'ready' : isError && !isFetching ? 'failed' : 'loading'
  return { reminders, readAt: dataUpdatedAt, status, reread: refetch }
}

export const remindersKey = (account: string) => ['reminders', account]
