import { ArrowUp, Check, CloudOff, Hourglass } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { useSyncState } from '#platform/sync/use-sync-state.ts'
import { announce } from '#platform/ui/announcer.tsx'
import { type Sign, signOf } from './sync-words.ts'

/** Milliseconds: what is over sooner is not worth a word. */
const worthSaying = 1_000

/** Milliseconds for which it is said in words that all is saved, before a tick says it. */
const saidFor = 3_000

/** Milliseconds after which a server that did not answer is asked again. */
const askAgainAfter = 15_000

const icons = { offline: CloudOff, sending: ArrowUp, waiting: Hourglass, saved: Check }

/** How the changes made on this device stand. In the top bar, where it moves nothing whatever it says. */
export function SyncSign() {
  const sign = useSign()
  const lasts = useLasting(sign !== undefined && sign.kind !== 'saved')
  const shown = sign?.kind === 'saved' || lasts ? sign : undefined
  const inWords = useJustSaved(shown) || shown?.kind !== 'saved'
  useSpoken(shown)
  const Icon = shown && icons[shown.kind]
  return (
    <div className="ml-auto flex shrink-0 items-center gap-1.5 px-1.5 text-small whitespace-nowrap text-ink-3">
      {Icon && <Icon size={16} />}
      {shown && <span className="sr-only">{shown.words}</span>}
      {shown && inWords && (
        <>
          <span aria-hidden="true" className="@max-[30rem]:hidden">
            {shown.words}
          </span>
          <span aria-hidden="true" className="@min-[30rem]:hidden">
            {shown.short}
          </span>
        </>
      )}
    </div>
  )
}

/** Undefined until the device was read, for something may be waiting there. */
function useSign(): Sign | undefined {
  const sync = useSync()
  const state = useSyncState()
  const [known, setKnown] = useState(false)
  useEffect(() => {
    let over = false
    const setIfHere = () => {
      if (!over) setKnown(true)
    }
    void sync.outbox.ready.then(setIfHere)
    return () => {
      over = true
    }
  }, [sync])

  // What waits is sent again and again, which tells; where nothing waits, only asking does.
  const unasked = !state.online && state.waiting === 0
  useEffect(() => {
    if (!unasked) return
    const asking = setInterval(() => {
      if (navigator.onLine && document.visibilityState === 'visible') void sync.reread()
    }, askAgainAfter)
    return () => clearInterval(asking)
  }, [sync, unasked])

  return known ? signOf(state) : undefined
}

/** True once `is` has been so for a while. */
function useLasting(is: boolean): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!is) return
    const timer = setTimeout(() => setLasts(true), worthSaying)
    return () => {
      clearTimeout(timer)
      setLasts(false)
    }
  }, [is])
  return is && lasts
}

/** True for a while after something was said to be on its way. */
function useJustSaved(shown: Sign | undefined): boolean {
  const [just, setJust] = useState(false)
  const wasWaiting = useRef(false)
  const saved = shown?.kind === 'saved'
  const waiting = shown !== undefined && shown.waiting > 0
  useEffect(() => {
    if (waiting) wasWaiting.current = true
    if (!saved || !wasWaiting.current) return
    wasWaiting.current = false
    setJust(true)
    const timer = setTimeout(() => setJust(false), saidFor)
    return () => {
      clearTimeout(timer)
      setJust(false)
    }
  }, [saved, waiting])
  return saved && just
}

/** Read aloud is only what somebody has to know: that the connection is gone, that it is back, and all is saved. */
function useSpoken(shown: Sign | undefined) {
  const wasOffline = useRef(false)
  const kind = shown?.kind
  useEffect(() => {
    if (kind === 'offline') {
      wasOffline.current = true
      announce('Offline. Changes are sent when there is a connection.')
    }
    if (kind === 'saved' && wasOffline.current) {
      wasOffline.current = false
      announce('Online again. All changes saved.')
    }
  }, [kind])
}
