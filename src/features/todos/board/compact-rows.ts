import { useSyncExternalStore } from 'react'

const compact = window.matchMedia('(max-width: 767.98px), (pointer: coarse)')

/** Whether rows show no buttons: on narrow screens there is no room, and touch screens have no pointer to hover with. */
export function useCompactRows(): boolean {
  return useSyncExternalStore(
    (changed) => {
      compact.addEventListener('change', changed)
      return () => compact.removeEventListener('change', changed)
    },
    () => compact.matches,
  )
}
