/// <reference lib="webworker" />
import { pageFileAt } from '#platform/wire/page-file.ts'
import { type BuiltFile, hashOf, hasTypeOf, isFile } from './built-file.ts'
import { shellCaches, shellPrefix } from './shell-caches.ts'
import { skipWaiting } from './shell-message.ts'

/** This build and the two before it, from which pages opened earlier still load their parts. */
const buildsKept = 3

/** How many files are fetched at a time: the person may be waiting for something else. */
const atOnce = 4

/** Responses vary only by compression, which has been decoded here. */
const anyEncoding = { ignoreVary: true }

/**
 * Stores the built files on the device and serves them, so that pages open at once, even offline. The files are the same
 * for everyone: nothing under /api is stored or even intercepted. Nothing is stored either that is not byte for byte what
 * was built: what responds may be the gateway of a hotel.
 */
export function keepShell(worker: ServiceWorkerGlobalScope, built: readonly BuiltFile[]): void {
  const files = new Map(built.map((file) => [`/${file[0]}`, file]))
  const isBuilt = (file: string) => files.has(file)
  const ownCache = nameOf(built)
  let filling: Promise<void> | undefined

  // A build that waited for the last tab to close could wait for weeks, and a reload would not activate it.
  worker.addEventListener('install', (event) => {
    event.waitUntil(keepAll().then(() => worker.skipWaiting()))
  })
  worker.addEventListener('message', (event) => {
    if (event.data === skipWaiting) event.waitUntil(worker.skipWaiting())
  })
  worker.addEventListener('activate', (event) => {
    event.waitUntil(Promise.all([checkStores(), worker.clients.claim()]))
  })
  // In development there are no built files.
  if (built.length > 0) worker.addEventListener('fetch', respond)

  function respond(event: FetchEvent): void {
    const { request } = event
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'GET' || origin !== worker.location.origin || /^\/api(\/|$)/.test(pathname)) return
    if (request.mode !== 'navigate') {
      if (isBuilt(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(pathname, event))
      return
    }
    const page = pageFileAt(pathname, isBuilt)
    if (page === undefined) return
    event.respondWith(isScreen(pathname, page) ? file(page, event) : pageOfServer(page, request))
  }

  /** True for paths below a screen too. Any other path may be a screen of a newer build, or not ours. */
  function isScreen(pathname: string, page: string): boolean {
    return page !== '/index.html' || isBuilt(`/screens/${pathname.split('/')[1]}.html`)
  }

  async function file(path: string, event: FetchEvent): Promise<Response> {
    const stored = await kept(path)
    if (stored) return stored
    if (isBuilt(path)) event.waitUntil(fillGaps())
    return fetch(event.request)
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
    const own = await (await caches.open(await ownCache)).match(path, anyEncoding)
    // A page opened earlier requests files of its own build, whose names are unique to it.
    return own ?? (path.startsWith('/assets/') ? caches.match(path, anyEncoding) : undefined)
  }

  /**
   * All or nothing: half a build would break offline. Everything is fetched before anything is stored or deleted, because
   * the active worker may be serving from the cache of the same name meanwhile.
   */
  async function keepAll(): Promise<void> {
    if (built.length === 0) return
    const name = await ownCache
    // So it is when only the worker changed: then its file list, and thus the cache name, are the same.
    if ((await shellCaches()).at(-1) === name && (await wrongIn(name)).length === 0) return
    const responses = new Map<string, Response>()
    const rest = [...files]
    const takeInTurn = async () => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        const [path, file] = next
        responses.set(path, await fetchBuilt(path, file))
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
      for (const [path, response] of responses) await cache.put(path, response)
    } catch (problem) {
      await caches.delete(name)
      throw problem
    }
  }

  /** The paths of this build that the cache does not have, or has with something else. */
  async function wrongIn(name: string): Promise<string[]> {
    const cache = await caches.open(name)
    const wrong = await Promise.all(
      [...files].map(async ([path, file]) => {
        const stored = await cache.match(path, anyEncoding)
        return stored && (await isFile(stored, file)) ? [] : [path]
      }),
    )
    return wrong.flat()
  }

  /** What is wrong goes at once, so that the server is asked for it: a gap breaks less than a gateway's page in its place. */
  async function checkStores(): Promise<void> {
    await forgetOldBuilds()
    if (built.length === 0) return
    const name = await ownCache
    const wrong = await wrongIn(name)
    const cache = await caches.open(name)
    for (const path of wrong) await cache.delete(path, anyEncoding)
    for (const older of await shellCaches()) if (older !== name) await dropPagesForFiles(older)
    // Not waited for: until this event is over, the browser holds back every page.
    if (wrong.length > 0) void fillGaps()
  }

  /** If it fails, it is tried again when a file that is missing is next asked for. */
  function fillGaps(): Promise<void> {
    filling ??= fetchMissing()
      .catch((problem) => console.warn('Files of the app could not be kept', problem))
      .finally(() => {
        filling = undefined
      })
    return filling
  }

  async function fetchMissing(): Promise<void> {
    const cache = await caches.open(await ownCache)
    const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
    let problem: unknown
    for (const [path, file] of files) {
      if (there.has(path)) continue
      try {
        await cache.put(path, await fetchBuilt(path, file))
      } catch (refusal) {
        // One that something on the way alters keeps none of the others away.
        problem = refusal
      }
    }
    if (problem !== undefined) throw problem
  }
}

/** Rejects if what responds is not that file. */
async function fetchBuilt(path: string, file: BuiltFile): Promise<Response> {
  // Vite puts a hash of the content into the names there. Pages are never taken from an older build: with them are stored
  // the security headers that the server sends.
  const isNamedByContent = path.startsWith('/assets/')
  const known = isNamedByContent ? await caches.match(path, anyEncoding) : undefined
  if (known && (await isFile(known, file))) return known
  // The second time past the browser's own cache, which may hold a gateway's page.
  for (const cache of [isNamedByContent ? 'default' : 'no-cache', 'reload'] as const) {
    const response = await fetch(path, { cache, priority: 'low' })
    if (await isFile(response, file)) return response
    // A response that nobody reads keeps its connection.
    await response.body?.cancel()
  }
  throw new Error(`${path} was not answered with the file of this build`)
}

/** The files of an older build can't be checked, but a page under the name of a script is none of them. */
async function dropPagesForFiles(name: string): Promise<void> {
  const cache = await caches.open(name)
  for (const request of await cache.keys()) {
    const stored = await cache.match(request, anyEncoding)
    if (stored && !hasTypeOf(new URL(request.url).pathname, stored)) await cache.delete(request, anyEncoding)
  }
}

async function forgetOldBuilds(): Promise<void> {
  for (const old of (await shellCaches()).slice(0, -buildsKept)) await caches.delete(old)
}

async function nameOf(built: readonly BuiltFile[]): Promise<string> {
  return shellPrefix + (await hashOf(new TextEncoder().encode(JSON.stringify(built))))
}
