import { useSyncExternalStore } from 'react'

const compact = window.matchMedia('(max-width: 767.98px), (pointer: coarse)')

/** Whether there is no room for the buttons of every row, or no pointer that could show them. */
export function useCompactRows(): boolean {
  return useSyncExternalStore(
    (changed) => {
      compact.addEventListener('change', changed)
      return () => compact.removeEventListener('change', changed)
    },
    () => compact.matches,
  )
}
