/// <reference lib="webworker" />
import { pageFileAt } from '#platform/wire/page-file.ts'
import { shellCaches, shellPrefix } from './shell-caches.ts'
import { doNotWait } from './shell-message.ts'

/** As the build names it to the worker. */
export interface BuiltFile {
  /** Its address, without the slash before it. */
  url: string
  /** Another one whenever its content is; null where the address itself says so. */
  revision: string | null
}

/** This one and the two before it, from which pages that were opened earlier still fetch their parts. */
const buildsKept = 3

/** How many files are fetched at a time: the person may be waiting for something else. */
const atOnce = 4

/**
 * Keeps the built files on the device and answers with them, so that pages open at once and without a connection. They
 * are the same for everybody: nothing under /api is kept, or so much as looked at.
 */
export function keepShell(worker: ServiceWorkerGlobalScope, built: readonly BuiltFile[]): void {
  const files = new Set(built.map(({ url }) => `/${url}`))
  const isBuilt = (file: string) => files.has(file)
  const ownCache = nameOf(built)

  // A build that waited for the last tab to close would wait for weeks, and a reload would not bring it.
  worker.addEventListener('install', (event) => {
    event.waitUntil(keepAll().then(() => worker.skipWaiting()))
  })
  worker.addEventListener('message', (event) => {
    if (event.data === doNotWait) event.waitUntil(worker.skipWaiting())
  })
  worker.addEventListener('activate', (event) => {
    event.waitUntil(Promise.all([forgetOldBuilds(), worker.clients.claim()]))
  })
  // In development nothing is built.
  if (built.length > 0) worker.addEventListener('fetch', answer)

  function answer(event: FetchEvent): void {
    const { request } = event
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'GET' || origin !== worker.location.origin || /^\/api(\/|$)/.test(pathname)) return
    if (request.mode !== 'navigate') {
      if (isBuilt(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(pathname, request))
      return
    }
    const page = pageFileAt(pathname, isBuilt)
    if (page === undefined) return
    event.respondWith(isScreen(pathname, page) ? file(page, request) : pageOfServer(page, request))
  }

  /** Or below one. Whatever else there is may be a screen of a newer build, or not ours. */
  function isScreen(pathname: string, page: string): boolean {
    return page !== '/index.html' || isBuilt(`/screens/${pathname.split('/')[1]}.html`)
  }

  async function file(path: string, request: Request): Promise<Response> {
    return (await kept(path)) ?? fetch(request)
  }

  async function pageOfServer(page: string, request: Request): Promise<Response> {
    try {
      return await fetch(request)
    } catch (noConnection) {
      const instead = await kept(page)
      if (instead) return instead
      throw noConnection
    }
  }

  async function kept(path: string): Promise<Response | undefined> {
    // What it varies by is the compression, which is undone.
    const how = { ignoreVary: true }
    const own = await (await caches.open(await ownCache)).match(path, how)
    // A page that was opened earlier asks for files of its own build, by names that are no others'.
    return own ?? (path.startsWith('/assets/') ? caches.match(path, how) : undefined)
  }

  /**
   * All or nothing: half a build would break without a connection. All is here before anything is put or deleted, for the
   * worker that answers meanwhile may do so from the cache of the same name.
   */
  async function keepAll(): Promise<void> {
    if (built.length === 0) return
    const name = await ownCache
    if (await isNewestAndWhole(name)) return
    const answers = new Map<string, Response>()
    const rest = [...built]
    const takeInTurn = async () => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        answers.set(`/${next.url}`, await fetchBuilt(next))
      }
    }
    try {
      await Promise.all(Array.from({ length: atOnce }, takeInTurn))
    } catch (problem) {
      rest.length = 0
      throw problem
    }
    // The order of the caches is that of the builds, also where one comes back.
    await caches.delete(name)
    try {
      const cache = await caches.open(name)
      for (const [path, answer] of answers) await cache.put(path, answer)
    } catch (problem) {
      await caches.delete(name)
      throw problem
    }
  }

  /** As where only the worker was changed: its list is the same, and so is what it names. */
  async function isNewestAndWhole(name: string): Promise<boolean> {
    if ((await shellCaches()).at(-1) !== name) return false
    const requests = await (await caches.open(name)).keys()
    const there = new Set(requests.map(({ url }) => new URL(url).pathname))
    return [...files].every((path) => there.has(path))
  }

  async function fetchBuilt({ url, revision }: BuiltFile): Promise<Response> {
    const path = `/${url}`
    const known = revision === null ? await caches.match(path, { ignoreVary: true }) : undefined
    if (known) return known
    const cache = revision === null ? 'default' : 'no-cache'
    const response = await fetch(path, { cache, priority: 'low' })
    if (!response.ok || response.redirected) throw new Error(`${path} was answered with ${response.status}`)
    if (path.endsWith('.html')) await refuseOfAnotherBuild(await response.clone().text())
    return response
  }

  /** Of several servers, one may still answer with the pages of the build before. */
  async function refuseOfAnotherBuild(page: string): Promise<void> {
    for (const [name] of page.matchAll(/\/assets\/[\w.-]+/g)) {
      if (!isBuilt(name)) throw new Error(`A page names ${name}, which is of another build`)
    }
  }
}

async function forgetOldBuilds(): Promise<void> {
  for (const old of (await shellCaches()).slice(0, -buildsKept)) await caches.delete(old)
}

async function nameOf(built: readonly BuiltFile[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(built))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0'))
  return `${shellPrefix}${hex.join('')}`
}
