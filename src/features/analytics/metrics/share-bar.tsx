import { cn } from '#platform/ui/class-names.ts'

/** A bar whose length shows a number, which is also written beside it. `of` is the value of a full bar. */
export function ShareBar({ value, of, strong }: { value: number; of: number; strong?: boolean }) {
  const share = of === 0 ? 0 : Math.min(1, value / of)
  return (
    <span aria-hidden="true" className="block h-2 w-full overflow-hidden rounded-[2px] bg-heat-0">
      <span
        className={cn(
          'block h-full rounded-[2px] forced-colors:bg-[Highlight]',
          strong ? 'bg-heat-4' : 'bg-heat-2',
        )}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  )
}
