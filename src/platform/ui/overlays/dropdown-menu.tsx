import { Check } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../class-names.ts'
import { useKeptOffToasts } from '../toasts/toast-obstacles.ts'

export const DropdownMenuTrigger = Primitive.Trigger
export const DropdownMenuRadioGroup = Primitive.RadioGroup

/** Not modal: a modal menu would hide the page from screen readers but leave its contents focusable. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />
}

const itemLook = cn(
  'flex min-h-9 cursor-default select-none items-center gap-2 rounded-control px-3 py-1 text-control text-ink outline-none',
  'data-highlighted:bg-hover data-disabled:text-ink-3 pointer-coarse:min-h-11 [&>svg]:shrink-0 [&>svg]:text-ink-3',
)

export function DropdownMenuContent({
  ref,
  className,
  sideOffset = 8,
  ...rest
}: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        ref={useKeptOffToasts(ref)}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-[calc(100vw-16px)] overflow-y-auto rounded-card bg-raised p-1 shadow-2',
          'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in',
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  )
}

export function DropdownMenuItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={cn(itemLook, className)} {...rest} />
}

export function DropdownMenuRadioItem({
  className,
  children,
  ...rest
}: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={cn(itemLook, className)} {...rest}>
      {children}
      <Chosen />
    </Primitive.RadioItem>
  )
}

export function DropdownMenuCheckboxItem({
  className,
  children,
  ...rest
}: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem className={cn(itemLook, className)} {...rest}>
      {children}
      <Chosen />
    </Primitive.CheckboxItem>
  )
}

/** A small swatch, one of several in a row. Its name is read out. */
export function DropdownMenuSwatch({ className, ...rest }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem
      className={cn(
        'grid h-8 min-w-8 cursor-default place-items-center rounded-control outline-none data-highlighted:bg-hover pointer-coarse:h-11 pointer-coarse:min-w-10',
        'aria-checked:ring-2 aria-checked:ring-ink aria-checked:ring-inset',
        className,
      )}
      {...rest}
    />
  )
}

function Chosen() {
  return (
    <Primitive.ItemIndicator className="ml-auto pl-4 text-accent">
      <Check />
    </Primitive.ItemIndicator>
  )
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  return (
    <Primitive.Label className="px-3 pt-2 pb-1 text-small font-medium text-ink-3">{children}</Primitive.Label>
  )
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="mx-3 my-1 h-px bg-line" />
}
