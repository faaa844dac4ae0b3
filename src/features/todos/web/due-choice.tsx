import { Calendar, X } from 'lucide-react'
import { useRef } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/button.tsx'
import { dayOfMonth, shortMonth, shortWeekday } from '#platform/ui/day-words.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#platform/ui/dropdown-menu.tsx'
import { Input } from '#platform/ui/input.tsx'
import { useToday, useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { dueDaySchema } from '../todo.ts'
import { dueSuggestions } from './due-suggestions.ts'
import { dueInWords } from './due-words.ts'

/** What was chosen for a task that is not added yet: a day by its name, or one that is being typed in. */
export type ChosenDue = { by: 'name'; day: Day } | { by: 'field'; text: string }

/** Null where that is no day, or not one yet. */
export function dayOfChoice(due: ChosenDue | undefined): Day | null {
  if (due?.by === 'name') return due.day
  return dueDaySchema.safeParse(due?.text).data ?? null
}

interface DueButtonProps {
  onChoose(due: ChosenDue): void
  /** The menu has closed after a day was chosen by its name. */
  onNamed(): void
}

/** The small choice of a due day, within the field of the title. */
export function DueButton({ onChoose, onNamed }: DueButtonProps) {
  const { weekStart } = useUserCalendar()
  const today = useToday()
  const chosen = useRef<ChosenDue>(undefined)
  const choose = (due: ChosenDue) => {
    chosen.current = due
    onChoose(due)
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="icon"
          aria-label="Due day"
          className="absolute top-1 right-1 pointer-coarse:top-0 pointer-coarse:right-0"
        >
          <Calendar />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="end"
        onCloseAutoFocus={(event) => {
          // Who leaves the menu without a choice is back at its button.
          if (!chosen.current) return
          event.preventDefault()
          // The field of another day takes the focus by itself.
          if (chosen.current.by === 'name') onNamed()
          chosen.current = undefined
        }}
      >
        {dueSuggestions(today, weekStart).map(([label, day]) => (
          <DropdownMenuItem key={label} onSelect={() => choose({ by: 'name', day })}>
            {label}
            <span className="ml-auto pl-6 text-ink-3 text-small">
              {shortWeekday(day)} {dayOfMonth(day)} {shortMonth(day)}
            </span>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => choose({ by: 'field', text: '' })}>Another day</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

interface DueChipProps {
  due: ChosenDue
  onChange(due: ChosenDue): void
  onRemove(): void
}

/** What is chosen, until the task is added: by its name, or in a field of its own. */
export function DueChip({ due, onChange, onRemove }: DueChipProps) {
  const today = useToday()
  return (
    <div className="mt-2 flex items-center gap-1">
      {due.by === 'name' ? (
        <span className="flex min-h-8 items-center gap-1.5 text-control text-ink-2 pointer-coarse:min-h-11">
          <Calendar size={14} aria-hidden="true" />
          <span>
            <span className="sr-only">Due: </span>
            {dueInWords(due.day, today)}
          </span>
        </span>
      ) : (
        <Input
          type="date"
          aria-label="Due day"
          autoFocus
          min="1900-01-01"
          max="2199-12-31"
          value={due.text}
          onChange={(event) => onChange({ by: 'field', text: event.currentTarget.value })}
          className="w-auto"
        />
      )}
      <Button variant="icon" aria-label="Remove due day" onClick={onRemove}>
        <X />
      </Button>
    </div>
  )
}
