import { Popover as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'
import { useKeptOffToasts } from '../toasts/toast-obstacles.ts'
import { stayForToasts } from './dialog.tsx'

/** Modal: keeps the focus inside and hides the page behind it from screen readers. */
export function Popover(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal {...props} />
}

interface PopoverContentProps extends ComponentProps<typeof Primitive.Content> {
  /** The name for screen readers. */
  label: string
  /** The element that the popover opens beside; it may be anywhere on the page. */
  anchor: HTMLElement
}

/** A small dialog beside its anchor, fully visible where there is room. */
export function PopoverContent({ ref, label, anchor, className, ...rest }: PopoverContentProps) {
  return (
    <>
      <Primitive.Anchor virtualRef={{ current: anchor }} />
      <Primitive.Portal>
        <Primitive.Content
          ref={useKeptOffToasts(ref)}
          aria-label={label}
          side={sideWithRoom(anchor)}
          align="start"
          sideOffset={8}
          collisionPadding={8}
          onPointerDownOutside={stayForToasts}
          className={cn(
            'z-50 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-16px)] overflow-y-auto rounded-card bg-raised text-ink shadow-3 outline-none',
            'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in',
            className,
          )}
          {...rest}
        />
      </Primitive.Portal>
    </>
  )
}

/**
 * Opens below the anchor, as menus do. Where a tall popover would be cut off there, it opens beside the anchor, where it may
 * slide up.
 */
function sideWithRoom(anchor: HTMLElement): 'bottom' | 'left' | 'right' {
  const { left, right, bottom } = anchor.getBoundingClientRect()
  if (innerHeight - bottom > tall) return 'bottom'
  return innerWidth - right > left ? 'right' : 'left'
}

const tall = 600
