import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#platform/ui/class-names.ts'

interface PropertyLook {
  icon: ReactNode
  label: string
}

interface PropertyRowProps extends PropertyLook, Omit<ComponentProps<'button'>, 'children' | 'value'> {
  /** The value of the property; if undefined, the row shows `none`. */
  value: ReactNode
  none: string
}

/** One property of a task. The whole row is a button for changing the property. */
export function PropertyRow({ icon, label, value, none, className, ...rest }: PropertyRowProps) {
  return (
    <button
      type="button"
      className={cn(
        rowLook,
        'cursor-pointer py-1.5 text-start transition-colors hover:bg-hover aria-expanded:bg-hover',
        className,
      )}
      {...rest}
    >
      <PropertyLabel icon={icon} label={label} />
      <span
        className={cn('min-w-0 text-control wrap-anywhere', value === undefined ? 'text-ink-3' : 'text-ink')}
      >
        <span className="sr-only">: </span>
        {value ?? none}
      </span>
    </button>
  )
}

/** A `PropertyRow` with a field in place of the value. */
export function PropertyField({ icon, label, children }: PropertyLook & { children: ReactNode }) {
  return (
    <div className={cn(rowLook, 'py-0.5')}>
      <PropertyLabel icon={icon} label={label} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}

const rowLook = cn(
  '-mx-2 grid min-h-9 w-[calc(100%+16px)] grid-cols-[minmax(min-content,min(7.5rem,40%))_minmax(0,1fr)] items-center rounded-control px-2 pointer-coarse:min-h-11',
)

function PropertyLabel({ icon, label }: PropertyLook) {
  return (
    <span className="flex items-center gap-2 pr-2 text-control text-ink-2 [&>svg]:size-4 [&>svg]:shrink-0">
      {icon}
      {label}
    </span>
  )
}
