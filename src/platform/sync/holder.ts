import { randomId } from './random-id.ts'

const place = 'daymark-holder'

/**
 * Names this page among those that take turns. A page that is loaded again goes on under its name, or it would wait until
 * its own note has lapsed. The name is left in the tab only while no page bears it: a duplicated tab gets one of its own.
 */
export function holderOfPage(): string {
  const holder = takeLeft() ?? randomId()
  addEventListener('pagehide', () => leave(holder))
  // The browser had only set the page aside.
  addEventListener('pageshow', () => takeLeft())
  return holder
}

function takeLeft(): string | undefined {
  try {
    const left = sessionStorage.getItem(place) ?? undefined
    sessionStorage.removeItem(place)
    return left
  } catch {
    return undefined
  }
}

function leave(holder: string): void {
  try {
    sessionStorage.setItem(place, holder)
  } catch {
    // A browser that gives no storage has no notes either.
  }
}
