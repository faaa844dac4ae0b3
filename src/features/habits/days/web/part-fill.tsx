import { cn } from '#platform/ui/class-names.ts'

/**
 * Fills a box of at least 20 px from the bottom with the reached share of a goal. Toward a limit the fill is grey, since it is no
 * progress.
 */
export function PartFill({ part, isLimit }: { part: number; isLimit: boolean }) {
  if (part <= 0) return null
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-[3px] grid items-end">
      <span
        style={{ height: `${Math.max(12, Math.min(1, part) * 100)}%` }}
        className={cn('rounded-[3px] forced-colors:bg-[CanvasText]', isLimit ? 'bg-edge' : 'bg-heat-3')}
      />
    </span>
  )
}

/** Two bars that mark a paused habit. */
export function PauseSign() {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 m-auto flex h-2.5 w-2 justify-between"
    >
      <span className="w-[3px] rounded-[1px] bg-ink-3 forced-colors:bg-[CanvasText]" />
      <span className="w-[3px] rounded-[1px] bg-ink-3 forced-colors:bg-[CanvasText]" />
    </span>
  )
}
