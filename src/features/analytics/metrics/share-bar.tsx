import { cn } from '#platform/ui/class-names.ts'

/** A number as a length, for the eye; the number itself is shown beside it. `of` is the full length. */
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
