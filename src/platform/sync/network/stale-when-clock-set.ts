import type { QueryClient } from '@tanstack/react-query'
import type { DeviceClock } from '#platform/browser/clock/device-clock.ts'

/**
 * How old data is goes by the clock: after that was set back by a day, nothing would be read again for a day when the person
 * returns to the page. Returns an unsubscribe function.
 */
export function staleWhenClockIsSet(
  queryClient: QueryClient,
  clock: Pick<DeviceClock, 'subscribe'>,
): () => void {
  return clock.subscribe(() => void queryClient.invalidateQueries({ refetchType: 'none' }))
}
