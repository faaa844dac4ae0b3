import { pause } from '../network/pause.ts'

/** Elects one leader among the tabs that share a local store, by a lock or, without the Web Locks API, by a lease. */
export interface Leadership {
  lockName: string
  /** Resolves if the leader does nothing, so that this tab should take over. */
  stalled(signal: AbortSignal): Promise<void>
  /** Claims or renews a lease in the local store, for browsers without locks (there are none over plain http). */
  claimLease(now: number, until: number): Promise<boolean>
}

/** Milliseconds until a lease expires. If the leading tab crashes, another tab can take over after this time. */
const leaseDuration = 10_000
const leaseRenewal = 3_000

type Work = (signal: AbortSignal) => Promise<void>

/**
 * Waits until this tab is the leader and then does `work`. Resolves with false if another tab took the leadership away;
 * the signal passed to `work` is then aborted.
 */
export function asLeader(leadership: Leadership, signal: AbortSignal, work: Work): Promise<boolean> {
  return navigator.locks ? byLock(leadership, signal, work) : byLease(leadership, signal, work)
}

async function byLock(leadership: Leadership, signal: AbortSignal, work: Work): Promise<boolean> {
  const acquired = new AbortController()
  const impatient = new AbortController()
  const lost = new AbortController()
  const whileLeader = AbortSignal.any([signal, lost.signal])
  let working: Promise<void> | undefined
  const acquire = () => {
    acquired.abort()
    working = orAborted(work(whileLeader), whileLeader)
    // The result is handled below. Here, a rejection would look as if the lock had been stolen.
    return working.catch(() => {})
  }
  leadership.stalled(AbortSignal.any([signal, acquired.signal])).then(
    () => impatient.abort(),
    () => {},
  )
  try {
    const wait = AbortSignal.any([signal, impatient.signal])
    await navigator.locks.request(leadership.lockName, { signal: wait }, acquire).catch((reason: unknown) => {
      if (signal.aborted || working) throw reason
      // Browsers freeze hidden tabs, which then keep the lock.
      return navigator.locks.request(leadership.lockName, { steal: true }, acquire)
    })
  } catch (reason) {
    if (!working) throw reason
    lost.abort()
    return false
  }
  await working
  return true
}

async function byLease(leadership: Leadership, signal: AbortSignal, work: Work): Promise<boolean> {
  while (!(await claim(leadership))) await pause(leaseRenewal, signal)
  const lost = new AbortController()
  const renewal = setInterval(async () => {
    if (!(await claim(leadership))) lost.abort()
  }, leaseRenewal)
  const whileLeader = AbortSignal.any([signal, lost.signal])
  try {
    await orAborted(work(whileLeader), whileLeader)
    return true
  } catch (reason) {
    if (!lost.signal.aborted) throw reason
    return false
  } finally {
    clearInterval(renewal)
    if (!lost.signal.aborted) await leadership.claimLease(Date.now(), 0).catch(() => false)
  }
}

/** Settles as the work does, or rejects as soon as the signal is aborted, whatever the work still waits for. */
function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function claim(leadership: Leadership): Promise<boolean> {
  const now = Date.now()
  return leadership.claimLease(now, now + leaseDuration).catch(() => false)
}
