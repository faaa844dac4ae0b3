import { useSyncExternalStore } from 'react'

const compact = window.matchMedia('(max-width: 767.98px), (pointer: coarse), (hover: none)')

/** Whether rows have one button instead of those that show on hover: on narrow screens, and for hands that cannot hover. */
export function useCompactRows(): boolean {
  return useSyncExternalStore(
    (changed) => {
      compact.addEventListener('change', changed)
      return () => compact.removeEventListener('change', changed)
    },
    () => compact.matches,
  )
}
