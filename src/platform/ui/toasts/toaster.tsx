import { CircleAlert, CircleCheck, CircleX, Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type ExternalToast, Toaster as Sonner, toast } from 'sonner'
import { cn } from '../class-names.ts'
import { attachToaster, type ToastKind, type ToastOptions, type ToastRenderer } from './toast.ts'
import { ToastButtons } from './toast-buttons.tsx'
import { keepFocusThatLeaves } from './toast-focus.ts'
import { goToNotifications } from './toast-shortcuts.ts'
import { useRoomForToasts } from './use-room-for-toasts.ts'

/** Shows the toasts; mount once in the app. Swiping, hovering and Alt+T are handled by sonner, as specified. */
export function Toaster() {
  const windowInUse = useWindowInUse()
  const toasts = useRef<HTMLElement>(null)
  useRoomForToasts(toasts)
  // Effects of sonner, which subscribe it to toasts, run before this one.
  useEffect(() => attachToaster(bySonner), [])
  useEffect(() => (toasts.current ? keepFocusThatLeaves(toasts.current) : undefined), [])
  return (
    <Sonner
      ref={toasts}
      // Without `dir`, sonner reads the direction from the page at every render, which forces a style pass over a thousand rows.
      dir="ltr"
      position="bottom-right"
      visibleToasts={3}
      gap={14}
      // Moving them by `bottom` and `right` would be a layout shift.
      className="[translate:var(--shift)] motion-safe:transition-[translate]! motion-safe:duration-180! motion-safe:ease-calm!"
      offset={24}
      mobileOffset={16}
      duration={windowInUse ? 4000 : Number.POSITIVE_INFINITY}
      hotkey={['altKey', `Key${goToNotifications.keys[0].toUpperCase()}`]}
      icons={{
        success: <CircleCheck className="text-accent" />,
        error: <CircleX className="text-danger" />,
        warning: <CircleAlert className="text-ink-3" />,
        info: <Info className="text-ink-3" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: toastLook,
          icon: 'col-start-1 row-start-1 mt-0.5 mr-3 self-start',
          content: 'col-start-2 row-start-1 min-w-0',
          title: 'text-balance text-control font-medium text-ink',
          description: 'text-control text-ink-2 wrap-anywhere',
        },
      }}
    />
  )
}

const toastLook = cn(
  // Text is not selectable, since a mouse that selects text cannot swipe. Pointer events are on, since an open dialog turns
  // them off elsewhere.
  'pointer-events-auto select-none font-sans text-control text-ink',
  '@container grid min-h-14 w-full grid-cols-[auto_minmax(0,1fr)_auto_auto] content-center items-center rounded-card bg-raised py-3 pr-3 pl-4 shadow-2 sm:w-(--width)',
  'focus-visible:outline-2 focus-visible:outline-accent',
  // The toasts behind the front one are blank cards whose contents cannot be read or pressed.
  'data-[expanded=false]:data-[front=false]:*:invisible data-[visible=false]:*:invisible',
)

/** A text with buttons is cut to four lines, so that the buttons stay visible. A text without buttons is shown in full. */
const clamped = 'line-clamp-4'

let shows = 0

/**
 * Sonner's id of the toast shown under one of our ids. A toast that is closing, which takes 200 ms, is removed from here at
 * once: otherwise Sonner would update the closing toast, and the update would disappear with it.
 */
const cards = new Map<string, string>()

const bySonner: ToastRenderer = {
  show(kind, title, options) {
    const { id = `unnamed ${shows}`, action, otherAction } = options
    clearTimeout(dismissals.get(id))
    const card = cards.get(id) ?? `toast-${++shows}`
    cards.set(id, card)
    const leave = () => {
      if (cards.get(id) === card) cards.delete(id)
    }
    const close = () => {
      leave()
      toast.dismiss(card)
    }
    const beside = staysBeside(title, options)
    // Using an action does not count as dismissing: the action may not be finished yet.
    let isAnswered = false
    const shown: ExternalToast = {
      id: card,
      description: options.description,
      action: (
        <ToastButtons
          actions={[action, otherAction].filter((each) => each !== undefined)}
          beside={beside}
          onAnswer={() => {
            isAnswered = true
            close()
          }}
          onClose={close}
        />
      ),
      onAutoClose: leave,
      onDismiss: () => {
        leave()
        if (!isAnswered) options.onDismiss?.()
      },
      classNames: action ? { description: clamped } : {},
    }
    if (options.duration !== undefined) shown.duration = options.duration
    showAs[kind](title, shown)
  },
  // Sonner adds a toast after a timeout of its own, so a toast dismissed in the same moment would stay.
  dismiss(id) {
    const dismissal = setTimeout(() => {
      dismissals.delete(id)
      const card = cards.get(id)
      cards.delete(id)
      if (card) toast.dismiss(card)
    })
    dismissals.set(id, dismissal)
  },
}

/** Pending dismissals by toast id; showing a toast again cancels its dismissal. */
const dismissals = new Map<string, ReturnType<typeof setTimeout>>()

const showAs: Record<ToastKind, typeof toast.error> = {
  plain: toast,
  success: toast.success,
  error: toast.error,
  warning: toast.warning,
}

/** The most characters that fit into one or two lines next to a short button. */
const maxShortText = 34

/** A single short button stays next to a short text. Otherwise the text has the full width and the buttons go below it. */
function staysBeside(title: string, { description = '', action, otherAction }: ToastOptions): boolean {
  if (otherAction || description.length > maxShortText) return false
  return !action || (action.label.length <= 8 && title.length <= maxShortText)
}

/**
 * Whether the person is working in this window; toasts wait while they are not. Sonner itself waits only while the page is
 * hidden, so toasts get an infinite duration meanwhile, and their own duration back afterwards.
 */
function useWindowInUse(): boolean {
  const [inUse, setInUse] = useState(() => document.hasFocus())
  useEffect(() => {
    const ownDurations = new Map<number | string, number | undefined>()
    const hold = () => {
      setInUse(false)
      for (const shown of toast.getToasts()) {
        if (!('title' in shown) || ownDurations.has(shown.id)) continue
        ownDurations.set(shown.id, shown.duration)
        toast(shown.title, { id: shown.id, duration: Number.POSITIVE_INFINITY })
      }
    }
    const resume = () => {
      setInUse(true)
      for (const shown of toast.getToasts()) {
        // This includes toasts shown meanwhile: sonner restarts a toast's timer only when the toast itself changes.
        if ('title' in shown) toast(shown.title, { id: shown.id, duration: ownDurations.get(shown.id) })
      }
      ownDurations.clear()
    }
    window.addEventListener('blur', hold)
    window.addEventListener('focus', resume)
    return () => {
      window.removeEventListener('blur', hold)
      window.removeEventListener('focus', resume)
    }
  }, [])
  return inUse
}
