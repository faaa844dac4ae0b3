import { expect } from '@playwright/test'
import sharp from 'sharp'
import { keptByTheBrowser } from './testing/connection/on-device.ts'
import { test } from './testing/person/person.ts'
import { openList } from './testing/screens/todo-list.ts'

test.use({ serviceWorkers: 'allow' })

interface Icon {
  src: string
  sizes: string
  type: string
  purpose: string
}

test('installing Daymark', async ({ page, context }) => {
  await openList(page, { open: ['Buy milk'] })

  await test.step('browsers find everything they need to install it', async () => {
    for (const address of ['/', '/sign-in', '/todos']) {
      const text = await (await page.request.get(address)).text()
      expect(text, address).toContain('<link rel="manifest" href="/manifest.webmanifest"')
      expect(text, address).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"')
    }
    const response = await page.request.get('/manifest.webmanifest')
    expect(response.headers()['content-type']).toBe('application/manifest+json')
    const manifest = await response.json()
    expect(manifest).toMatchObject({ id: '/', name: 'Daymark', short_name: 'Daymark', display: 'standalone' })
    const { origin } = new URL(page.url())
    const scope = new URL(manifest.scope, origin).href
    const shortcuts: { url: string }[] = manifest.shortcuts
    for (const url of [manifest.start_url, ...shortcuts.map((shortcut) => shortcut.url)]) {
      expect(new URL(url, origin).href.startsWith(scope), url).toBe(true)
      expect((await page.request.get(url)).status(), url).toBe(200)
    }

    const icons: Icon[] = manifest.icons
    const needed = ['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable']
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(needed)
    for (const { src, sizes, type } of [
      ...icons,
      { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' },
    ]) {
      const icon = await page.request.get(src)
      expect(icon.headers()['content-type'], src).toBe(type)
      const { width, height, format } = await sharp(await icon.body()).metadata()
      expect([`${width}x${height}`, `image/${format}`], src).toEqual([sizes, type])
    }

    const devtools = await page.context().newCDPSession(page)
    const { errors } = await devtools.send('Page.getAppManifest')
    expect(errors, 'what the browser itself says of the manifest').toEqual([])
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // A test's browser stores nothing, and says so here.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  })

  await test.step('the installed app starts without a connection', async () => {
    const { start_url } = await (await page.request.get('/manifest.webmanifest')).json()
    await keptByTheBrowser(page)
    const worker = context.serviceWorkers()[0]
    expect(await worker?.evaluate('registration.scope')).toBe(`${new URL(page.url()).origin}/`)
    await page.close()
    const installed = await context.newPage()
    await context.setOffline(true)
    expect((await installed.goto(start_url))?.fromServiceWorker()).toBe(true)
    await expect(installed.getByRole('checkbox', { name: 'Buy milk' })).toBeVisible()
  })
})
