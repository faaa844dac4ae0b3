import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ComponentProps, useRef } from 'react'
import { useOnceCalm } from '#platform/browser/keyboard/use-once-calm.ts'
import { cn } from '../class-names.ts'
import { Button } from '../controls/button.tsx'

/** Opens only once the person has stopped typing, so that a dialog nobody asked for catches no keys. */
export function Dialog({ open, ...rest }: ComponentProps<typeof Primitive.Root>) {
  const mayOpen = useOnceCalm(open === true)
  return <Primitive.Root {...rest} {...(open !== undefined && { open: mayOpen })} />
}

/** Opens the dialog, and gets the focus back after it closes. */
export const DialogTrigger = Primitive.Trigger
export const DialogClose = Primitive.Close

/** Needs a `DialogTitle` inside; the close button is included. */
export function DialogContent({ className, children, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      {/* The content is inside the overlay, so that a dialog taller than the screen scrolls. Where toasts could cover it, the
          overlay ends above them, and the dialog stays in the middle of the window as far as there is room. */}
      <Primitive.Overlay
        data-above-toasts
        className={cn(
          'fixed inset-0 z-40 flex flex-col items-center overflow-y-auto border-transparent bg-veil p-4',
          'max-[1216px]:border-b-(length:--toasts) max-[1216px]:before:basis-(--toasts) before:grow after:grow',
          'transition-[border-width] duration-180 ease-calm before:transition-[flex-basis] before:duration-180 before:ease-calm',
          'data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in',
        )}
      >
        <Primitive.Content
          aria-describedby={undefined}
          onPointerDownOutside={stayForToasts}
          className={cn(
            'relative w-full base:max-w-[440px] shrink-0 rounded-dialog bg-raised p-6 text-ink shadow-3 outline-none',
            'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in',
            className,
          )}
          {...rest}
        >
          {children}
          <Primitive.Close asChild>
            <Button
              variant="icon"
              aria-label="Close"
              className="absolute top-5 right-4 pointer-coarse:top-3.5"
            >
              <X />
            </Button>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Overlay>
    </Primitive.Portal>
  )
}

/**
 * For a dialog that no `DialogTrigger` opened: when it closes, the focus returns to the element that had it before. If that
 * element is gone or there was none, the focus goes to the element that `otherwise` finds.
 */
export function useFocusReturn(
  otherwise?: () => Element | null,
): Pick<ComponentProps<typeof DialogContent>, 'onOpenAutoFocus' | 'onCloseAutoFocus'> {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      const stands = opener.current?.isConnected && opener.current !== document.body
      const target = stands ? opener.current : otherwise?.()
      if (target instanceof HTMLElement) target.focus()
    },
  }
}

/** Keeps a dialog open when a toast is pressed: toasts are above it, but outside it. */
export function stayForToasts(event: CustomEvent<{ originalEvent: Event }>): void {
  const { target } = event.detail.originalEvent
  if (target instanceof Element && target.closest('[data-sonner-toaster]')) event.preventDefault()
}

export function DialogTitle({ className, ...rest }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn('pr-10 text-heading text-ink', className)} {...rest} />
}

export function DialogDescription({ className, ...rest }: ComponentProps<typeof Primitive.Description>) {
  return <Primitive.Description className={cn('mt-2 text-control base:text-ink-2', className)} {...rest} />
}

/** The buttons of a dialog; the primary one comes last. */
export function DialogFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('base:mt-6 flex flex-wrap justify-end gap-2', className)} {...rest} />
}
