import { Bell, Calendar as CalendarIcon, CalendarX2 } from 'lucide-react'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { instantFromWire } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { daysUntil } from '../due.ts'
import type { Todo } from '../todo.ts'
import { formatDue, formatReminder } from './format-due.ts'

export function hasDates({ due_day, remind_at }: Todo): boolean {
  return due_day !== null || remind_at !== null
}

/** When a to-do is due, and when its person is reminded of it, below its title. */
export function DatesLine({ todo: { due_day, remind_at }, today }: { todo: Todo; today: Day }) {
  const { timeZone } = useUserCalendar()
  const days = due_day === null ? undefined : daysUntil(due_day, today)
  const overdue = days !== undefined && days < 0
  return (
    <span className="flex flex-wrap gap-x-4 text-control text-ink-3">
      {due_day !== null && (
        <span
          className={cn(
            'flex items-center gap-1.5',
            // A badge, since any color would be the title's or an error's.
            overdue && '-ml-1.5 rounded-box bg-heat-0 pr-2 pl-1.5 font-medium text-ink-2',
            days === 0 && 'text-ink-2',
          )}
        >
          {overdue ? <CalendarX2 size={14} /> : <CalendarIcon size={14} />}
          <span>
            {!overdue && <span className="sr-only">Due: </span>}
            {formatDue(due_day, today)}
          </span>
        </span>
      )}
      {remind_at !== null && (
        <span className="flex items-center gap-1.5 tabular-nums">
          <Bell size={14} />
          <span>
            <span className="sr-only">Reminder: </span>
            {formatReminder(instantFromWire(remind_at), { due: due_day, today, timeZone })}
          </span>
        </span>
      )}
    </span>
  )
}
