import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { createPortal } from 'react-dom'

export type TipSide = ComponentProps<typeof Primitive.Content>['side']

interface TipProps {
  /** The button's `aria-describedby` refers to this id. */
  id: string
  anchor: HTMLElement
  side: TipSide
  /** Called when the pointer moves onto the tip itself. */
  onStay: () => void
  onClose: () => void
  children: ReactNode
}

/** The contents of a tooltip, positioned by an invisible box that copies the place and size of its button. */
export function Tip({ id, anchor, side, onStay, onClose, children }: TipProps) {
  const { left, top, width, height } = anchor.getBoundingClientRect()
  return (
    <Primitive.Provider>
      <Primitive.Root open onOpenChange={(open) => open || onClose()}>
        {createPortal(
          <Primitive.Trigger asChild>
            <span
              aria-hidden="true"
              className="pointer-events-none fixed"
              style={{ left, top, width, height }}
            />
          </Primitive.Trigger>,
          document.body,
        )}
        <Primitive.Portal>
          <Primitive.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            onPointerEnter={onStay}
            onPointerLeave={onClose}
            className="z-50 flex max-w-72 animate-fade-in items-center gap-2 rounded-box bg-ink px-2 py-1 text-small font-medium text-paper"
          >
            {children}
          </Primitive.Content>
        </Primitive.Portal>
        <span id={id} hidden>
          {children}
        </span>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
