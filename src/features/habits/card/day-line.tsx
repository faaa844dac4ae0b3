import { Check, Ellipsis } from 'lucide-react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { longDay } from '#platform/format/format-day.ts'
import { StepLine } from '#platform/ui/charts/step-line.tsx'
import { Button } from '#platform/ui/controls/button.tsx'
import type { DayLook } from '../days/web/day-looks.ts'
import { DayCell } from '../days/web/day-strip.tsx'

interface DayLineProps {
  day: Day
  look: DayLook
  note: string | undefined
  /** The first day of the year that is shown. */
  first: Day
  today: Day
  onMove(day: Day): void
  onToggle(): void
  /** Opens the day's details beside the button. */
  onEdit(button: HTMLElement): void
}

/** For touch: shows the selected day of the year as text, with buttons large enough for a finger. */
export function DayLine({ day, look, note, first, today, onMove, onToggle, onEdit }: DayLineProps) {
  return (
    <>
      <StepLine
        unit="Day"
        isFirst={day <= first}
        isLast={day >= today}
        onStep={(by) => onMove(addDays(day, by))}
        className="mt-3"
      >
        <Button
          variant="secondary"
          aria-pressed={look.look === 'done'}
          aria-label={`${longDay(day, today)}, ${look.words}`}
          onClick={onToggle}
          className="h-auto min-h-11 min-w-0 flex-1 shrink px-2 py-2 whitespace-normal"
        >
          <span aria-hidden="true" className="relative grid size-5 shrink-0 place-items-center">
            <DayCell {...look} isToday={day === today} />
            {look.look === 'done' && <Check size={14} className="relative text-on-accent" />}
          </span>
          {longDay(day, today)}
        </Button>
        <Button
          variant="icon"
          aria-label="Skip, amount and note of the day"
          onClick={(event) => onEdit(event.currentTarget)}
        >
          <Ellipsis />
        </Button>
      </StepLine>
      {note !== undefined && (
        <p dir="auto" className="mt-2 text-control whitespace-pre-line text-ink-2 wrap-anywhere">
          <span className="sr-only">Note of {longDay(day, today)}: </span>
          {note}
        </p>
      )}
    </>
  )
}
