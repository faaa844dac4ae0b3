import { useQuery } from '@tanstack/react-query'
import { useSync } from '#platform/sync/sync-context.ts'
import { type Trouble, Troubled } from '#platform/sync/trouble.ts'
import { useTrouble } from '#platform/sync/use-trouble.ts'
import type { Reminders } from '../reminder.ts'
import { readReminders } from './reminder-calls.ts'

interface RemindersState {
  reminders: Reminders | undefined
  /** Epoch milliseconds. */
  readAt: number
  status: 'loading' | 'ready' | 'failed'
  /** Why it failed, also while it is tried again. */
  trouble: Trouble | undefined
  reread(): Promise<unknown>
}

/** How reminders reach the person. Read anew by every screen that shows it: it is changed elsewhere too. */
export function useReminders(): RemindersState {
  const { account } = useSync()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    queryKey: remindersKey(account),
    queryFn: async ({ signal }) => {
      const read = await readReminders(account, signal)
      if ('problem' in read) throw new Troubled(read.problem, read.trouble)
      return read.value
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
    networkMode: 'always',
  })
  // An older reading may show a device that is removed by now.
  const reminders = error ? undefined : data
  const status = reminders ? 'ready' : error && !isFetching ? 'failed' : 'loading'
  const trouble = useTrouble(error, reminders !== undefined)
  return { reminders, readAt: dataUpdatedAt, status, trouble, reread: refetch }
}

export const remindersKey = (account: string) => ['reminders', account]
