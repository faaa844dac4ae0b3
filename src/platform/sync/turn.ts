import { pause } from './pause.ts'

/** Of the tabs that share a device only one sends at a time. */
export interface Turn {
  name: string
  /** Resolves when the tab that has the turn does nothing with it, so that this one had better take it. */
  stalled(signal: AbortSignal): Promise<void>
  /** Takes or renews the turn by a note on the device, for browsers that have no locks (plain http has none). */
  take(now: number, until: number): Promise<boolean>
}

/** A tab that dies leaves its note behind; another may send this much later. */
const noteLasts = 10_000
const noteRenewed = 3_000

type Work = (signal: AbortSignal) => Promise<void>

/** Waits for the turn and does `work` in it. False when the turn was taken away, which `work` is told by its signal. */
export function inTurn(turn: Turn, signal: AbortSignal, work: Work): Promise<boolean> {
  return navigator.locks ? byLock(turn, signal, work) : byNote(turn, signal, work)
}

async function byLock(turn: Turn, signal: AbortSignal, work: Work): Promise<boolean> {
  const entered = new AbortController()
  const impatient = new AbortController()
  const lost = new AbortController()
  const ours = AbortSignal.any([signal, lost.signal])
  let worked: Promise<void> | undefined
  const enter = () => {
    entered.abort()
    worked = orAborted(work(ours), ours)
    // How it ended is told below: here a rejection means that the lock was taken away.
    return worked.catch(() => {})
  }
  turn.stalled(AbortSignal.any([signal, entered.signal])).then(
    () => impatient.abort(),
    () => {},
  )
  try {
    const wait = AbortSignal.any([signal, impatient.signal])
    await navigator.locks.request(turn.name, { signal: wait }, enter).catch((ended: unknown) => {
      if (signal.aborted || worked) throw ended
      // Browsers freeze tabs that are out of sight, with the lock in their hands.
      return navigator.locks.request(turn.name, { steal: true }, enter)
    })
  } catch (ended) {
    if (!worked) throw ended
    lost.abort()
    return false
  }
  await worked
  return true
}

async function byNote(turn: Turn, signal: AbortSignal, work: Work): Promise<boolean> {
  while (!(await takeNote(turn))) await pause(noteRenewed, signal)
  const lost = new AbortController()
  const renewal = setInterval(async () => {
    if (!(await takeNote(turn))) lost.abort()
  }, noteRenewed)
  const ours = AbortSignal.any([signal, lost.signal])
  try {
    await orAborted(work(ours), ours)
    return true
  } catch (ended) {
    if (!lost.signal.aborted) throw ended
    return false
  } finally {
    clearInterval(renewal)
    if (!lost.signal.aborted) await turn.take(Date.now(), 0).catch(() => false)
  }
}

/** The turn ends when it is aborted, whatever the work still waits for. */
function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function takeNote(turn: Turn): Promise<boolean> {
  const now = Date.now()
  return turn.take(now, now + noteLasts).catch(() => false)
}
