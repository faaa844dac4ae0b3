import { type RefObject, useRef } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import {
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { FetchedMenu, type FetchedMenuProps } from '#platform/ui/overlays/fetched-menu.tsx'
import type { ChosenDue } from './due-choice.tsx'
import { dueSuggestions } from './due-suggestions.ts'

interface DueMenuProps extends FetchedMenuProps {
  button: RefObject<HTMLButtonElement | null>
  onChoose(due: ChosenDue): void
  /** Called when the menu has closed after a day was chosen by name. */
  onNamed(): void
}

/** The short menu of due dates, inside the title's field. */
export function DueMenu({ button, onChoose, onNamed, ...menu }: DueMenuProps) {
  const { weekStart } = useUserCalendar()
  const today = useToday()
  const chosen = useRef<ChosenDue>(undefined)
  const choose = (due: ChosenDue) => {
    chosen.current = due
    onChoose(due)
  }
  return (
    <FetchedMenu {...menu}>
      <DropdownMenuContent
        align="end"
        aria-labelledby={button.current?.id}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // Leaving the menu without a choice returns to its button.
          if (!chosen.current) button.current?.focus()
          // The field for another date takes the focus itself.
          else if (chosen.current.by === 'name') onNamed()
          chosen.current = undefined
        }}
      >
        {dueSuggestions(today, weekStart).map(({ label, day, dateText }) => (
          <DropdownMenuItem key={label} onSelect={() => choose({ by: 'name', day })}>
            {label}
            <span className="ml-auto pl-6 text-ink-3 text-small">{dateText}</span>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => choose({ by: 'field', text: '' })}>Pick a date</DropdownMenuItem>
      </DropdownMenuContent>
    </FetchedMenu>
  )
}
