import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('(max-width: 767.98px)')

/** Whether the window is narrower than 768 px, where the sidebar becomes a sheet. */
export function usePhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      phone.addEventListener('change', changed)
      return () => phone.removeEventListener('change', changed)
    },
    () => phone.matches,
  )
}
