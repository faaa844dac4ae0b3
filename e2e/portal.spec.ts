import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { isDeep, randomBelow } from '#testing/runs.ts'
import { takeSeed } from '#testing/seed.ts'
import { type Portal, portalPage, servePortal } from './testing/connection/portal.ts'
import { settled } from './testing/connection/settled.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'

test.use({ serviceWorkers: 'allow', mayLog: /could not be kept|Failed to|unsupported MIME type/ })

const built = fileURLToPath(new URL('../dist/web', import.meta.url))

let portal: Portal
test.afterEach(() => portal.stop())

test('whenever a portal cuts in while the app is being kept, nothing of it is kept, and afterwards the screens open', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(3_600_000)
  await signUpBehindTheScreens(page)
  // Its page may be kept by the browser, too.
  portal = await servePortal(baseURL ?? '', 'max-age=3600')
  for (const visit of visits()) {
    const context = await contextAt(portal, browser, page.context())
    const visited = await context.newPage()
    await visited.goto('/favicon.svg')
    for (const [name, shut] of visit) {
      const outcome = install(visited)
      await shut(portal)
      expect(await outcome, name).not.toBe('activated')
      expect(await keptFiles(visited), name).toEqual([])
      portal.open()
    }
    expect(await install(visited)).toBe('activated')
    expect(await keptPaths(visited)).toEqual(await builtPaths())
    expect(await wrongFiles(visited)).toEqual([])
    await openScreens(visited)
    await context.close()
  }
})

type CutIn = [name: string, shut: (portal: Portal) => Promise<void>]

/** In a deep run every 50 ms of an installation that takes 5 s, each in a browser of its own. Otherwise after a few of its files. */
function visits(): CutIn[][] {
  if (!isDeep) {
    const below = randomBelow(Number(takeSeed()))
    const after = (files: number): CutIn => [
      `after ${files} files`,
      async (portal) => portal.shutAfter(1 + files),
    ]
    return [[after(below(5)), after(below(30)), after(below(100))]]
  }
  return Array.from({ length: 100 }, (_, index) => {
    const ms = index * 50
    const shut = async (portal: Portal) => {
      portal.slowDown(130)
      await wait(ms)
      portal.slowDown(0)
      portal.shut()
    }
    return [[`after ${ms} ms`, shut]]
  })
}

test('an app that a portal kept away, or that is kept wrongly, is made whole', async ({ page, baseURL }) => {
  portal = await servePortal(baseURL ?? '')
  await signUpBehindTheScreens(page)
  await page.clock.install()
  const rest = page.waitForResponse(/\/offline-app-/)
  await page.goto(`${portal.address}/todos`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Todo List')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await (await rest).finished()
  // What is still being read when the portal shuts says so in the console.
  await settled(page)
  const [script = ''] = (await builtPaths()).filter((path) => /^\/assets\/analytics-page.*js$/.test(path))
  await plant(page, 'daymark-shell-older', {
    [script]: portalPage,
    '/assets/of-an-older-build.js': portalPage,
    '/assets/whole-of-an-older-build.js': 'export {}',
  })

  await test.step('by the page that is open, when a connection comes, and a minute after the portal has let it through', async () => {
    portal.shut()
    await page.clock.runFor(10_000)
    await expect.poll(() => portal.refused).toContain('/service-worker.js')
    portal.shut('/service-worker.js')
    await expect
      .poll(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('online')))
        return portal.refused
      })
      .toContain('/apple-touch-icon.png')
    portal.open()
    await expect
      .poll(async () => {
        await page.clock.runFor(60_000)
        return page.evaluate(() => navigator.serviceWorker.controller !== null)
      })
      .toBe(true)
    await expect.poll(() => wrongFiles(page, /whole-of-an-older-build/)).toEqual([])
  })

  await test.step('and what an older build kept is taken over only where it is right', async () => {
    const older = await page.evaluate(async () => {
      const requests = await (await caches.open('daymark-shell-older')).keys()
      return requests.map(({ url }) => new URL(url).pathname)
    })
    expect(older).toEqual(['/assets/whole-of-an-older-build.js'])
  })

  await test.step('when the worker is activated, even with the portal in between: the server is asked until all is there', async () => {
    const own = await page.evaluate(async () => (await caches.keys()).at(-1) ?? '')
    await plant(page, own, { [script]: portalPage, '/screens/analytics.html': portalPage })
    portal.shut()
    // Those that could not be installed come first.
    const worker = page.context().serviceWorkers().at(-1)
    await worker?.evaluate(activateInWorker)
    expect(await wrongFiles(page, /whole-of-an-older-build/)).toEqual([])
    expect(await keptPaths(page)).not.toContain('/screens/analytics.html')
    portal.open()
    await page.goto(`${portal.address}/analytics`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
    await expect.poll(() => keptPaths(page)).toContain(script)
    await expect.poll(() => keptPaths(page)).toContain('/screens/analytics.html')
    expect(await wrongFiles(page, /whole-of-an-older-build/)).toEqual([])
  })
})

async function plant(page: Page, cache: string, texts: Record<string, string>) {
  await page.evaluate(
    async ([cache, texts, portalPage]) => {
      const store = await caches.open(cache)
      for (const [path, text] of Object.entries(texts)) {
        const type = text === portalPage ? 'text/html' : 'text/javascript; charset=utf-8'
        await store.put(path, new Response(text, { headers: { 'content-type': type } }))
      }
    },
    [cache, texts, portalPage] as const,
  )
}

// As a string: these names exist only in the worker.
const activateInWorker = `(async () => {
  const event = new ExtendableEvent('activate')
  let work
  // waitUntil works only on events that the browser dispatched.
  Object.defineProperty(event, 'waitUntil', { value: (promise) => { work = promise } })
  dispatchEvent(event)
  await work
})()`

const screens: Record<string, string> = {
  '/todos': 'Todo List',
  '/analytics': 'Analytics Dashboard',
  '/today': 'Today',
  '/upcoming': 'Upcoming',
  '/habits': 'Habits',
  '/focus': 'Focus Timer',
  '/settings': 'Settings',
}

/** All of them in a deep run: those of one browser whose every file is right open like those of another. */
async function openScreens(page: Page) {
  for (const [address, title] of Object.entries(screens).slice(0, isDeep ? undefined : 2)) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(title)
  }
}

async function contextAt({ address }: Portal, browser: Browser, signedIn: BrowserContext) {
  // A cookie of localhost is one of all its ports.
  const storageState = { cookies: await signedIn.cookies(), origins: [] }
  return browser.newContext({ baseURL: address, serviceWorkers: 'allow', storageState })
}

/** How the installation of the worker ends. */
function install(page: Page): Promise<string> {
  return page.evaluate(async () => {
    try {
      const registration = await navigator.serviceWorker.register('/service-worker.js')
      const worker = registration.installing ?? registration.active
      while (worker && worker.state !== 'activated' && worker.state !== 'redundant') {
        await new Promise((changed) => worker.addEventListener('statechange', changed, { once: true }))
      }
      return worker?.state ?? 'none'
    } catch {
      return 'refused'
    }
  })
}

/** What the browser has stored by the names of the app: everything, by path and hash. */
async function keptFiles(page: Page): Promise<[path: string, hash: string][]> {
  return page.evaluate(async () => {
    const kept: [string, string][] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request, { ignoreVary: true })
        const hash = await crypto.subtle.digest(
          'SHA-256',
          (await response?.arrayBuffer()) ?? new ArrayBuffer(),
        )
        const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
        kept.push([new URL(request.url).pathname, hex])
      }
    }
    return kept
  })
}

async function keptPaths(page: Page): Promise<string[]> {
  return (await keptFiles(page)).map(([path]) => path).toSorted()
}

/** The paths under which something else is stored than what was built. */
async function wrongFiles(page: Page, except?: RegExp): Promise<string[]> {
  const wrong: string[] = []
  for (const [path, hash] of await keptFiles(page)) {
    if (except?.test(path)) continue
    const bytes = await readFile(join(built, path)).catch(() => '')
    if (createHash('sha256').update(bytes).digest('hex') !== hash) wrong.push(path)
  }
  return wrong
}

/** Of everything that the app is made of. */
async function builtPaths(): Promise<string[]> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true })
  return entries
    .filter(
      (entry) =>
        entry.isFile() && !/\.(br|gz)$|^(has-account|service-worker|session|theme)\.js$/.test(entry.name),
    )
    .map(({ parentPath, name }) => `/${join(parentPath, name).slice(built.length + 1)}`)
    .toSorted()
}
