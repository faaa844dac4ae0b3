import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DeviceClock } from '#platform/browser/clock/device-clock.ts'
import { staleWhenClockIsSet } from './stale-when-clock-set.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const minute = 60_000
const day = 24 * 60 * minute

test('what was read before the clock was set back by a day is read again when the person returns', async () => {
  const clock = new DeviceClock(
    () => Date.now(),
    () => performance.now(),
  )
  const queryClient = new QueryClient()
  const stop = staleWhenClockIsSet(queryClient, clock)
  let reads = 0
  const query = { queryKey: ['todos'], queryFn: async () => ++reads, staleTime: minute }
  await queryClient.fetchQuery(query)
  expect(await queryClient.fetchQuery(query)).toBe(1)
  vi.setSystemTime(Date.now() - day)
  clock.now()
  await Promise.resolve()
  expect(await queryClient.fetchQuery(query)).toBe(2)
  stop()
})
