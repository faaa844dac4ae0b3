import { createContext, useContext } from 'react'
import type { AccountSync } from '../account/account-sync.ts'

export const SyncContext = createContext<AccountSync | undefined>(undefined)

export function useSync(): AccountSync {
  const sync = useContext(SyncContext)
  if (!sync) throw new Error('Collections and writes need a SyncProvider around them')
  return sync
}
