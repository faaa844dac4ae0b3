import { ArrowUp, CircleAlert, CloudAlert, CloudOff, Hourglass } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { integerFormat } from '#platform/format/format-number.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useFailedWrites } from '#platform/sync/react/use-failed-writes.ts'
import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { formatFailedChanges, formatSyncStatus, type SyncStatusText } from './format-sync-status.ts'

/** Milliseconds that a state must last before it is shown. */
const worthSaying = 1_000

const icons = {
  offline: CloudOff,
  silent: CloudAlert,
  sending: ArrowUp,
  waiting: Hourglass,
  saved: undefined,
}

/**
 * The sync status of the changes made on this device. It is in the top bar, where its text never moves anything else. Once
 * everything is saved, nothing is shown.
 */
export function SyncStatus() {
  const sync = useSync()
  const status = useStatus()
  const refused = useFailedWrites().filter(({ held }) => !held).length
  const lasts = useLasting(status !== undefined && status.kind !== 'saved')
  const isSaid = status?.kind === 'saved' ? refused === 0 : lasts
  const shown = isSaid ? status : undefined
  const seen = shown?.kind === 'saved' ? undefined : shown
  useSpoken(shown)
  const Icon = shown && icons[shown.kind]
  return (
    <div
      data-said={seen || refused > 0 ? '' : undefined}
      className="flex items-center gap-1.5 px-1.5 text-small whitespace-nowrap text-ink-3"
    >
      {Icon && <Icon size={16} />}
      {shown && <span className="sr-only">{shown.text}</span>}
      {seen && (
        <>
          {/* Next to refused changes, only the icon and the number of waiting changes are shown, unless there is room for
              all. */}
          <span aria-hidden="true" className={refused === 0 ? '@max-[30rem]:hidden' : '@max-[46rem]:hidden'}>
            {seen.text}
          </span>
          {refused === 0 && (
            <span aria-hidden="true" className="@min-[30rem]:hidden">
              {seen.short}
            </span>
          )}
          {refused > 0 && seen.waiting > 0 && (
            <span aria-hidden="true" className="@min-[46rem]:hidden">
              {integerFormat.format(seen.waiting)}
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

const LazyFailedChanges = lazyPart(() => import('./failed-changes.tsx'), 'FailedChanges', 'after the screen')

/** Opens the list of refused changes. */
function Refused({ number }: { number: number }) {
  const [open, setOpen] = useState(false)
  const FailedChanges = usePart(LazyFailedChanges, open)
  const { text, short, see } = formatFailedChanges(number)
  return (
    <>
      {number > 0 && (
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="min-h-8 gap-1.5 px-1.5 py-0.5 text-small text-ink"
        >
          {/* The narrowest phones have room for only the icon and the number. */}
          <CircleAlert size={16} className="text-ink-2 @max-[30rem]:hidden @max-[21rem]:block" />
          <span className="@max-[30rem]:sr-only">{text}</span>
          <span className="ml-2 text-ink-2 @max-[30rem]:sr-only">{see}</span>
          <span aria-hidden="true" className="@min-[30rem]:hidden @max-[21rem]:hidden">
            {short}
          </span>
          <span aria-hidden="true" className="@min-[21rem]:hidden">
            {integerFormat.format(number)}
          </span>
        </Button>
      )}
      {FailedChanges && <FailedChanges open={open} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The status to show; undefined until the local store has been read, since writes may be waiting there. */
function useStatus(): SyncStatusText | undefined {
  const sync = useSync()
  const state = useSyncState()
  const [isRead, setIsRead] = useState(false)
  useEffect(() => {
    let over = false
    const setIfHere = () => {
      if (!over) setIsRead(true)
    }
    void sync.outbox.ready.then(setIfHere)
    return () => {
      over = true
    }
  }, [sync])

  return isRead ? formatSyncStatus(state) : undefined
}

/** Returns true once `is` has been true for `worthSaying` milliseconds. */
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

/** Announces only what matters to screen readers: that the connection is lost, and that it is back with everything saved. */
function useSpoken(shown: SyncStatusText | undefined) {
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
