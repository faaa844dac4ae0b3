import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSync } from '#platform/sync/react/sync-context.ts'

/** Reads the next screen's collections while its code is still loading. */
export function useReadAhead(): void {
  const router = useRouter()
  const sync = useSync()
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ toLocation, pathChanged }) => {
        if (!pathChanged) return
        const next = router.matchRoutes(toLocation).at(-1)
        const { reads = [], readsLater = [] } = next?.staticData ?? {}
        for (const name of [...reads, ...readsLater]) void sync.readAhead(name)
      }),
    [router, sync],
  )
}
