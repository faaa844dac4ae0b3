import { ArrowUp, CircleAlert, CloudAlert, CloudOff, Hourglass } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { useNotices } from '#platform/sync/use-notices.ts'
import { useSyncState } from '#platform/sync/use-sync-state.ts'
import { announce } from '#platform/ui/announcer.tsx'
import { Button } from '#platform/ui/button.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { later } from '#platform/ui/later.ts'
import { inDigits } from '#platform/ui/number-words.ts'
import { refusedInWords, type Sign, signOf } from './sync-words.ts'

/** Milliseconds: what is over sooner is not worth a word. */
const worthSaying = 1_000

const icons = {
  offline: CloudOff,
  silent: CloudAlert,
  sending: ArrowUp,
  waiting: Hourglass,
  saved: undefined,
}

/**
 * How the changes made on this device stand. In the top bar, where it moves nothing whatever it says. Once all is saved
 * there is nothing to see.
 */
export function SyncSign() {
  const sync = useSync()
  const sign = useSign()
  const refused = useNotices().filter(({ held }) => !held).length
  const lasts = useLasting(sign !== undefined && sign.kind !== 'saved')
  const isSaid = sign?.kind === 'saved' ? refused === 0 : lasts
  const shown = isSaid ? sign : undefined
  const seen = shown?.kind === 'saved' ? undefined : shown
  useSpoken(shown)
  const Icon = shown && icons[shown.kind]
  return (
    <div className="ml-auto flex shrink-0 items-center gap-1.5 px-1.5 text-small whitespace-nowrap text-ink-3">
      {Icon && <Icon size={16} />}
      {shown && <span className="sr-only">{shown.words}</span>}
      {seen && (
        <>
          {/* Beside those that were refused its sign has to do, unless there is room for both. */}
          <span aria-hidden="true" className={refused === 0 ? '@max-[30rem]:hidden' : '@max-[46rem]:hidden'}>
            {seen.words}
          </span>
          {refused === 0 && (
            <span aria-hidden="true" className="@min-[30rem]:hidden">
              {seen.short}
            </span>
          )}
        </>
      )}
      {seen?.kind === 'silent' && (
        <Button
          variant="quiet"
          onClick={() => sync.wake()}
          className={cn(
            'min-h-8 px-2 py-0.5 text-small',
            refused === 0 ? '@max-[30rem]:hidden' : '@max-[46rem]:hidden',
          )}
        >
          Try now
        </Button>
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
  const { words, short, see } = refusedInWords(number)
  return (
    <>
      {number > 0 && (
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="min-h-8 gap-1.5 px-1.5 py-0.5 text-small text-ink"
        >
          {/* Where a phone is at its narrowest there is room for the sign and the number. */}
          <CircleAlert size={16} className="text-ink-2 @max-[30rem]:hidden @max-[21rem]:block" />
          <span className="@max-[30rem]:sr-only">{words}</span>
          <span className="ml-2 text-ink-2 @max-[30rem]:sr-only">{see}</span>
          <span aria-hidden="true" className="@min-[30rem]:hidden @max-[21rem]:hidden">
            {short}
          </span>
          <span aria-hidden="true" className="@min-[21rem]:hidden">
            {inDigits.format(number)}
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

/** Read aloud is only what somebody has to know: that the connection is gone, that it is back, and all is saved. */
function useSpoken(shown: Sign | undefined) {
  const wasOffline = useRef(false)
  const kind = shown?.kind
  useEffect(() => {
    if (kind === 'offline') {
      wasOffline.current = true
      announce("Offline. Changes will be sent when you're back online.")
    }
    if (kind === 'silent') {
      wasOffline.current = true
      announce('The server does not answer. Changes will be sent when it does.')
    }
    if (kind === 'saved' && wasOffline.current) {
      wasOffline.current = false
      announce('Back online. All changes saved.')
    }
  }, [kind])
}
