import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holderOfPage } from './holder.ts'

/** What a tab keeps, and the page that is in it. */
function openBrowserTab(kept = new Map<string, string>()) {
  const page = new EventTarget()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  return { kept, holder: holderOfPage(), say: (event: string) => page.dispatchEvent(new Event(event)) }
}

beforeEach(() => vi.unstubAllGlobals())
afterEach(() => vi.unstubAllGlobals())

it('a page that is loaded again goes on with the turn that it had', () => {
  const before = openBrowserTab()
  before.say('pagehide')
  expect(openBrowserTab(before.kept).holder).toBe(before.holder)
})

it('a duplicated tab does not take part in the turn of the other', () => {
  const first = openBrowserTab()
  const second = openBrowserTab(new Map(first.kept))
  expect(second.holder).not.toBe(first.holder)
  first.say('pagehide')
  first.say('pageshow')
  expect(openBrowserTab(new Map(first.kept)).holder).not.toBe(first.holder)
})

it('where nothing can be kept each page has a name of its own', () => {
  vi.stubGlobal('sessionStorage', undefined)
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  expect(holderOfPage()).not.toBe(holderOfPage())
  page.dispatchEvent(new Event('pagehide'))
})
