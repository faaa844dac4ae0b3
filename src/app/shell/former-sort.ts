import { useEffect } from 'react'
import type { Preferences } from '#features/preferences/preferences.ts'
import { changePreferences } from '#features/preferences/web/preferences-queries.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'

/** Where this device kept the order of to-dos before the account did. */
const key = 'daymark-todo-order'

/** Gives the account the order that was chosen on this device before accounts kept one, once. */
export function useFormerSort(preferences: Preferences | undefined): void {
  const write = useWrite()
  const isKnown = preferences !== undefined
  useEffect(() => {
    if (!isKnown) return
    try {
      const former = localStorage.getItem(key)
      localStorage.removeItem(key)
      // Older than any choice that was made on the account: that one stays.
      const at = instantToWire(1)
      if (former === 'due') void write(changePreferences, { change: { todos_sort: 'due' }, at })
    } catch {
      // The browser denies storage: nothing was kept.
    }
  }, [isKnown, write])
}
