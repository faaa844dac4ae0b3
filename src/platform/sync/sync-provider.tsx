import type { ReactNode } from 'react'
import type { AnyWrite } from './write.ts'

/** Stands within a QueryClientProvider. `onSignedOut`: the server no longer takes requests as this account; read the session again. */
export interface SyncProviderProps {
  account: string
  writes: readonly AnyWrite[]
  onSignedOut: () => void
  children: ReactNode
}

export declare function SyncProvider(props: SyncProviderProps): ReactNode
