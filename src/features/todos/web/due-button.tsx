import { Calendar } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#platform/ui/button.tsx'
import { dayOfMonth, shortMonth, shortWeekday } from '#platform/ui/day-words.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#platform/ui/dropdown-menu.tsx'
import { useToday, useUserCalendar } from '#platform/ui/user-calendar.tsx'
import type { ChosenDue } from './due-choice.tsx'
import { dueSuggestions } from './due-suggestions.ts'

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
