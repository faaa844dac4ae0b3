import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        // At least 16 px, or phones zoom in on focus.
        'min-h-10 w-full min-w-0 rounded-control border border-edge bg-raised px-[11px] py-[7px] text-body text-ink transition-colors',
        'placeholder:text-ink-3 pointer-coarse:min-h-11',
        'focus-visible:outline-offset-1 aria-invalid:border-danger',
        'read-only:border-line read-only:text-ink-2',
        // If text is large for the width, a date and its time wrap instead of being cut off.
        '[&::-webkit-datetime-edit-fields-wrapper]:flex [&::-webkit-datetime-edit-fields-wrapper]:flex-wrap',
        className,
      )}
      {...rest}
    />
  )
}
