import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

/** A radio button that draws 20 px. Put it into a label, with the words that it stands for. */
export function Radio({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...rest}
      type="radio"
      className={cn(
        'm-0 size-5 shrink-0 cursor-pointer appearance-none rounded-full bg-raised transition-shadow duration-[120ms]',
        // Shadows, because a border of 1.5 px would be drawn as 1 px.
        'shadow-[inset_0_0_0_1.5px_var(--edge)] hover:shadow-[inset_0_0_0_1.5px_var(--accent)]',
        'checked:bg-on-accent checked:shadow-[inset_0_0_0_6px_var(--accent)] checked:hover:shadow-[inset_0_0_0_6px_var(--accent)]',
        'forced-colors:appearance-auto',
        className,
      )}
    />
  )
}
