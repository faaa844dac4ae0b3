import { useEffect, useState } from 'react'

const lastKey = 'daymark-loaded-anew'

/** Milliseconds within which what is missing again is not fetched by loading anew. */
const notAgainFor = 60_000

/**
 * Loads the page again by itself, where it is `wanted` and the server answers: a newer build has most likely taken the
 * place of the one that this page is of. True while that may still help; false where it was tried, or without a
 * connection, where it would only take the app away.
 */
export function useLoadAnewOnce(wanted: boolean): boolean {
  const [mayHelp, setMayHelp] = useState(wanted)
  useEffect(() => {
    if (!wanted) return
    let over = false
    const settle = async () => {
      const goes = wasLongAgo() && (await isServerThere()) && noteNow()
      if (over) return
      if (goes) location.reload()
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

function wasLongAgo(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(lastKey)) > notAgainFor
  } catch {
    return false
  }
}

/** False where the browser keeps nothing: it would be loaded anew for ever. */
function noteNow(): boolean {
  try {
    sessionStorage.setItem(lastKey, String(Date.now()))
    return true
  } catch {
    return false
  }
}
