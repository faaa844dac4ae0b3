import { type RefObject, useRef } from 'react'
import { DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator } from '#platform/ui/dropdown-menu.tsx'
import { FetchedMenu, type FetchedMenuProps } from '#platform/ui/fetched-menu.tsx'
import { useToday, useUserCalendar } from '#platform/ui/user-calendar.tsx'
import type { ChosenDue } from './due-choice.tsx'
import { dueSuggestions } from './due-suggestions.ts'

interface DueMenuProps extends FetchedMenuProps {
  button: RefObject<HTMLButtonElement | null>
  onChoose(due: ChosenDue): void
  /** The menu has closed after a day was chosen by its name. */
  onNamed(): void
}

/** The small choice of a due date, within the field of the title. */
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
          // Who leaves the menu without a choice is back at its button.
          if (!chosen.current) button.current?.focus()
          // The field of another day takes the focus by itself.
          else if (chosen.current.by === 'name') onNamed()
          chosen.current = undefined
        }}
      >
        {dueSuggestions(today, weekStart).map(({ label, day, inWords }) => (
          <DropdownMenuItem key={label} onSelect={() => choose({ by: 'name', day })}>
            {label}
            <span className="ml-auto pl-6 text-ink-3 text-small">{inWords}</span>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => choose({ by: 'field', text: '' })}>Pick a date</DropdownMenuItem>
      </DropdownMenuContent>
    </FetchedMenu>
  )
}
