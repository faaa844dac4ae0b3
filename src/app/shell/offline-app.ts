import { useEffect } from 'react'
import { registerServiceWorker } from '#platform/browser/service-worker.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import { shellCaches } from './shell-caches.ts'
import { skipWaiting } from './shell-message.ts'

/** Milliseconds after mounting by which the page has most likely fetched everything it shows. */
const settlesWithin = 1_000

/** Milliseconds between checks for a newer build on a page that stays open. */
const lookAgain = 3_600_000

/** Milliseconds between messages to a worker that is still waiting. */
const tellAgain = 2_000

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
    const keep = async () => {
      await registerServiceWorker()
      if (matchMedia('(display-mode: standalone)').matches) await stayOnDevice()
    }
    const look = async () => void (await (await serviceWorker.getRegistration())?.update())
    // Offline there is nothing to fetch, and browsers would log an error.
    const keepWhenOnline = () => {
      if (navigator.onLine) void attempt(keep)
      else window.addEventListener('online', keepWhenOnline, { once: true })
    }
    const looking = setInterval(() => navigator.onLine && void attempt(look), lookAgain)
    const offer = () => void attempt(offerNewBuild)
    const installed = () => void attempt(stayOnDevice)
    const stopWaiting = whenIdle(keepWhenOnline)
    serviceWorker.addEventListener('controllerchange', offer)
    void serviceWorker.ready.then((registration) => letNoneWait(registration, over.signal))
    // The worker may have changed while nobody was signed in on this page.
    if (serviceWorker.controller) void attempt(offerWhereKept)
    window.addEventListener('appinstalled', installed)
    return () => {
      over.abort()
      stopWaiting()
      window.removeEventListener('online', keepWhenOnline)
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
    if ('requestIdleCallback' in window) requestIdleCallback(start)
    else start()
  }, settlesWithin)
  return () => {
    off = true
    clearTimeout(timer)
  }
}

/** Chromium sometimes ignores a worker's `skipWaiting`, which then waits for minutes. */
function letNoneWait(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  const tellUntilItGoes = () => {
    const telling = setInterval(() => {
      const { installing, waiting } = registration
      if (signal.aborted || (!installing && !waiting)) return clearInterval(telling)
      waiting?.postMessage(skipWaiting)
    }, tellAgain)
  }
  registration.addEventListener('updatefound', tellUntilItGoes, { signal })
  if (registration.installing || registration.waiting) tellUntilItGoes()
}

/** Only for an installed app, which gets it without a prompt: Firefox would ask people who are only looking around. */
async function stayOnDevice(): Promise<void> {
  const { storage } = navigator
  if (!(await storage.persisted())) await storage.persist()
}

/** Does nothing when the page already is that build, as after the first worker. */
async function offerNewBuild(): Promise<void> {
  const begun = beginning()
  const newest = (await shellCaches()).at(-1)
  if (!begun || newest === undefined) return
  const cache = await caches.open(newest)
  if (await cache.match(begun.src, { ignoreVary: true })) return
  toast('A new version of Daymark is ready', {
    id: 'new-version',
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}

/** A page from no stored build may have just come from the server, and be newer than the worker. */
async function offerWhereKept(): Promise<void> {
  const begun = beginning()
  if (begun && (await caches.match(begun.src, { ignoreVary: true }))) await offerNewBuild()
}

/** The entry script of this page, whose name is unique to its build. */
function beginning(): HTMLScriptElement | null {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (refusal) {
    // Offline, or the browser refused: then everything stays as it was.
    console.warn('The app could not be kept on this device', refusal)
  }
}
