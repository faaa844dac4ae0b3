import { Check, ChevronLeft, ChevronRight } from 'lucide-react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/button.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { longDay } from '#platform/ui/day-words.ts'

interface DayLineProps {
  day: Day
  done: boolean
  /** Of the year that is shown. */
  first: Day
  today: Day
  onMove(day: Day): void
  onSet(day: Day, completed: boolean): void
}

/** For touch: the chosen day of the year in words, with targets that a finger can hit. */
export function DayLine({ day, done, first, today, onMove, onSet }: DayLineProps) {
  return (
    <div className="mt-3 hidden items-center gap-1 pointer-coarse:flex">
      <Button
        variant="icon"
        aria-label="Day before"
        disabled={day <= first}
        onClick={() => onMove(addDays(day, -1))}
      >
        <ChevronLeft />
      </Button>
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
      <Button
        variant="icon"
        aria-label="Day after"
        disabled={day >= today}
        onClick={() => onMove(addDays(day, 1))}
      >
        <ChevronRight />
      </Button>
    </div>
  )
}
