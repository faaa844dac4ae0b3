import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

/** Grows with its text, up to a third of the screen. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn(
        'field-sizing-content block max-h-[33dvh] min-h-[calc(3rem+24px)] w-full min-w-0 resize-none rounded-control border border-edge bg-raised px-[11px] py-[7px] text-body text-ink transition-colors',
        'placeholder:text-ink-3 focus-visible:outline-offset-1 aria-invalid:border-danger',
        className,
      )}
      {...rest}
    />
  )
}
