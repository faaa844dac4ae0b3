import { isTyping } from '#platform/browser/keyboard/typing-state.ts'

const lastKey = 'daymark-loaded-anew'

/** Milliseconds after a reload in which another missing part causes no second reload. */
const minInterval = 60_000

/**
 * Whether the page may reload by itself: at most once in a while, and not while somebody types. Call it right before the
 * reload, since it records the time.
 */
export function mayReload(): boolean {
  return !isTyping() && isLongAgo() && storeReloadTime()
}

export async function isServerThere(): Promise<boolean> {
  try {
    const { ok } = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(5_000) })
    return ok
  } catch {
    return false
  }
}

function isLongAgo(): boolean {
  try {
    // A clock that was set back must not prevent a reload.
    return Math.abs(Date.now() - Number(sessionStorage.getItem(lastKey))) > minInterval
  } catch {
    return false
  }
}

/** Returns false when the browser has no storage: the page would otherwise reload forever. */
function storeReloadTime(): boolean {
  try {
    sessionStorage.setItem(lastKey, String(Date.now()))
    return true
  } catch {
    return false
  }
}
