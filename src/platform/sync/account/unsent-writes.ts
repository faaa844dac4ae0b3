import type { SenderState } from '../outbox/sender.ts'
import type { AccountSync } from './account-sync.ts'

const hopeless: readonly SenderState[] = ['waiting', 'blocked', 'throttled', 'signed-out', 'stuck']

/** How many writes a sign-out would lose now: all that the server has not accepted. */
export function unsentOf(sync: AccountSync): number {
  return sync.outbox.waiting + refusedOf(sync)
}

/**
 * Sends the queued writes before a person signs out of this device. Resolves with false if that fails, takes over `timeout`
 * milliseconds, or any write was refused.
 */
export async function drain(sync: AccountSync, timeout: number): Promise<boolean> {
  return (await sendQueued(sync, timeout)) && refusedOf(sync) === 0
}

/** Sends the queued writes. Resolves with false if that fails or takes more than `timeout` milliseconds. */
export async function sendQueued(sync: AccountSync, timeout: number): Promise<boolean> {
  const { outbox } = sync
  await outbox.ready
  if (outbox.waiting === 0) return true
  if (sync.senderState === 'throttled') return false
  sync.sendNow()
  let lastState: SenderState = sync.senderState
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), timeout)
    const stopListening = sync.subscribe(() => {
      const state = sync.senderState
      if (outbox.waiting === 0) end(true)
      else if (state !== lastState && hopeless.includes(state)) end(false)
      lastState = state
    })
    function end(sent: boolean) {
      clearTimeout(timer)
      stopListening()
      resolve(sent)
    }
  })
}

/** How many refused writes the person has not dealt with yet. These writes exist only on this device. */
function refusedOf({ outbox }: AccountSync): number {
  return outbox.failedWrites.filter(({ held }) => !held).length
}
