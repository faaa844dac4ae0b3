export interface SyncState {
  /** Writes that have not reached the server yet. */
  waiting: number
  sending: boolean
  online: boolean
  /** False where the browser gives no storage: unsent writes are then lost with the tab, and a screen should say so. */
  durable: boolean
}

export declare function useSyncState(): SyncState
