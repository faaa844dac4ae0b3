import { expect, type Page } from '@playwright/test'

/** An element on a page that matches the selector and contains the text. */
type Sign = readonly [page: Page, selector: string, text?: string]

export const hasTask = (title: string) => `main li input[aria-label="${title}"]`
export const hasTicked = (title: string) => `${hasTask(title)}:checked`
export const hasNoTask = (title: string) => `main:not(:has(li input[aria-label="${title}"]))`

/**
 * Expects the pages to show these signs, which they did not show before, within a second of the last press on `page` or of the
 * return of its connection. The pages themselves note both instants: how busy the test runner is does not count.
 */
export async function withinASecond(page: Page, act: () => Promise<unknown>, signs: readonly Sign[]) {
  for (const [shows, selector, hasText = ''] of signs) {
    await expect(shows.locator(selector, { hasText })).toHaveCount(0)
  }
  await page.evaluate(noteInput)
  const shown = signs.map(([shows, selector, text]) => shows.evaluate(frameThatShows, { selector, text }))
  await act()
  const began = await page.evaluate<number>('lastInput')
  for (const [place, instant] of (await Promise.all(shown)).entries()) {
    const milliseconds = instant - began
    expect(milliseconds, `milliseconds until ${signs[place]?.slice(1).join(' ')}`).toBeLessThan(1_000)
  }
}

/** Runs in the page: stores the instant of the last press. */
function noteInput() {
  for (const type of ['click', 'keydown', 'online']) {
    const note = ({ timeStamp }: Event) =>
      Object.assign(window, { lastInput: performance.timeOrigin + timeStamp })
    addEventListener(type, note, { capture: true })
  }
}

/** Runs in the page: the instant of the first frame that shows the sign. */
function frameThatShows({ selector, text = '' }: { selector: string; text?: string | undefined }) {
  return new Promise<number>((resolve) => {
    const look = () => {
      const found = [...document.querySelectorAll(selector)].some((it) => it.textContent.includes(text))
      if (found) resolve(performance.timeOrigin + performance.now())
      else requestAnimationFrame(look)
    }
    look()
  })
}

/** Calls `navigate`, and waits until the event stream is open. */
export async function listening(page: Page, navigate: () => Promise<unknown>) {
  const opened = page.context().waitForEvent('response', (response) => response.url().endsWith('/api/events'))
  await navigate()
  expect((await opened).status()).toBe(200)
}

/** Opens another browser in which the same person is signed in. */
export async function otherDevice(page: Page, path: string): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('No browser')
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, proxy: undefined })
  await context.addCookies(await page.context().cookies())
  const other = await context.newPage()
  await listening(other, () => other.goto(path))
  return other
}
