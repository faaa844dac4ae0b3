import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps, ReactElement, ReactNode } from 'react'

interface TooltipProps {
  /** Never the only place of a fact: the button keeps its own name. */
  label: ReactNode
  side?: ComponentProps<typeof Primitive.Content>['side']
  /** Milliseconds before it opens; the provider's 700 unless told, 0 in the sidebar. */
  delay?: number
  children: ReactElement
}

export function Tooltip({ label, side = 'bottom', delay, children }: TooltipProps) {
  return (
    <Primitive.Root delayDuration={delay}>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-fade-in items-center gap-2 rounded-box bg-ink px-2 py-1 text-small font-medium text-paper"
        >
          {label}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
