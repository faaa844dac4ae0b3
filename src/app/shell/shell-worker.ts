/// <reference lib="webworker" />
import { pageFileAt } from '#platform/wire/page-file.ts'
import { shellCaches, shellPrefix } from './shell-caches.ts'
import { skipWaiting } from './shell-message.ts'

/** A file as the build lists it for the worker. */
export interface BuiltFile {
  /** Its path, without the leading slash. */
  url: string
  /** Changes with the content; null when the path itself does. */
  revision: string | null
}

/** This build and the two before it, from which pages opened earlier still load their parts. */
const buildsKept = 3

/** How many files are fetched at a time: the person may be waiting for something else. */
const atOnce = 4

/**
 * Stores the built files on the device and serves them, so that pages open at once, even offline. The files are the same
 * for everyone: nothing under /api is stored or even intercepted.
 */
export function keepShell(worker: ServiceWorkerGlobalScope, built: readonly BuiltFile[]): void {
  const files = new Set(built.map(({ url }) => `/${url}`))
  const isBuilt = (file: string) => files.has(file)
  const ownCache = nameOf(built)

  // A build that waited for the last tab to close could wait for weeks, and a reload would not activate it.
  worker.addEventListener('install', (event) => {
    event.waitUntil(keepAll().then(() => worker.skipWaiting()))
  })
  worker.addEventListener('message', (event) => {
    if (event.data === skipWaiting) event.waitUntil(worker.skipWaiting())
  })
  worker.addEventListener('activate', (event) => {
    event.waitUntil(Promise.all([forgetOldBuilds(), worker.clients.claim()]))
  })
  // In development there are no built files.
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

  /** True for paths below a screen too. Any other path may be a screen of a newer build, or not ours. */
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
    // Responses vary only by compression, which has been decoded here.
    const how = { ignoreVary: true }
    const own = await (await caches.open(await ownCache)).match(path, how)
    // A page opened earlier requests files of its own build, whose names are unique to it.
    return own ?? (path.startsWith('/assets/') ? caches.match(path, how) : undefined)
  }

  /**
   * All or nothing: half a build would break offline. Everything is fetched before anything is stored or deleted, because
   * the active worker may be serving from the cache of the same name meanwhile.
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
    // Keeps the caches in the order of the builds, even when an older build returns.
    await caches.delete(name)
    try {
      const cache = await caches.open(name)
      for (const [path, answer] of answers) await cache.put(path, answer)
    } catch (problem) {
      await caches.delete(name)
      throw problem
    }
  }

  /** True when only the worker changed: then its file list, and thus the cache name, are the same. */
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

  /** With several servers, one may still return pages of the previous build. */
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
