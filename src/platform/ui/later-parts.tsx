import { useEffect } from 'react'
import { Button } from './button.tsx'
import { fetchLaterParts, useMissingPart } from './later.ts'

/** Once in the app: fetches what comes after the screens, and says so where something that was asked for cannot be had. */
export function LaterParts() {
  useFetchLaterParts()
  if (!useMissingPart()) return null
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-md items-center gap-3 rounded-card bg-raised py-3 pr-3 pl-4 text-control text-ink shadow-2"
    >
      <p className="min-w-0 flex-1">
        Part of this page couldn't be loaded. Daymark may have been updated, or you may be offline.
      </p>
      <Button variant="secondary" onClick={() => location.reload()}>
        Reload the page
      </Button>
    </div>
  )
}

/** After the page and what it shows, or once there is a connection. */
function useFetchLaterParts() {
  useEffect(() => {
    const fetchRest = () => {
      if (navigator.onLine) void fetchLaterParts()
    }
    const rest = setTimeout(fetchRest, 2_000)
    window.addEventListener('online', fetchRest)
    return () => {
      clearTimeout(rest)
      window.removeEventListener('online', fetchRest)
    }
  }, [])
}
