import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

/**
 * The day square: a native checkbox that occupies and draws 20 px, with a hit area of 24 px (44 px on touch) through its
 * transparent border. Nothing in it is positioned: in a list of a thousand rows, extra layers would slow down every click.
 * `className` goes to the outer box.
 */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <span
      className={cn(
        'inline-grid size-5 shrink-0 grid-cols-[20px] grid-rows-[20px] place-items-center',
        className,
      )}
    >
      <input
        {...rest}
        type="checkbox"
        className={cn(
          'peer col-start-1 row-start-1 m-0 box-content size-5 cursor-pointer appearance-none rounded-[8px] border-2 border-transparent bg-clip-padding',
          'pointer-coarse:rounded-[18px] pointer-coarse:border-12',
          // An inset shadow, because a border of 1.5 px would be drawn as 1 px.
          'bg-raised shadow-[inset_0_0_0_1.5px_var(--edge)] transition-[background-color,box-shadow] duration-[120ms]',
          'hover:shadow-[inset_0_0_0_1.5px_var(--accent)] checked:bg-accent checked:shadow-[inset_0_0_0_1.5px_var(--accent)]',
          'focus-visible:outline-offset-0 pointer-coarse:focus-visible:-outline-offset-10',
          'disabled:cursor-default disabled:opacity-50 forced-colors:appearance-auto',
        )}
      />
      <svg
        viewBox="0 0 20 20"
        fill="none"
        aria-hidden="true"
        className={cn(
          'pointer-events-none invisible col-start-1 row-start-1 size-5 text-on-accent [stroke-dasharray:1] [stroke-dashoffset:1]',
          'transition-[stroke-dashoffset] duration-[120ms] ease-calm',
          'peer-checked:visible peer-checked:[stroke-dashoffset:0] forced-colors:hidden',
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
