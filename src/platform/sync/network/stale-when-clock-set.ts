import type { QueryClient } from '@tanstack/react-query'
import type { DeviceClock } from '#platform/browser/clock/device-clock.ts'

/**
 * Marks all queries as stale when the clock is set. The age of a query is measured by the clock: after the clock was set back by
 * a day, nothing would be read again for a day. Returns an unsubscribe function.
 */
export function staleWhenClockIsSet(
  queryClient: QueryClient,
  clock: Pick<DeviceClock, 'subscribe'>,
): () => void {
  return clock.subscribe(() => void queryClient.invalidateQueries({ refetchType: 'none' }))
}
