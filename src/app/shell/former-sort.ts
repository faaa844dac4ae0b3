import { useEffect } from 'react'
import type { Preferences } from '#features/preferences/preferences.ts'
import { changePreferences } from '#features/preferences/web/preferences-queries.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { useQueue } from '#platform/sync/react/use-collection.ts'

/** Where this device kept the order of to-dos before the account did. */
const key = 'daymark-todo-order'

/**
 * Older than any choice that was made on the account: that one stays. Years after 1970, because what is sent is corrected by how
 * wrong the device's clock is, and nothing older than that counts.
 */
const beforeAnyChoice = Date.UTC(2000, 0, 1)

/** Gives the account the order that was chosen on this device before accounts kept one, once. */
export function useFormerSort(preferences: Preferences | undefined): void {
  const queue = useQueue()
  const isKnown = preferences !== undefined
  useEffect(() => {
    if (!isKnown) return
    void give()

    async function give() {
      try {
        if (localStorage.getItem(key) === 'due') {
          const at = instantToWire(beforeAnyChoice)
          if (!(await queue(changePreferences, { change: { todos_sort: 'due' }, at }))) return
        }
        localStorage.removeItem(key)
      } catch {
        // The browser denies storage: nothing was kept.
      }
    }
  }, [isKnown, queue])
}
