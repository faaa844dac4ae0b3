import { useEffect } from 'react'
import { onceQuiet } from '#platform/browser/activity.ts'
import { useOnline } from '#platform/browser/device/use-online.ts'
import { Button } from '../controls/button.tsx'
import { preloadRest, useMissingPart } from '../lazy-part.tsx'

/** Rendered once in the app: preloads the remaining lazy parts, and reports a part that could not be fetched. */
export function LazyParts() {
  usePreloadRest()
  const online = useOnline()
  if (!useMissingPart()) return null
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-md items-center gap-3 rounded-card bg-raised py-3 pr-3 pl-4 text-control text-ink shadow-2"
    >
      <p className="min-w-0 flex-1">
        Part of this page couldn't be loaded. Daymark may have been updated, or you may be offline.
      </p>
      {/* Offered only when online: reloading offline would take the app away. */}
      {online && (
        <Button variant="secondary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      )}
    </div>
  )
}

/** Preloads the remaining parts after the page has loaded, or once there is a connection. */
function usePreloadRest() {
  useEffect(() => {
    const fetchRest = () => {
      if (navigator.onLine) void preloadRest()
    }
    const rest = setTimeout(() => onceQuiet(fetchRest, 10_000), 2_000)
    window.addEventListener('online', fetchRest)
    return () => {
      clearTimeout(rest)
      window.removeEventListener('online', fetchRest)
    }
  }, [])
}
