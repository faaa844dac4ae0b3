import type { ComponentProps, MouseEvent } from 'react'
import { cn } from '../class-names.ts'
import { Spinner } from '../signs/spinner.tsx'

interface Look {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  className?: string | undefined
}

/** The classes of a button. Use it as the `className` of a link that looks like a button. */
export function buttonLook({ variant = 'primary', size = 'medium', className }: Look = {}): string {
  return cn(
    'base:relative inline-flex base:max-w-full base:shrink-0 select-none items-center justify-center base:gap-2 text-center transition-colors',
    'disabled:pointer-events-none aria-busy:cursor-default',
    variants[variant],
    sizes[size],
    className,
  )
}

const variants = {
  primary:
    'bg-accent text-on-accent hover:bg-accent-hover aria-busy:bg-accent-hover disabled:bg-heat-0 disabled:text-ink-3',
  secondary:
    'border border-line bg-raised text-ink shadow-1 hover:bg-hover disabled:bg-transparent disabled:text-ink-3 disabled:shadow-none',
  quiet: 'base:text-ink-2 hover:bg-hover hover:text-ink disabled:text-ink-3',
  danger: 'border border-danger bg-raised text-danger hover:bg-danger-soft disabled:opacity-50',
  // For the final confirmation before something is deleted for good.
  destroy: 'bg-danger text-on-accent hover:bg-danger/90 aria-busy:bg-danger/90 disabled:opacity-50',
  icon: 'base:text-ink-3 hover:bg-hover hover:text-ink disabled:opacity-50',
}

const sizes = {
  medium:
    'base:min-h-10 rounded-control base:px-4 base:py-1.5 base:text-control base:font-medium pointer-coarse:min-h-11',
  large: 'min-h-12 rounded-large px-6 py-2 text-body font-semibold',
  icon: 'base:size-8 rounded-control pointer-coarse:size-11',
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows a spinner and ignores presses, but keeps the focus. */
    busy?: boolean
  }

/** An icon button (`variant="icon"`) needs an `aria-label` as its name. */
export function Button({
  busy,
  variant,
  size = variant === 'icon' ? 'icon' : 'medium',
  className,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) return event.preventDefault()
    onClick?.(event)
  }
  return (
    <button
      type={type}
      className={buttonLook({ variant, size, className })}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
