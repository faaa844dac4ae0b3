import type { SyncState } from '#platform/sync/account-sync.ts'
import { inDigits } from '#platform/ui/number-words.ts'

export interface Sign {
  kind: 'offline' | 'sending' | 'waiting' | 'saved'
  words: string
  /** For a narrow screen. */
  short: string
  waiting: number
}

/** What may be said of the changes made on this device: that all is saved only when the server has all of them. */
export function signOf({ online, sending, waiting, durable }: SyncState): Sign {
  const number = inDigits.format(waiting)
  const changes = `${number} ${waiting === 1 ? 'change' : 'changes'}`
  const stay = durable ? `${changes} waiting` : `${changes} only in this tab`
  if (!online) {
    if (waiting === 0) return { kind: 'offline', words: 'Offline', short: 'Offline', waiting }
    return { kind: 'offline', words: `Offline, ${stay}`, short: `Offline · ${number}`, waiting }
  }
  if (waiting === 0) return { kind: 'saved', words: 'All changes saved', short: 'Saved', waiting }
  if (sending) return { kind: 'sending', words: `Sending ${changes}`, short: `Sending ${number}`, waiting }
  return { kind: 'waiting', words: stay, short: `${number} waiting`, waiting }
}
