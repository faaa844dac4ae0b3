import { useEffect, useSyncExternalStore } from 'react'

/** Each answers whether the part is there. */
const fetches: (() => Promise<boolean>)[] = []

/**
 * A part of the screen that nobody sees at first, such as what a button opens. It is not sent with the screen but right
 * after it (`fetchLaterParts`), or as soon as it is wanted. The hook answers it once it is there.
 */
export function later<Part>(fetchPart: () => Promise<Part>): (wanted: boolean) => Part | undefined {
  let part: Part | undefined
  let fetching: Promise<boolean> | undefined
  let isWanted = false
  const listeners = new Set<() => void>()

  function fetchOnce(): Promise<boolean> {
    fetching ??= fetchPart().then(
      (fetched) => {
        part = fetched
        for (const listener of listeners) listener()
        return true
      },
      (reason: unknown) => {
        // Tried again when it is wanted the next time, or when there is a connection.
        fetching = undefined
        if (isWanted) console.warn('A part of the screen could not be fetched', reason)
        return false
      },
    )
    return fetching
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  fetches.push(fetchOnce)
  return function useLater(wanted) {
    useEffect(() => {
      isWanted = wanted
      if (wanted) void fetchOnce()
    }, [wanted])
    return useSyncExternalStore(subscribe, () => part)
  }
}

/** To be called while there is a connection and nothing better to do with it: later there may be none. */
export async function fetchLaterParts(): Promise<void> {
  for (const fetchOnce of fetches) if (!(await fetchOnce())) return
}
