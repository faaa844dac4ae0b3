import { describe, expect, test, vi } from 'vitest'
import { LateLiveUpdates } from './late-live-updates.ts'
import { LiveUpdates } from './live-updates.ts'

/** Live updates that only tell what they are asked to do. */
function parts() {
  const live = new LiveUpdates({
    account: 'ann',
    open: async () => ({ kind: 'none', retryAfter: undefined }),
    ready: new Promise(() => {}),
    leadership: () => ({ lockName: 'live', claimLease: async () => true }),
    readRevision: () => undefined,
    reread: async () => true,
    onSignedOut() {},
    visible: () => true,
    online: () => true,
    now: () => 0,
    pause: () => new Promise(() => {}),
  })
  const asked: string[] = []
  for (const name of ['start', 'stop', 'wake', 'connectionChanged'] as const)
    vi.spyOn(live, name).mockImplementation(() => void asked.push(name))
  return { live, asked }
}

describe('live updates whose code comes later', () => {
  test('begin once it has come', async () => {
    const { live, asked } = parts()
    const late = new LateLiveUpdates(async () => live)
    late.start()
    expect(asked).toEqual([])
    await vi.waitFor(() => expect(asked).toEqual(['start']))
    late.wake()
    late.stop()
    late.start()
    expect(asked).toEqual(['start', 'wake', 'stop', 'start'])
  })

  test('do not begin if they were stopped meanwhile', async () => {
    const { live, asked } = parts()
    const fetched = Promise.resolve(live)
    const late = new LateLiveUpdates(() => fetched)
    late.start()
    late.stop()
    await fetched
    expect(asked).toEqual([])
  })

  test('are fetched again at the next wake-up, if there was no connection', async () => {
    const { live, asked } = parts()
    const fetch = vi.fn<() => Promise<LiveUpdates>>()
    fetch.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(live)
    const late = new LateLiveUpdates(fetch)
    late.start()
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1))
    await Promise.resolve()
    late.connectionChanged()
    await vi.waitFor(() => expect(asked).toEqual(['start']))
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  test('reach those who listened before they had come', async () => {
    const { live, asked } = parts()
    const listen = vi.spyOn(live, 'listen')
    const late = new LateLiveUpdates(async () => live)
    const heard = vi.fn()
    const stop = late.listen(heard)
    late.start()
    await vi.waitFor(() => expect(asked).toEqual(['start']))
    const [forward] = listen.mock.calls[0] ?? []
    forward?.(['todos'])
    stop()
    forward?.(['habits'])
    expect(heard.mock.calls).toEqual([[['todos']]])
  })
})
