import { yearDayLooks } from '#platform/ui/charts/year-of-buttons.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { type DayLook, yearLooks } from './day-looks.ts'
import { DayCell } from './day-strip.tsx'

const names: readonly [DayLook['look'], string][] = [
  ['done', 'Done'],
  ['missed', 'Missed'],
  ['part', 'Part of it'],
  ['skipped', 'Skipped: breaks no streak, adds none'],
  ['paused', 'Paused'],
  ['unknown', 'Unknown'],
  ['open', 'Today, open'],
  ['free', 'Not done, not missed'],
  ['not due', 'Not due'],
]

interface DayLegendProps {
  /** The looks to explain, namely those of the days on the screen. */
  looks: ReadonlySet<DayLook['look']>
  /** Whether to draw the smaller cells of a year. */
  isYear?: boolean
  className?: string
}

/** Explains what the squares mean. Hidden from screen readers, since each day announces its state. */
export function DayLegend({ looks, isYear = false, className }: DayLegendProps) {
  return (
    <p aria-hidden="true" className={cn('flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-2', className)}>
      {names
        .filter(([look]) => looks.has(look))
        .map(([look, name]) => (
          <span key={look} className="flex items-center gap-2">
            {isYear ? (
              <span className={cn('relative size-[11px] rounded-cell', yearDayLooks[yearLooks[look]])} />
            ) : (
              <span className="relative -mx-1 size-5 scale-[.6]">
                <DayCell look={look} part={look === 'part' ? 0.6 : 0} isLimit={false} isToday={false} />
              </span>
            )}
            {name}
          </span>
        ))}
    </p>
  )
}
