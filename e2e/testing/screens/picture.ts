import type { Page } from '@playwright/test'
import { plainPicture } from './settings.ts'

/** Gives the signed-in user a picture, through the API, and returns its address. */
export async function givePicture(page: Page): Promise<string> {
  const { buffer } = await plainPicture('png')
  return page.evaluate(
    async (image) => {
      const headers = { 'content-type': 'application/json' }
      await fetch('/api/auth/update-user', { method: 'POST', headers, body: JSON.stringify({ image }) })
      return (await (await fetch('/api/auth/get-session', { cache: 'no-store' })).json()).user.image
    },
    `data:image/png;base64,${buffer.toString('base64')}`,
  )
}

/** Whether this browser can show the picture: from its cache, without a request, or as part of the page. */
export function isShown(page: Page, address: string): Promise<boolean> {
  return page.evaluate(async (address) => {
    const cached = await fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).catch(
      () => undefined,
    )
    const image = new Image()
    const loaded = await new Promise((resolve) => {
      image.onload = () => resolve(true)
      image.onerror = () => resolve(false)
      image.src = address
    })
    return loaded === true || cached?.ok === true
  }, address)
}
