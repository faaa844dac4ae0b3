import { useEffect, useSyncExternalStore } from 'react'

const fetches: (() => Promise<void>)[] = []
const listeners = new Set<() => void>()
/** How many parts are wanted and could not be fetched. */
let missing = 0
let restIsFetched = false

/**
 * A part of the screen that nobody sees at first, such as what a button opens. It is not sent with the screen but right
 * after it (`fetchLaterParts`), or as soon as it is wanted. The hook answers it once it is there.
 *
 * 'soon': what people need most when the connection goes. It is fetched as soon as the screen that has it is drawn.
 */
export function later<Part>(
  fetchPart: () => Promise<Part>,
  when: 'soon' | 'with the rest' = 'with the rest',
): (wanted: boolean) => Part | undefined {
  let part: Part | undefined
  let fetching: Promise<void> | undefined
  let isWanted = false
  let isMissing = false

  function fetchOnce(): Promise<void> {
    fetching ??= fetchPart().then(
      (fetched) => {
        part = fetched
        setMissing(false)
      },
      (reason: unknown) => {
        // Tried again when it is wanted the next time, or when there is a connection.
        fetching = undefined
        if (!isWanted) return
        console.warn('A part of the screen could not be fetched', reason)
        setMissing(true)
      },
    )
    return fetching
  }

  function setMissing(is: boolean): void {
    missing += Number(is) - Number(isMissing)
    isMissing = is
    for (const listener of listeners) listener()
  }

  fetches.push(fetchOnce)
  if (restIsFetched) void fetchOnce()
  return function useLater(wanted) {
    useEffect(() => {
      isWanted = wanted
      if (wanted || when === 'soon') void fetchOnce()
    }, [wanted])
    return useSyncExternalStore(subscribe, () => part)
  }
}

/** To be called while there is a connection and nothing better to do with it: later there may be none. */
export async function fetchLaterParts(): Promise<void> {
  restIsFetched = true
  for (const fetchOnce of fetches) {
    // What is left is fetched when there is a connection again.
    if (!navigator.onLine) return
    await fetchOnce()
  }
}

/** Whether something that was asked for cannot be shown: a newer build has taken its place, or there is no connection. */
export function useMissingPart(): boolean {
  return useSyncExternalStore(subscribe, () => missing > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
