import { useEffect } from 'react'
import { registerServiceWorker } from '#platform/browser/service-worker.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import { shellCaches } from './shell-caches.ts'
import { skipWaiting } from './shell-message.ts'

/** Milliseconds after mounting by which the page has most likely fetched everything it shows. */
const settleTime = 1_000

/** Milliseconds after `settleTime` by which the app is stored even if the page had no idle moment, as on a busy machine. */
const longestWait = 2_000

/** Milliseconds between checks for a newer build on a page that stays open. */
const checkInterval = 3_600_000

/** Milliseconds between skip-waiting messages to a worker that is still waiting. */
const skipWaitingInterval = 2_000

/**
 * Installs the service worker for a signed-in user once the page is idle, so that the app is stored on their device, and
 * tells them when a newer build is ready. The page itself does not change until it is reloaded.
 */
export function OfflineApp(): null {
  useEffect(() => {
    // Plain http has no service workers. In development, the page must show the edited files, not stored ones.
    const { serviceWorker } = navigator
    if (!serviceWorker || import.meta.env.DEV) return
    const over = new AbortController()
    const install = async () => {
      await registerServiceWorker()
      if (matchMedia('(display-mode: standalone)').matches) await persistStorage()
    }
    const look = async () => void (await (await serviceWorker.getRegistration())?.update())
    // Offline there is nothing to fetch, and browsers would log an error.
    const installWhenOnline = () => {
      if (navigator.onLine) void attempt(install)
      else window.addEventListener('online', installWhenOnline, { once: true })
    }
    const looking = setInterval(() => navigator.onLine && void attempt(look), checkInterval)
    const offer = () => void attempt(offerNewBuild)
    const installed = () => void attempt(persistStorage)
    const stopWaiting = whenIdle(installWhenOnline)
    serviceWorker.addEventListener('controllerchange', offer)
    void serviceWorker.ready.then((registration) => skipWaitingWorkers(registration, over.signal))
    // The worker may have changed while nobody was signed in on this page.
    if (serviceWorker.controller) void attempt(offerIfCached)
    window.addEventListener('appinstalled', installed)
    return () => {
      over.abort()
      stopWaiting()
      window.removeEventListener('online', installWhenOnline)
      clearInterval(looking)
      serviceWorker.removeEventListener('controllerchange', offer)
      window.removeEventListener('appinstalled', installed)
    }
  }, [])
  return null
}

/** Runs `work` after the page, its content and its lazy parts have loaded. Returns a function that cancels it. */
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

/** Chromium sometimes ignores a worker's `skipWaiting`, which then waits for minutes. */
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

/** Only for an installed app, which gets it without a prompt: Firefox would ask people who are only looking around. */
async function persistStorage(): Promise<void> {
  const { storage } = navigator
  if (!(await storage.persisted())) await storage.persist()
}

/** Does nothing when the page already is that build, as after the first worker. */
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

/** A page from no stored build may have just come from the server, and be newer than the worker. */
async function offerIfCached(): Promise<void> {
  const entry = entryScript()
  if (entry && (await caches.match(entry.src, { ignoreVary: true }))) await offerNewBuild()
}

/** The entry script of this page, whose name is unique to its build. */
function entryScript(): HTMLScriptElement | null {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // Offline, or the browser refused: then everything stays as it was.
    console.warn('The app could not be kept on this device', error)
  }
}
