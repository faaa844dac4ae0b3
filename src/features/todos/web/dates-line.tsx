import { Bell, Calendar as CalendarIcon, CalendarX2 } from 'lucide-react'
import type { Day } from '#platform/calendar/day.ts'
import { instantFromWire } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { daysUntil } from '../due.ts'
import type { Todo } from '../todo.ts'
import { dueInWords, remindInWords } from './due-words.ts'

export function hasDates({ due_day, remind_at }: Todo): boolean {
  return due_day !== null || remind_at !== null
}

/** By when a to-do is to be done, and when its person is reminded of it: under its title. */
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
            // A badge, since there is no colour for it that would not be the title's or an error's.
            overdue && '-ml-1.5 rounded-box bg-heat-0 pr-2 pl-1.5 font-medium text-ink-2',
            days === 0 && 'text-ink-2',
          )}
        >
          {overdue ? <CalendarX2 size={14} /> : <CalendarIcon size={14} />}
          <span>
            {!overdue && <span className="sr-only">Due: </span>}
            {dueInWords(due_day, today)}
          </span>
        </span>
      )}
      {remind_at !== null && (
        <span className="flex items-center gap-1.5 tabular-nums">
          <Bell size={14} />
          <span>
            <span className="sr-only">Reminder: </span>
            {remindInWords(instantFromWire(remind_at), { due: due_day, today, timeZone })}
          </span>
        </span>
      )}
    </span>
  )
}
