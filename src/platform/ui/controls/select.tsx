import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

/** A choice among a few options. A native select, so that a phone shows its own picker. `className` goes to the outer box. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative block', className)}>
      <select
        className={cn(
          'h-auto min-h-10 w-full min-w-0 cursor-pointer appearance-none truncate rounded-control border border-edge bg-raised pr-9 pl-[11px] text-body text-ink transition-colors',
          'hover:bg-hover focus-visible:outline-offset-1 disabled:cursor-default disabled:text-ink-3 pointer-coarse:min-h-11',
        )}
        {...rest}
      />
      <ChevronDown
        size={16}
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-[13px] text-ink-3"
      />
    </span>
  )
}
