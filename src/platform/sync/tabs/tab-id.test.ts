import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tabIdOfPage } from './tab-id.ts'

/** A browser tab with its sessionStorage and the page in it. */
function openBrowserTab(storage = new Map<string, string>()) {
  const page = new EventTarget()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => storage.set(name, value),
    removeItem: (name: string) => storage.delete(name),
  })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  return {
    kept: storage,
    tabId: tabIdOfPage(),
    dispatch: (event: string) => page.dispatchEvent(new Event(event)),
  }
}

beforeEach(() => vi.unstubAllGlobals())
afterEach(() => vi.unstubAllGlobals())

it('a reloaded page keeps its id and so its leadership', () => {
  const before = openBrowserTab()
  before.dispatch('pagehide')
  expect(openBrowserTab(before.kept).tabId).toBe(before.tabId)
})

it('a duplicated tab does not share the id of the other', () => {
  const first = openBrowserTab()
  const second = openBrowserTab(new Map(first.kept))
  expect(second.tabId).not.toBe(first.tabId)
  first.dispatch('pagehide')
  first.dispatch('pageshow')
  expect(openBrowserTab(new Map(first.kept)).tabId).not.toBe(first.tabId)
})

it('without storage each page has an id of its own', () => {
  vi.stubGlobal('sessionStorage', undefined)
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  expect(tabIdOfPage()).not.toBe(tabIdOfPage())
  page.dispatchEvent(new Event('pagehide'))
})
