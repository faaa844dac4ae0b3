import { Check } from 'lucide-react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { longDay } from '#platform/format/format-day.ts'
import { StepLine } from '#platform/ui/charts/step-line.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'

interface DayLineProps {
  day: Day
  done: boolean
  /** The first day of the year that is shown. */
  first: Day
  today: Day
  onMove(day: Day): void
  onSet(day: Day, completed: boolean): void
}

/** For touch: the chosen day of the year as text, with targets large enough for a finger. */
export function DayLine({ day, done, first, today, onMove, onSet }: DayLineProps) {
  return (
    <StepLine
      unit="Day"
      isFirst={day <= first}
      isLast={day >= today}
      onStep={(by) => onMove(addDays(day, by))}
      className="mt-3"
    >
      <Button
        variant="secondary"
        aria-pressed={done}
        aria-label={`${longDay(day, today)}, ${done ? 'done' : 'not done'}`}
        onClick={() => onSet(day, !done)}
        className="h-auto min-h-11 min-w-0 flex-1 shrink px-2 py-2 whitespace-normal"
      >
        <span
          aria-hidden="true"
          className={cn(
            'grid size-5 shrink-0 place-items-center rounded-box text-on-accent',
            done ? 'bg-accent' : 'shadow-[inset_0_0_0_1.5px_var(--edge)]',
          )}
        >
          {done && <Check size={14} />}
        </span>
        {longDay(day, today)}
      </Button>
    </StepLine>
  )
}
