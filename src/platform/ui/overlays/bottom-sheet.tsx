import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { useKeptOffToasts } from '../toasts/toast-obstacles.ts'
import { Dialog, stayForToasts } from './dialog.tsx'

export const BottomSheet = Dialog

interface BottomSheetContentProps extends ComponentProps<typeof Primitive.Content> {
  /** The name for screen readers. */
  label: string
  /** Shows the name and a close button instead of the grip, as in the dialog that the sheet replaces. */
  headed?: boolean
}

/** A panel at the bottom that a phone shows instead of a popover. It is as high as its contents, and its grip closes it. */
export function BottomSheetContent({
  ref,
  label,
  headed,
  className,
  children,
  ...rest
}: BottomSheetContentProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
      <Primitive.Content
        ref={useKeptOffToasts(ref)}
        data-below-toasts
        aria-describedby={undefined}
        onPointerDownOutside={stayForToasts}
        className={cn(
          'fixed inset-x-0 bottom-0 z-40 max-h-[calc(100dvh-max(48px,var(--toasts,0px)))] overflow-y-auto rounded-t-dialog bg-raised pb-[env(safe-area-inset-bottom)] text-ink shadow-3 outline-none',
          'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in',
          className,
        )}
        {...rest}
      >
        <Primitive.Title className={headed ? 'px-4 pt-6 pr-14 text-heading text-ink' : 'sr-only'}>
          {label}
        </Primitive.Title>
        {children}
        {/* Follows the content, so that the first control of the content gets the focus. */}
        {headed ? (
          <Primitive.Close asChild>
            <Button variant="icon" aria-label="Close" className="absolute top-3.5 right-2">
              <X />
            </Button>
          </Primitive.Close>
        ) : (
          <Primitive.Close
            aria-label="Close"
            className="absolute inset-x-0 top-0 mx-auto flex h-6 w-24 justify-center rounded-control pt-2"
          >
            <span className="h-1 w-8 rounded-full bg-heat-0" />
          </Primitive.Close>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  )
}
