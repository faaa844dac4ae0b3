import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import type { SyncState } from '#platform/sync/account/account-sync.ts'

export interface SyncStatusText {
  kind: 'offline' | 'silent' | 'sending' | 'waiting' | 'saved'
  text: string
  /** The text for a narrow screen; empty when nothing is shown. */
  short: string
  waiting: number
}

/** Describes the state of the changes made on this device. It says 'saved' only when the server has all of them. */
export function formatSyncStatus({
  connection,
  sending,
  waiting,
  durable,
}: Omit<SyncState, 'storageProblem'>): SyncStatusText {
  const number = integerFormat.format(waiting)
  const changes = counted(waiting, 'change')
  const wait = waiting === 1 ? 'waits' : 'wait'
  const waitHere = durable ? `${changes} ${wait}` : formatWaiting({ waiting, durable })
  if (connection !== 'up') {
    const [text, short, where] = connection === 'offline' ? offline : silent
    if (waiting === 0) return { kind: connection, text, short, waiting }
    return {
      kind: connection,
      text: `${text}. ${waitHere}${durable ? where : ''}`,
      short: `${short}, ${number} ${wait}`,
      waiting,
    }
  }
  if (waiting === 0) return { kind: 'saved', text: 'All changes saved', short: '', waiting }
  if (sending) return { kind: 'sending', text: `Sending ${changes}`, short: `Sending ${number}`, waiting }
  return { kind: 'waiting', text: waitHere, short: `${number} ${wait}`, waiting }
}

/** Says where the unsent changes are. */
export function formatWaiting({ waiting, durable }: Pick<SyncState, 'waiting' | 'durable'>): string {
  const changes = counted(waiting, 'change')
  if (!durable) return `${changes} ${waiting === 1 ? 'is' : 'are'} only in this tab`
  return `${changes} ${waiting === 1 ? 'waits' : 'wait'} on this device`
}

/** Describes refused changes until the person has handled them. */
export function formatFailedChanges(refused: number): { text: string; short: string; see: string } {
  return {
    text: `${counted(refused, 'change')} ${refused === 1 ? 'was' : 'were'} not accepted`,
    short: `${integerFormat.format(refused)} not accepted`,
    see: refused === 1 ? 'See it' : 'See them',
  }
}

const offline = ['Offline', 'Offline', ' on this device'] as const
const silent = ['The server does not answer', 'No answer', ''] as const
