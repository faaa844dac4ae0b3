import type { SyncState } from '#platform/sync/account-sync.ts'
import { inDigits } from '#platform/ui/number-words.ts'

export interface Sign {
  kind: 'offline' | 'silent' | 'sending' | 'waiting' | 'saved'
  words: string
  /** For a narrow screen; empty where nothing is shown. */
  short: string
  waiting: number
}

/** What may be said of the changes made on this device: that all is saved only when the server has all of them. */
export function signOf({ connection, sending, waiting, durable }: Omit<SyncState, 'trouble'>): Sign {
  const number = inDigits.format(waiting)
  const changes = changesInWords(waiting)
  const wait = waiting === 1 ? 'waits' : 'wait'
  const waitHere = durable
    ? `${changes} ${wait}`
    : `${changes} ${waiting === 1 ? 'is' : 'are'} only in this tab`
  if (connection !== 'up') {
    const [words, short, where] = connection === 'offline' ? offline : silent
    if (waiting === 0) return { kind: connection, words, short, waiting }
    return {
      kind: connection,
      words: `${words}. ${waitHere}${durable ? where : ''}`,
      short: `${short}, ${number} ${wait}`,
      waiting,
    }
  }
  if (waiting === 0) return { kind: 'saved', words: 'All changes saved', short: '', waiting }
  if (sending) return { kind: 'sending', words: `Sending ${changes}`, short: `Sending ${number}`, waiting }
  return { kind: 'waiting', words: waitHere, short: `${number} ${wait}`, waiting }
}

/** What is said of changes that were refused, as long as the person has not settled them. */
export function refusedInWords(refused: number): { words: string; short: string; see: string } {
  return {
    words: `${changesInWords(refused)} ${refused === 1 ? 'was' : 'were'} not accepted`,
    short: `${inDigits.format(refused)} not accepted`,
    see: refused === 1 ? 'See it' : 'See them',
  }
}

const offline = ['Offline', 'Offline', ' on this device'] as const
const silent = ['The server does not answer', 'No answer', ''] as const

function changesInWords(number: number): string {
  return `${inDigits.format(number)} ${number === 1 ? 'change' : 'changes'}`
}
