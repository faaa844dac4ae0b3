import { useId } from 'react'
import { cn } from '../class-names.ts'

interface SegmentsProps<Value extends string> {
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  value: Value
  onChange: (value: Value) => void
  'aria-labelledby': string
  'aria-describedby'?: string | undefined
  className?: string
}

/** A choice among a few visible options. Built on radio buttons, with their keyboard behaviour. */
export function Segments<Value extends string>({
  options,
  value,
  onChange,
  className,
  ...names
}: SegmentsProps<Value>) {
  const group = useId()
  return (
    <div
      role="radiogroup"
      className={cn('flex min-h-10 flex-wrap rounded-large bg-track p-1 pointer-coarse:min-h-11', className)}
      {...names}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            'relative grid min-h-8 min-w-fit flex-1 cursor-pointer place-items-center rounded-control px-2 font-medium text-control text-ink-2 transition-colors hover:text-ink pointer-coarse:min-h-9',
            'has-checked:bg-chosen has-checked:text-ink has-checked:shadow-1 has-checked:ring has-checked:ring-chosen-line',
            'has-disabled:cursor-default has-disabled:text-ink-3 has-disabled:hover:text-ink-3',
            'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
            'forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText]',
          )}
        >
          <input
            type="radio"
            name={group}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            // The input covers the whole segment, so that a press anywhere hits it.
            className="absolute inset-0 m-0 cursor-pointer appearance-none outline-none disabled:cursor-default"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
