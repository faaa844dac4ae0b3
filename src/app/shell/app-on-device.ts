import { useEffect } from 'react'
import { registerServiceWorker } from '#platform/ui/service-worker.ts'
import { toast } from '#platform/ui/toast.ts'
import { shellCaches } from './shell-caches.ts'
import { doNotWait } from './shell-message.ts'

/** Milliseconds until a page has most likely fetched all that it shows, from when this part of it is there. */
const settlesWithin = 1_000

/** Milliseconds after which a page that stays open looks for a newer build. */
const lookAgain = 3_600_000

/** Milliseconds after which a worker that still waits is told again not to. */
const tellAgain = 2_000

/**
 * Has the app kept on the device of whoever is signed in, once the page has nothing better to do, and says when a newer
 * build is there. The page itself stays what it is until it is loaded again.
 */
export function AppOnDevice(): null {
  useEffect(() => {
    // Over plain http there is none. While developing, what is edited is shown and not what is kept.
    const { serviceWorker } = navigator
    if (!serviceWorker || import.meta.env.DEV) return
    const over = new AbortController()
    const keep = async () => {
      await registerServiceWorker()
      if (matchMedia('(display-mode: standalone)').matches) await stayOnDevice()
    }
    const look = async () => void (await (await serviceWorker.getRegistration())?.update())
    // Without a connection there is nothing to be had, and browsers complain of it.
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
    // It may have changed while nobody was signed in on this page.
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

/** After the page, what it shows, and its later parts. Answers the way to call it off. */
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

/** Chromium at times forgets that a worker does not want to wait for those of before, and then it waits for minutes. */
function letNoneWait(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  const tellUntilItGoes = () => {
    const telling = setInterval(() => {
      const { installing, waiting } = registration
      if (signal.aborted || (!installing && !waiting)) return clearInterval(telling)
      waiting?.postMessage(doNotWait)
    }, tellAgain)
  }
  registration.addEventListener('updatefound', tellUntilItGoes, { signal })
  if (registration.installing || registration.waiting) tellUntilItGoes()
}

/** An installed app is given that without a word; Firefox would put the question to whoever only looks around. */
async function stayOnDevice(): Promise<void> {
  const { storage } = navigator
  if (!(await storage.persisted())) await storage.persist()
}

/** Not where the page is of that build already, as after the first worker. */
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

/** A page that no kept build has may have come from the server just now, and be newer than the worker. */
async function offerWhereKept(): Promise<void> {
  const begun = beginning()
  if (begun && (await caches.match(begun.src, { ignoreVary: true }))) await offerNewBuild()
}

/** The script that this page began with, named as no other build's. */
function beginning(): HTMLScriptElement | null {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (refusal) {
    // Without a connection, or where the browser does not want to: then it is as it was.
    console.warn('The app could not be kept on this device', refusal)
  }
}
