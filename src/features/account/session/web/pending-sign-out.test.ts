import { afterEach, expect, it, vi } from 'vitest'
import { oneAtATime } from './pending-sign-out.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a tab that hangs while it signs out keeps nobody from signing in for longer than that takes', async () => {
  const release = await holdLock()
  const overAfter = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
  expect(await oneAtATime(async () => 'signed in')).toBe('signed in')
  expect(overAfter).toHaveBeenCalledExactlyOnceWith(15_000)
  release()
})

it('a sign-in waits for a sign-out in another tab', async () => {
  const release = await holdLock()
  const events: string[] = []
  const signIn = oneAtATime(async () => events.push('in'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  events.push('out')
  release()
  await signIn
  expect(events).toEqual(['out', 'in'])
})

it('what fails is told, and not tried twice', async () => {
  const work = vi.fn(() => Promise.reject(new Error('No.')))
  await expect(oneAtATime(work)).rejects.toThrow('No.')
  expect(work).toHaveBeenCalledOnce()
})

function holdLock(): Promise<() => void> {
  return new Promise((held) => {
    void navigator.locks.request('daymark-sign-out', () => new Promise<void>((release) => held(release)))
  })
}
