import { CircleAlert, CircleCheck, CircleX, Info, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { buttonLook } from './button.tsx'
import { cn } from './class-names.ts'
import { showToastsBy } from './toast.ts'

/** Once in the app. Swiping, hovering and Alt+T are sonner's own and the specification's. */
export function Toaster() {
  const windowInUse = useWindowInUse()
  // Sonner's own effects, which listen for toasts, run before this one.
  useEffect(() => showToastsBy(toast), [])
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={3}
      gap={14}
      duration={windowInUse ? 4000 : Number.POSITIVE_INFINITY}
      hotkey={['altKey', 'KeyT']}
      closeButton
      icons={{
        success: <CircleCheck className="text-accent" />,
        error: <CircleX className="text-danger" />,
        warning: <CircleAlert className="text-ink-3" />,
        info: <Info className="text-ink-3" />,
        close: <X />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          // Not selectable: a mouse that selects text cannot swipe. An open dialog keeps the pointer from all else.
          toast:
            'pointer-events-auto flex w-full select-none items-center gap-3 rounded-card bg-raised py-3 pr-3 pl-4 font-sans text-ink shadow-2 focus-visible:outline-2 focus-visible:outline-accent sm:w-(--width)',
          content: 'min-w-0 flex-1',
          title: 'text-balance text-control font-medium text-ink',
          description: 'line-clamp-3 text-control text-ink-2 wrap-anywhere',
          icon: 'shrink-0',
          actionButton: cn(buttonLook({ variant: 'secondary' }), 'min-h-8 px-3 pointer-coarse:min-h-11'),
          cancelButton: cn(buttonLook({ variant: 'quiet' }), 'min-h-8 px-3 pointer-coarse:min-h-11'),
          closeButton: cn(buttonLook({ variant: 'icon', size: 'icon' }), 'order-last'),
        },
      }}
    />
  )
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
