import type { ComponentProps } from 'react'
import { cn } from '../class-names.ts'

/** Turns something on or off at once. Built on a native checkbox; a label around it makes the whole row a target. */
export function Switch({ className, ...rest }: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  return (
    <input
      {...rest}
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox says by itself whether it is on
      role="switch"
      className={cn(
        'relative m-0 h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-edge transition-colors checked:bg-accent hover:checked:bg-accent-hover',
        'before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-raised before:transition-transform before:duration-[120ms] checked:before:translate-x-4',
        'forced-colors:appearance-auto forced-colors:before:hidden',
        className,
      )}
    />
  )
}
