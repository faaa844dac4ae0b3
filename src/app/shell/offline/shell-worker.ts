/// <reference lib="webworker" />
import { pageFileAt } from '#platform/wire/page-file.ts'
import { type BuiltFile, hashOf, hasTypeOf, isFile } from './built-file.ts'
import { shellCaches, shellPrefix } from './shell-caches.ts'
import { skipWaiting } from './shell-message.ts'

/** The number of builds to keep: this one and the two before it, from which pages opened earlier still load their parts. */
const buildsKept = 3

/** How many files are fetched at a time. The limit leaves room for what the person is waiting for. */
const atOnce = 4

/** Stored responses vary only by compression, which the browser has already undone, so ignore the Vary header. */
const anyEncoding = { ignoreVary: true }

/**
 * Stores the built files on the device and serves them, so that pages open at once, even offline. The files are the same for
 * everyone: nothing under /api is stored or even intercepted. A file is stored only if it is byte for byte what was built,
 * since the response may come from the gateway of a hotel.
 */
export function keepShell(worker: ServiceWorkerGlobalScope, built: readonly BuiltFile[]): void {
  const files = new Map(built.map((file) => [`/${file[0]}`, file]))
  const isBuilt = (file: string) => files.has(file)
  const ownCache = nameOf(built)
  let filling: Promise<void> | undefined

  // Take over at once: a build that waited for the last tab to close could wait for weeks, and a reload would not activate it.
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

  /**
   * Whether the server's page for a path is one of this build's screens; true for paths below a screen too. Any other path may
   * be a screen of a newer build, or not ours.
   */
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
   * Stores all files of the build or none: half a build would break offline. Fetches everything before storing or deleting
   * anything, because the active worker may be serving from the cache of the same name.
   */
  async function keepAll(): Promise<void> {
    if (built.length === 0) return
    const name = await ownCache
    // If only the worker changed, everything is stored already. The file list, and thus the cache name, stay the same.
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
    // Recreate the cache, which keeps the caches in the order of the builds, even when an older build returns.
    await caches.delete(name)
    try {
      const cache = await caches.open(name)
      for (const [path, response] of responses) await cache.put(path, response)
    } catch (problem) {
      await caches.delete(name)
      throw problem
    }
  }

  /** The paths of this build that the cache lacks or holds with other content. */
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

  /**
   * Deletes wrong files at once, so that they are requested from the server again: a gap breaks less than a gateway's page in
   * its place.
   */
  async function checkStores(): Promise<void> {
    await forgetOldBuilds()
    if (built.length === 0) return
    const name = await ownCache
    const wrong = await wrongIn(name)
    const cache = await caches.open(name)
    for (const path of wrong) await cache.delete(path, anyEncoding)
    for (const older of await shellCaches()) if (older !== name) await dropPagesForFiles(older)
    // Do not await the missing files: the browser holds back every page until this event is over.
    if (wrong.length > 0) void fillGaps()
  }

  /** Fetches missing files. After a failure, the next request for a missing file tries again. */
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
        // If something on the way alters one file, the others must still be stored.
        problem = refusal
      }
    }
    if (problem !== undefined) throw problem
  }
}

/** Fetches a file of this build. Rejects if the response is anything else. */
async function fetchBuilt(path: string, file: BuiltFile): Promise<Response> {
  // Names in assets/ contain a hash of the content. Pages are never taken from an older build, since the server's security
  // headers are stored with them.
  const isNamedByContent = path.startsWith('/assets/')
  const known = isNamedByContent ? await caches.match(path, anyEncoding) : undefined
  if (known && (await isFile(known, file))) return known
  // The second try bypasses the browser's own cache, which may hold a gateway's page.
  for (const cache of [isNamedByContent ? 'default' : 'no-cache', 'reload'] as const) {
    const response = await fetch(path, { cache, priority: 'low' })
    if (await isFile(response, file)) return response
    // Cancel the body, because a response that is not read keeps its connection.
    await response.body?.cancel()
  }
  throw new Error(`${path} was not answered with the file of this build`)
}

/**
 * Deletes pages stored in place of files. The files of an older build cannot be verified, but an HTML page under a script's
 * name is certainly wrong.
 */
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
