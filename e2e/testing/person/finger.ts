import type { Page } from '@playwright/test'

/** A finger on the screen, whose touches the browser takes as real ones: it scrolls, and decides what a tap is. */
export async function finger(page: Page) {
  const browser = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
}

/** Puts a finger down, and moves it by so many pixels in ten steps. It stays down. */
export async function moveFinger(
  touch: Awaited<ReturnType<typeof finger>>,
  { x, y }: { x: number; y: number },
  by: { x?: number; y?: number },
) {
  await touch('touchStart', x, y)
  for (let part = 1; part <= 10; part++) {
    await touch('touchMove', x + ((by.x ?? 0) * part) / 10, y + ((by.y ?? 0) * part) / 10)
  }
}
