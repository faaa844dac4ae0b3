import { Calendar, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useToday } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { formatDue } from './format-due.ts'

interface DueButtonProps {
  due: Day | null
  onChoose(due: Day | null): void
  /** Called when the picker has closed after a choice. */
  onChosen(): void
}

/** Appears with the first letter of a new task; the picker that it opens is loaded after the screen. */
export function DueButton({ due, onChoose, onChosen }: DueButtonProps) {
  const [open, setOpen] = useState(false)
  const Picker = usePart(LazyDatePicker, open)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <span className="absolute top-1 right-1 flex pointer-coarse:top-0 pointer-coarse:right-0">
      <Button
        ref={button}
        variant="icon"
        aria-label="Due date"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Calendar />
      </Button>
      {Picker && button.current && (
        <Picker
          open={open}
          onClose={() => setOpen(false)}
          label="Due date"
          anchor={button.current}
          returnFocus={(chosen) => (chosen ? onChosen() : button.current?.focus())}
          value={due === null ? null : { day: due, time: null }}
          onChange={(chosen) => onChoose(chosen?.day ?? null)}
          time="none"
          noneLabel="No date"
        />
      )}
    </span>
  )
}

const LazyDatePicker = lazyPart(
  () => import('#platform/ui/dates/date-picker.tsx'),
  'DatePicker',
  'with the screen',
)

/** What is chosen until the task is added. */
export function DueChip({ due, onRemove }: { due: Day; onRemove(): void }) {
  const today = useToday()
  return (
    <div className="mt-2 flex items-center gap-1">
      <span className="flex min-h-8 items-center gap-1.5 text-control text-ink-2 pointer-coarse:min-h-11">
        <Calendar size={14} aria-hidden="true" />
        <span>
          <span className="sr-only">Due: </span>
          {formatDue(due, today)}
        </span>
      </span>
      <Button variant="icon" aria-label="Remove due date" onClick={onRemove}>
        <X />
      </Button>
    </div>
  )
}
