import { ArchiveRestore, ChevronRight, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { integerFormat } from '#platform/format/format-number.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { HabitActions } from '../editing/use-habit-actions.ts'
import type { HabitFacts } from '../habit/habit-facts.ts'

/** The archived habits, folded until the person opens the section. */
export function ArchivedHabits({
  habits,
  actions,
}: {
  habits: readonly HabitFacts[]
  actions: HabitActions
}) {
  const [open, setOpen] = useState(false)
  if (habits.length === 0) return null
  return (
    <section aria-label="Archived habits" className="mt-2">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-mx-0.5 flex min-h-10 items-center rounded-control pr-2 text-control font-medium text-ink-2 pointer-coarse:min-h-11"
      >
        <ChevronRight size={18} className={cn('mr-3 transition-transform', open && 'rotate-90')} />
        Archived{' '}
        <span className="ml-2 font-normal text-ink-3 tabular-nums">
          {integerFormat.format(habits.length)}
        </span>
      </button>
      {open && (
        <ul aria-label="Archived habits" className="[list-style-type:'']">
          {habits.map((habit) => (
            <li
              key={habit.id}
              data-row={habit.id}
              tabIndex={-1}
              className="flex min-h-11 items-center gap-2 pl-8 outline-none"
            >
              <span dir="auto" className="min-w-0 flex-1 text-ink-3 wrap-anywhere">
                {habit.name}
              </span>
              <Button
                variant="icon"
                aria-label={`Take ${habit.name} out of the archive`}
                onClick={() => actions.setArchived(habit, false)}
              >
                <ArchiveRestore />
              </Button>
              <Button
                variant="icon"
                aria-label={`Delete ${habit.name}`}
                onClick={() => actions.remove(habit)}
              >
                <Trash2 />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
