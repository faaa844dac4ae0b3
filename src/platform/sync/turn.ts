import { pause } from './pause.ts'

/** Of the tabs that share a device only one sends at a time. */
export interface Turn {
  name: string
  /** Takes or renews the turn by a note on the device, for browsers that have no locks (plain http has none). */
  take(now: number, until: number): Promise<boolean>
}

/** A tab that dies leaves its note behind; another may send this much later. */
const noteLasts = 10_000
const noteRenewed = 3_000

/** Waits for the turn and does `work` in it. Its signal is aborted when the turn is lost or `signal` is. */
export async function inTurn<Result>(
  turn: Turn,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (navigator.locks)
    return navigator.locks.request(turn.name, { signal }, () => orAborted(work(signal), signal))
  while (!(await takeNote(turn))) await pause(noteRenewed, signal)
  const lost = new AbortController()
  const renewal = setInterval(async () => {
    if (!(await takeNote(turn))) lost.abort()
  }, noteRenewed)
  try {
    const ours = AbortSignal.any([signal, lost.signal])
    return await orAborted(work(ours), ours)
  } finally {
    clearInterval(renewal)
    if (!lost.signal.aborted) await turn.take(Date.now(), 0).catch(() => false)
  }
}

/** The turn ends when it is aborted, whatever the work still waits for. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function takeNote(turn: Turn): Promise<boolean> {
  const now = Date.now()
  return turn.take(now, now + noteLasts).catch(() => false)
}
