import { useEffect, useState } from 'react'

const lastKey = 'daymark-loaded-anew'

/** Milliseconds after a reload within which another missing part causes no second reload. */
const minInterval = 60_000

/**
 * Reloads the page by itself if `wanted` and the server responds: most likely a newer build has replaced this page's. True
 * while that may still help; false once it was tried, or without a connection, when a reload would only take the app away.
 */
export function useReloadOnce(wanted: boolean): boolean {
  const [mayHelp, setMayHelp] = useState(wanted)
  useEffect(() => {
    if (!wanted) return
    let over = false
    const settle = async () => {
      const reload = isLongAgo() && (await isServerThere()) && storeReloadTime()
      if (over) return
      if (reload) location.reload()
      else setMayHelp(false)
    }
    void settle()
    return () => {
      over = true
    }
  }, [wanted])
  return mayHelp
}

async function isServerThere(): Promise<boolean> {
  try {
    const { ok } = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(5_000) })
    return ok
  } catch {
    return false
  }
}

function isLongAgo(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(lastKey)) > minInterval
  } catch {
    return false
  }
}

/** False when the browser has no storage: the page would reload forever. */
function storeReloadTime(): boolean {
  try {
    sessionStorage.setItem(lastKey, String(Date.now()))
    return true
  } catch {
    return false
  }
}
