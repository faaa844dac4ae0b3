import { Popover as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'
import { stayForToasts } from './dialog.tsx'

/** Modal, so that the focus stays in it, and the page behind it is hidden from screen readers. */
export function Popover(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal {...props} />
}

interface PopoverContentProps extends ComponentProps<typeof Primitive.Content> {
  /** Its name for screen readers. */
  label: string
  /** It opens beside this, which may be anywhere on the page. */
  anchor: HTMLElement
}

/** A small dialog beside what opened it, wholly in sight where there is room. */
export function PopoverContent({ label, anchor, className, ...rest }: PopoverContentProps) {
  return (
    <>
      <Primitive.Anchor virtualRef={{ current: anchor }} />
      <Primitive.Portal>
        <Primitive.Content
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

/** Below, as menus do; beside it where a tall one would have to be cut, for there it may slide up. */
function sideWithRoom(anchor: HTMLElement): 'bottom' | 'left' | 'right' {
  const { left, right, bottom } = anchor.getBoundingClientRect()
  if (innerHeight - bottom > tall) return 'bottom'
  return innerWidth - right > left ? 'right' : 'left'
}

const tall = 600
