import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/**
 * The day square: a native checkbox that takes 20 px of room, is drawn 20 px, and is hit in 24 (44 on touch).
 * `className` is the outer box's.
 */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <span className={cn('relative inline-block size-5 shrink-0', className)}>
      <input
        {...rest}
        type="checkbox"
        className="peer absolute -inset-0.5 z-1 m-0 size-6 cursor-pointer appearance-none outline-none disabled:cursor-default pointer-coarse:-inset-3 pointer-coarse:size-11"
      />
      <span
        aria-hidden="true"
        className={cn(
          // A shadow, because a border of 1.5 px is drawn as 1 px.
          'absolute inset-0 rounded-box bg-raised shadow-[inset_0_0_0_1.5px_var(--edge)] transition-[background-color,box-shadow] duration-[120ms]',
          'peer-hover:shadow-[inset_0_0_0_1.5px_var(--accent)] peer-checked:bg-accent peer-checked:shadow-[inset_0_0_0_1.5px_var(--accent)]',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
          'peer-disabled:opacity-50 forced-colors:border forced-colors:peer-checked:bg-[Highlight]',
        )}
      />
      <svg
        viewBox="0 0 20 20"
        fill="none"
        aria-hidden="true"
        className={cn(
          'pointer-events-none absolute inset-0 text-on-accent opacity-0 [stroke-dasharray:1] [stroke-dashoffset:1]',
          'transition-[stroke-dashoffset] duration-[120ms] ease-calm',
          'peer-checked:opacity-100 peer-checked:[stroke-dashoffset:0] forced-colors:text-[HighlightText]',
        )}
      >
        <path
          d="m6 10.4 2.7 2.7L14 7.6"
          pathLength="1"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  )
}
