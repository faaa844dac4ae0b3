import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        // At least 16 px: phones zoom in when a field with smaller text gets the focus.
        'base:min-h-10 base:w-full min-w-0 rounded-control border base:border-edge base:bg-raised base:px-[11px] base:py-[7px] base:text-body text-ink transition-colors',
        'placeholder:text-ink-3 pointer-coarse:min-h-11',
        'focus-visible:outline-offset-1 aria-invalid:border-danger',
        'read-only:border-line read-only:text-ink-2',
        className,
      )}
      {...rest}
    />
  )
}
