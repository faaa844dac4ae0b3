import { CircleAlert, CircleCheck, CircleX, Info, X } from 'lucide-react'
import { Toaster as Sonner } from 'sonner'
import { buttonLook } from './button.tsx'
import { cn } from './class-names.ts'

/** Once in the app. Swiping, timing and Alt+T are sonner's own and the specification's. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={3}
      gap={14}
      duration={4000}
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
          toast:
            'flex w-full items-center gap-3 rounded-card bg-raised py-3 pr-3 pl-4 font-sans text-ink shadow-2 focus-visible:outline-2 focus-visible:outline-accent sm:w-(--width)',
          content: 'min-w-0 flex-1',
          title: 'text-control font-medium text-ink',
          description: 'line-clamp-3 text-control text-ink-2 wrap-anywhere',
          icon: 'shrink-0',
          actionButton: cn(buttonLook({ variant: 'secondary' }), 'h-8 px-3 pointer-coarse:h-11'),
          cancelButton: cn(buttonLook({ variant: 'quiet' }), 'h-8 px-3 pointer-coarse:h-11'),
          closeButton: cn(buttonLook({ variant: 'icon', size: 'icon' }), 'order-last'),
        },
      }}
    />
  )
}
