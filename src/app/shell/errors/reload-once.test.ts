import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mayReload } from './reload-once.ts'

beforeEach(() => {
  const items = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
  })
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page reloads by itself once a minute at most, also after the clock was set back by a day', () => {
  expect([mayReload(), mayReload()]).toEqual([true, false])
  vi.setSystemTime(Date.now() - 24 * 60 * 60_000)
  expect([mayReload(), mayReload()]).toEqual([true, false])
})
