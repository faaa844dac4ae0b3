import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        // 16 px and up, or phones zoom into the page on focus.
        'min-h-10 w-full min-w-0 rounded-control border border-edge bg-raised px-[11px] py-[7px] text-body text-ink transition-colors',
        'placeholder:text-ink-3 pointer-coarse:min-h-11',
        'focus-visible:outline-offset-1 aria-invalid:border-danger',
        'read-only:border-line read-only:text-ink-2',
        // Where text is large for the width, a day and its time break over lines; they would be cut.
        '[&::-webkit-datetime-edit-fields-wrapper]:flex [&::-webkit-datetime-edit-fields-wrapper]:flex-wrap',
        className,
      )}
      {...rest}
    />
  )
}
