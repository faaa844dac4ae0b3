import { Dialog as Primitive } from 'radix-ui'
import { type ComponentProps, type PointerEvent, type RefObject, useRef } from 'react'
import { cn } from '../class-names.ts'
import { useKeptOffToasts } from '../toasts/toast-obstacles.ts'
import { Dialog } from './dialog.tsx'

export const TallSheet = Dialog

interface TallSheetContentProps extends Omit<ComponentProps<typeof Primitive.Content>, 'ref'> {
  /** The sheet's element, which follows the finger that drags it. */
  ref: RefObject<HTMLDivElement | null>
  /** The name for screen readers. */
  label: string
  /** Called when the sheet was dragged down far enough to close. */
  onDragDown(): void
}

/** Pixels that the sheet has to be dragged to close. */
const farEnough = 96

/** A sheet for phones that leaves the top 72 pixels of the page visible. It can be dragged down by its upper edge. */
export function TallSheetContent({
  ref: sheet,
  label,
  onDragDown,
  className,
  children,
  ...rest
}: TallSheetContentProps) {
  const from = useRef<number>(undefined)
  const distance = ({ clientY }: PointerEvent) => Math.max(0, clientY - (from.current ?? clientY))
  const letGo = () => {
    from.current = undefined
    sheet.current?.style.removeProperty('translate')
  }
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
      <Primitive.Content
        ref={useKeptOffToasts(sheet)}
        data-below-toasts
        aria-describedby={undefined}
        aria-label={label}
        onPointerDownOutside={(event) => {
          // Toasts lie above the sheet, so pressing a toast must not close the sheet.
          const { target } = event.detail.originalEvent
          if (target instanceof Element && target.closest('[data-sonner-toaster]')) event.preventDefault()
        }}
        className={cn(
          'fixed inset-x-0 top-[max(min(72px,12dvh),var(--toasts,0px))] bottom-0 z-40 flex flex-col rounded-t-dialog bg-raised text-ink shadow-3 outline-none',
          'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in',
          className,
        )}
        {...rest}
      >
        <Primitive.Title className="sr-only">{label}</Primitive.Title>
        <div
          className="flex h-5 shrink-0 cursor-grab touch-none justify-center pt-2"
          onPointerDown={(event) => {
            from.current = event.clientY
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={(event) => {
            if (from.current !== undefined)
              sheet.current?.style.setProperty('translate', `0 ${distance(event)}px`)
          }}
          onPointerUp={(event) => {
            if (distance(event) > farEnough) onDragDown()
            letGo()
          }}
          onPointerCancel={letGo}
        >
          <span className="h-1 w-8 rounded-full bg-heat-0" />
        </div>
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  )
}
