import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { registerServiceWorker } from '#platform/browser/device/service-worker.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import { shellCaches } from './shell-caches.ts'
import { skipWaiting } from './shell-message.ts'

/** Milliseconds after mounting until the page has most likely fetched everything it shows. */
const settleTime = 1_000

/** Milliseconds after `settleTime` until the app is stored even if the page had no idle moment, as on a busy machine. */
const longestWait = 2_000

/** Milliseconds between checks for a newer build on a page that stays open. */
const checkInterval = 3_600_000

/** Milliseconds from a failed installation to the next try. The wait doubles with each failure, up to `checkInterval`. */
const firstRetryWait = 60_000

/** Milliseconds between skip-waiting messages to a worker that is still waiting. */
const skipWaitingInterval = 2_000

/**
 * Installs the service worker for a signed-in user once the page is idle, so that the app is stored on the device. Offers a newer
 * build when it is ready. The page itself does not change until it is reloaded. Over plain http there are no service workers, so
 * the page fetches all screens while it can.
 */
export function OfflineApp(): null {
  const router = useRouter()
  useEffect(() => {
    // In development, the page must show the edited files, not stored ones.
    if (import.meta.env.DEV) return
    const { serviceWorker } = navigator
    if (!serviceWorker) return fetchScreensWhenIdle(router)
    const over = new AbortController()
    const look = async () => void (await (await serviceWorker.getRegistration())?.update())
    const looking = setInterval(() => navigator.onLine && void attempt(look), checkInterval)
    const offer = () => void attempt(offerNewBuild)
    const installed = () => void attempt(persistStorage)
    const stopWaiting = whenIdle(() => keepInstalled(over.signal))
    serviceWorker.addEventListener('controllerchange', offer)
    void serviceWorker.ready.then((registration) => skipWaitingWorkers(registration, over.signal))
    // The worker may have changed while nobody was signed in on this page.
    if (serviceWorker.controller) void attempt(offerIfCached)
    window.addEventListener('appinstalled', installed)
    return () => {
      over.abort()
      stopWaiting()
      clearInterval(looking)
      serviceWorker.removeEventListener('controllerchange', offer)
      window.removeEventListener('appinstalled', installed)
    }
  }, [router])
  return null
}

/**
 * Fetches all screens once the page is idle. When the connection is back, fetches the screens that failed. Returns a function
 * that cancels the fetching.
 */
function fetchScreensWhenIdle(router: RegisteredRouter): () => void {
  const fetchScreens = () => void fetchEveryScreen(router)
  const stopWaiting = whenIdle(fetchScreens)
  window.addEventListener('online', fetchScreens)
  return () => {
    stopWaiting()
    window.removeEventListener('online', fetchScreens)
  }
}

/**
 * Fetches screens one after the other, since the person may be waiting for something else. The lazy parts of a screen come
 * after it.
 */
async function fetchEveryScreen({ routesById, loadRouteChunk }: RegisteredRouter): Promise<void> {
  for (const route of Object.values(routesById)) {
    if (!navigator.onLine) return
    if (route.parentRoute?.id === '/signed-in') await loadRouteChunk(route)
  }
}

/** Runs `work` after the page, its content and its lazy parts have loaded. Returns a function that cancels the wait. */
function whenIdle(work: () => void): () => void {
  let off = false
  const start = () => {
    if (!off) work()
  }
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: longestWait })
    else start()
  }, settleTime)
  return () => {
    off = true
    clearTimeout(timer)
  }
}

/**
 * Installs the worker, and tries again when that fails, for example behind a gateway that makes people sign in to the
 * network. The page may stay open for hours.
 */
function keepInstalled(signal: AbortSignal): void {
  let wait = firstRetryWait
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))

  async function install() {
    await registerServiceWorker()
    const registration = await navigator.serviceWorker.getRegistration()
    if (!registration) return
    registration.addEventListener('updatefound', watch, { signal })
    watchWorker(registration.installing)
    // If a worker is already active, registering it does not look for a newer one.
    if (wait > firstRetryWait && registration.active) await registration.update()
    if (matchMedia('(display-mode: standalone)').matches) await persistStorage()
  }

  async function tryNow() {
    clearTimeout(timer)
    window.removeEventListener('online', tryNow)
    // Offline there is nothing to fetch, and browsers would log an error.
    if (!navigator.onLine) return window.addEventListener('online', tryNow, { signal })
    if (!(await attempt(install))) tryLater()
  }

  function tryLater() {
    if (signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(tryNow, wait)
    wait = Math.min(2 * wait, checkInterval)
    window.addEventListener('online', tryNow, { signal })
  }

  function watch({ currentTarget }: Event) {
    if (currentTarget instanceof ServiceWorkerRegistration) watchWorker(currentTarget.installing)
  }

  function watchWorker(worker: ServiceWorker | null) {
    worker?.addEventListener('statechange', settle, { once: true, signal })
  }

  function settle({ target }: Event) {
    if (target instanceof ServiceWorker && target.state === 'redundant') tryLater()
    else wait = firstRetryWait
  }

  void tryNow()
}

/**
 * Tells waiting workers to take over. Chromium sometimes ignores a worker's own `skipWaiting`, and the worker then waits for
 * minutes.
 */
function skipWaitingWorkers(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  const sendUntilActive = () => {
    const sending = setInterval(() => {
      const { installing, waiting } = registration
      if (signal.aborted || (!installing && !waiting)) return clearInterval(sending)
      waiting?.postMessage(skipWaiting)
    }, skipWaitingInterval)
  }
  registration.addEventListener('updatefound', sendUntilActive, { signal })
  if (registration.installing || registration.waiting) sendUntilActive()
}

/**
 * Asks the browser to keep the storage. Called only for an installed app, which gets it without a prompt: Firefox would ask
 * people who are only looking around.
 */
async function persistStorage(): Promise<void> {
  const { storage } = navigator
  if (!(await storage.persisted())) await storage.persist()
}

/** Offers the newest stored build, unless the page already has it, as after the first installation. */
async function offerNewBuild(): Promise<void> {
  const entry = entryScript()
  const newest = (await shellCaches()).at(-1)
  if (!entry || newest === undefined) return
  const cache = await caches.open(newest)
  if (await cache.match(entry.src, { ignoreVary: true })) return
  toast('A new version of Daymark is ready', {
    id: 'new-version',
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}

/**
 * Offers a newer build if the page comes from a stored one. Other pages may have just come from the server, and be newer
 * than the worker.
 */
async function offerIfCached(): Promise<void> {
  const entry = entryScript()
  if (entry && (await caches.match(entry.src, { ignoreVary: true }))) await offerNewBuild()
}

/** The entry script of this page, whose name is unique to its build. */
function entryScript(): HTMLScriptElement | null {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')
}

/** Runs `work`, and resolves to whether it succeeded. */
async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    // The device is offline, or the browser refused. Everything stays as it was.
    console.warn('The app could not be kept on this device', error)
    return false
  }
}
