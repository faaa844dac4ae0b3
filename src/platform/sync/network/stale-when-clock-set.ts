import type { QueryClient } from '@tanstack/react-query'
import type { DeviceClock } from '#platform/browser/clock/device-clock.ts'

/**
 * Marks all queries as stale when the clock is set. Their age goes by the clock: set back by a day, it would keep the app from
 * reading anything again for a day. Returns an unsubscribe function.
 */
export function staleWhenClockIsSet(
  queryClient: QueryClient,
  clock: Pick<DeviceClock, 'subscribe'>,
): () => void {
  return clock.subscribe(() => void queryClient.invalidateQueries({ refetchType: 'none' }))
}
