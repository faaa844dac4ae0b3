import type { SyncState } from '#platform/sync/account-sync.ts'
import { inDigits } from '#platform/ui/number-words.ts'

export interface Sign {
  kind: 'offline' | 'silent' | 'sending' | 'waiting' | 'saved'
  words: string
  /** For a narrow screen. */
  short: string
  waiting: number
}

/** What may be said of the changes made on this device: that all is saved only when the server has all of them. */
export function signOf({ connection, sending, waiting, durable }: Omit<SyncState, 'trouble'>): Sign {
  const number = inDigits.format(waiting)
  const changes = changesInWords(waiting)
  const stay = durable ? `${changes} waiting` : `${changes} only in this tab`
  if (connection !== 'up') {
    const [words, short] = connection === 'offline' ? offline : silent
    if (waiting === 0) return { kind: connection, words, short, waiting }
    return { kind: connection, words: `${words}, ${stay}`, short: `${short} · ${number}`, waiting }
  }
  if (waiting === 0) return { kind: 'saved', words: 'All changes saved', short: 'Saved', waiting }
  if (sending) return { kind: 'sending', words: `Sending ${changes}`, short: `Sending ${number}`, waiting }
  return { kind: 'waiting', words: stay, short: `${number} waiting`, waiting }
}

/** What is said of changes that were refused, as long as the person has not settled them. */
export function refusedInWords(refused: number): { words: string; short: string } {
  return { words: `${changesInWords(refused)} not saved`, short: `${inDigits.format(refused)} not saved` }
}

const offline = ['Offline', 'Offline'] as const
const silent = ['Server not responding', 'No response'] as const

function changesInWords(number: number): string {
  return `${inDigits.format(number)} ${number === 1 ? 'change' : 'changes'}`
}
