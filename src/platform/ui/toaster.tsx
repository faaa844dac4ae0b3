import { CircleAlert, CircleCheck, CircleX, Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type ExternalToast, Toaster as Sonner, toast } from 'sonner'
import { cn } from './class-names.ts'
import { type Shows, showToastsBy, type ToastKind, type ToastOptions } from './toast.ts'
import { ToastButtons } from './toast-buttons.tsx'
import { goToNotifications } from './toast-shortcuts.ts'
import { useRoomForToasts } from './use-room-for-toasts.ts'

/** Once in the app. Swiping, hovering and Alt+T are sonner's own and the specification's. */
export function Toaster() {
  const windowInUse = useWindowInUse()
  const toasts = useRef<HTMLElement>(null)
  useRoomForToasts(toasts)
  // Sonner's own effects, which listen for toasts, run before this one.
  useEffect(() => showToastsBy(bySonner), [])
  return (
    <Sonner
      ref={toasts}
      position="bottom-right"
      visibleToasts={3}
      gap={14}
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
  // Not selectable: a mouse that selects text cannot swipe. An open dialog keeps the pointer from all else.
  'pointer-events-auto select-none font-sans text-control text-ink',
  '@container grid min-h-14 w-full grid-cols-[auto_minmax(0,1fr)_auto_auto] content-center items-center rounded-card bg-raised py-3 pr-3 pl-4 shadow-2 sm:w-(--width)',
  'focus-visible:outline-2 focus-visible:outline-accent',
  // Behind the one in front there are cards and nothing to read or to press.
  'data-[expanded=false]:data-[front=false]:*:invisible data-[visible=false]:*:invisible',
)

/** With buttons four lines at most, so that they stay in sight; without, all of it. */
const clamped = 'line-clamp-4'

let unnamed = 0

const bySonner: Shows = {
  show(kind, title, options) {
    const { id = `toast-${++unnamed}`, action, otherAction } = options
    const beside = staysBeside(title, options)
    // Answered is not put away: what the answer does may not be done yet.
    let answered = false
    const told: ExternalToast = {
      id,
      description: options.description,
      action: (
        <ToastButtons
          actions={[action, otherAction].filter((each) => each !== undefined)}
          beside={beside}
          onAnswer={() => {
            answered = true
            toast.dismiss(id)
          }}
          onClose={() => toast.dismiss(id)}
        />
      ),
      onDismiss: () => {
        if (!answered) options.onDismiss?.()
      },
      classNames: action ? { description: clamped } : {},
    }
    if (options.duration !== undefined) told.duration = options.duration
    showAs[kind](title, told)
  },
  dismiss: (id) => void toast.dismiss(id),
}

const showAs: Record<ToastKind, typeof toast.error> = {
  plain: toast,
  success: toast.success,
  error: toast.error,
  warning: toast.warning,
}

/** Characters that fit into a line or two beside a short button. */
const fewWords = 34

/** One short button stays beside short words; all else has the words over the full width, and the buttons under them. */
function staysBeside(title: string, { description = '', action, otherAction }: ToastOptions): boolean {
  if (otherAction || description.length > fewWords) return false
  return !action || (action.label.length <= 8 && title.length <= fewWords)
}

/**
 * Whether the window is the one its user works in; toasts wait while it is not.
 * sonner waits only while the page is hidden, so those on the screen are given time without end, and theirs back later.
 */
function useWindowInUse(): boolean {
  const [inUse, setInUse] = useState(() => document.hasFocus())
  useEffect(() => {
    const ownDurations = new Map<number | string, number | undefined>()
    const hold = () => {
      setInUse(false)
      for (const told of toast.getToasts()) {
        if (!('title' in told) || ownDurations.has(told.id)) continue
        ownDurations.set(told.id, told.duration)
        toast(told.title, { id: told.id, duration: Number.POSITIVE_INFINITY })
      }
    }
    const letGo = () => {
      setInUse(true)
      for (const told of toast.getToasts()) {
        // Those told meanwhile too: sonner starts a toast's time again only when the toast itself changes.
        if ('title' in told) toast(told.title, { id: told.id, duration: ownDurations.get(told.id) })
      }
      ownDurations.clear()
    }
    window.addEventListener('blur', hold)
    window.addEventListener('focus', letGo)
    return () => {
      window.removeEventListener('blur', hold)
      window.removeEventListener('focus', letGo)
    }
  }, [])
  return inUse
}
