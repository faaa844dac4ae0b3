import { Calendar, X } from 'lucide-react'
import { useToday } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { dueDaySchema } from '../todo-row.ts'
import { formatDue } from './format-due.ts'

/** What was chosen for a task that is not added yet: a named day, or one that is being typed. */
export type ChosenDue = { by: 'name'; day: Day } | { by: 'field'; text: string }

/** Null if that is not a day, or not yet. */
export function dayOfChoice(due: ChosenDue | undefined): Day | null {
  if (due?.by === 'name') return due.day
  return dueDaySchema.safeParse(due?.text).data ?? null
}

interface DueChipProps {
  due: ChosenDue
  onChange(due: ChosenDue): void
  onRemove(): void
}

/** What is chosen until the task is added: by name, or in a field of its own. */
export function DueChip({ due, onChange, onRemove }: DueChipProps) {
  const today = useToday()
  return (
    <div className="mt-2 flex items-center gap-1">
      {due.by === 'name' ? (
        <span className="flex min-h-8 items-center gap-1.5 text-control text-ink-2 pointer-coarse:min-h-11">
          <Calendar size={14} aria-hidden="true" />
          <span>
            <span className="sr-only">Due: </span>
            {formatDue(due.day, today)}
          </span>
        </span>
      ) : (
        <Input
          type="date"
          aria-label="Due date"
          autoFocus
          min="1900-01-01"
          max="2199-12-31"
          value={due.text}
          onChange={(event) => onChange({ by: 'field', text: event.currentTarget.value })}
          className="w-auto"
        />
      )}
      <Button variant="icon" aria-label="Remove due date" onClick={onRemove}>
        <X />
      </Button>
    </div>
  )
}
