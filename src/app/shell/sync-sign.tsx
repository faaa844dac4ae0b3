import { ArrowUp, Check, CircleAlert, CloudAlert, CloudOff, Hourglass } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { useNotices } from '#platform/sync/use-notices.ts'
import { useSyncState } from '#platform/sync/use-sync-state.ts'
import { announce } from '#platform/ui/announcer.tsx'
import { Button } from '#platform/ui/button.tsx'
import { later } from '#platform/ui/later.ts'
import { refusedInWords, type Sign, signOf } from './sync-words.ts'

/** Milliseconds: what is over sooner is not worth a word. */
const worthSaying = 1_000

/** Milliseconds for which it is said in words that all is saved, before a tick says it. */
const saidFor = 3_000

const icons = { offline: CloudOff, silent: CloudAlert, sending: ArrowUp, waiting: Hourglass, saved: Check }

/** How the changes made on this device stand. In the top bar, where it moves nothing whatever it says. */
export function SyncSign() {
  const sign = useSign()
  const refused = useNotices().filter(({ held }) => !held).length
  const lasts = useLasting(sign !== undefined && sign.kind !== 'saved')
  const isSaid = sign?.kind === 'saved' ? refused === 0 : lasts
  const shown = isSaid ? sign : undefined
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
          {/* Beside those that were refused its sign has to do. */}
          {refused === 0 && (
            <span aria-hidden="true" className="@min-[30rem]:hidden">
              {shown.short}
            </span>
          )}
        </>
      )}
      <Refused number={refused} />
    </div>
  )
}

const useRefusedChanges = later(async () => (await import('./refused-changes.tsx')).RefusedChanges)

/** A press shows which changes were refused. */
function Refused({ number }: { number: number }) {
  const [open, setOpen] = useState(false)
  const RefusedChanges = useRefusedChanges(open)
  const { words, short } = refusedInWords(number)
  return (
    <>
      {number > 0 && (
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="min-h-8 gap-1.5 px-1.5 py-0.5 text-small font-normal"
        >
          {/* Where a phone is at its narrowest there is room for the sign and the number. */}
          <CircleAlert size={16} className="@max-[30rem]:hidden @max-[21rem]:block" />
          <span className="@max-[30rem]:sr-only">{words}</span>
          <span aria-hidden="true" className="@min-[30rem]:hidden @max-[21rem]:hidden">
            {short}
          </span>
          <span aria-hidden="true" className="@min-[21rem]:hidden">
            {number}
          </span>
        </Button>
      )}
      {RefusedChanges && <RefusedChanges open={open} onClose={() => setOpen(false)} />}
    </>
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
    if (kind === 'silent') {
      wasOffline.current = true
      announce('The server is not responding. Changes are sent when it does.')
    }
    if (kind === 'saved' && wasOffline.current) {
      wasOffline.current = false
      announce('Online again. All changes saved.')
    }
  }, [kind])
}
