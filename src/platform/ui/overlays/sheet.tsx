import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

export const Sheet = Primitive.Root

interface SheetContentProps extends ComponentProps<typeof Primitive.Content> {
  /** The name for screen readers. */
  label: string
}

/** A panel of 18 rem that slides in from the left over the page. */
export function SheetContent({ label, className, children, ...rest }: SheetContentProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
      <Primitive.Content
        aria-describedby={undefined}
        className={cn(
          'fixed inset-y-0 left-0 z-40 flex w-[18rem] max-w-[calc(100vw-48px)] flex-col overflow-y-auto bg-sunken text-ink shadow-3 outline-none',
          'data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in',
          className,
        )}
        {...rest}
      >
        <Primitive.Title className="sr-only">{label}</Primitive.Title>
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  )
}
