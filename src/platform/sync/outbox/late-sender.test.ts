import { describe, expect, test, vi } from 'vitest'
import { LateSender } from './late-sender.ts'
import type { Sender } from './sender.ts'

describe('a sender whose code comes later', () => {
  const waiting = () => {
    const fetch = vi.fn<() => Promise<Sender>>(() => Promise.reject(new TypeError('Failed to fetch')))
    return { fetch, late: new LateSender(fetch) }
  }

  test('counts as one of another tab until it has come', () => {
    const { late } = waiting()
    expect([late.running, late.state]).toEqual([false, 'standby'])
    late.start()
    expect([late.running, late.state]).toEqual([true, 'standby'])
  })

  test('is fetched again at the next wake-up, if there was no connection', async () => {
    const { fetch, late } = waiting()
    late.start()
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1))
    for (const wake of ['wake', 'tryNow', 'connectionChanged'] as const) {
      fetch.mockClear()
      await Promise.resolve()
      late[wake]()
      await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1))
    }
  })

  test('is not fetched for an account that has ended', async () => {
    const { fetch, late } = waiting()
    late.start()
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1))
    late.stop()
    await Promise.resolve()
    late.wake()
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})
