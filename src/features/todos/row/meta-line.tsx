import { Link } from '@tanstack/react-router'
import { Bell, Calendar as CalendarIcon, CalendarX2, ListChecks, Repeat, TextAlignStart } from 'lucide-react'
import type { List } from '#features/lists/list/list.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { capitalized } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { daysUntil } from '../dates/due.ts'
import { formatDue, formatReminder } from '../dates/web/format-due.ts'
import { repeatOf } from '../repeat/picker/repeat-of.ts'
import type { Todo } from '../todo/todo.ts'
import { reminderTime } from '../todo/todo-reminder.ts'

/** Whether the row shows dates. Completed to-dos show none, and a page of one day does not repeat that day. */
export function hasDates({ completed, due_day, remind_at }: Todo, ofDay?: Day | null): boolean {
  return completed === 0 && ((due_day !== null && due_day !== ofDay) || remind_at !== null)
}

export function hasMeta(
  todo: Todo,
  list: List | undefined,
  progress: string | undefined,
  ofDay: Day | null | undefined,
): boolean {
  return list !== undefined || hasDates(todo, ofDay) || repeats(todo) || hasDetails(todo, progress)
}

function repeats(todo: Todo): boolean {
  return todo.completed === 0 && repeatOf(todo) !== undefined
}

/** Whether the row shows subtasks, a note or tags. Completed to-dos show none. */
function hasDetails({ completed, note, tags }: Todo, progress: string | undefined): boolean {
  return completed === 0 && (progress !== undefined || note !== '' || tags.length > 0)
}

interface MetaLineProps {
  todo: Todo
  today: Day
  /** The day that the page or group stands for. Rows do not repeat this date. */
  ofDay: Day | null | undefined
  list: List | undefined
  /** How many subtasks are completed, such as '2/5'. */
  progress: string | undefined
  /** Called when the due date is pressed; left out where the date cannot be pressed. */
  onDue?: ((anchor: HTMLElement) => void) | undefined
  /**
   * Whether due date, list and other facts share the line of the title where there is room, each in its own column (`oneLine`).
   */
  inColumns: boolean
}

/** The grid of a row on one line. Columns have the same width in every row, so that they line up. */
export const oneLine = {
  row: 'roomy:grid roomy:grid-cols-[auto_minmax(0,1fr)_auto_auto_auto_1rem_1rem_var(--list-column,0px)]',
  title: 'roomy:col-start-2 roomy:row-start-1',
  details: 'contents roomy:col-start-4 roomy:row-start-1 roomy:flex roomy:items-center roomy:gap-x-3',
  buttons: 'roomy:col-start-3 roomy:row-start-1',
  dates:
    'contents roomy:col-start-5 roomy:row-start-1 roomy:flex roomy:items-center roomy:min-w-28 roomy:justify-end roomy:gap-x-3',
  repeat: 'roomy:col-start-6 roomy:row-start-1',
  priority: 'roomy:col-start-7 roomy:row-start-1 roomy:mt-0 roomy:h-10',
  list: 'roomy:col-start-8 roomy:row-start-1',
} as const

/** The facts beside or below a title: due date, reminder, repeat rule, details and list. */
export function MetaLine({ todo, today, ofDay, list, progress, onDue, inColumns }: MetaLineProps) {
  const dates = hasDates(todo, ofDay) && <Dates todo={todo} today={today} ofDay={ofDay} onDue={onDue} />
  const missed = repeats(todo) ? todo.missed : undefined
  const details = (missed || hasDetails(todo, progress)) && (
    <>
      {missed ? <span className="tabular-nums">{integerFormat.format(missed)} missed</span> : null}
      {hasDetails(todo, progress) && <Details todo={todo} progress={progress} />}
    </>
  )
  return (
    <span
      className={cn(
        'flex flex-wrap gap-x-4 text-control text-ink-3',
        inColumns && 'roomy:contents *:roomy:h-10',
      )}
    >
      {inColumns && dates ? <span className={oneLine.dates}>{dates}</span> : dates}
      {repeats(todo) && (
        <span className={cn('flex min-w-0 items-center gap-1.5', inColumns && oneLine.repeat)}>
          <Repeat size={14} className="shrink-0" />
          <span className={cn('min-w-0', inColumns && 'roomy:sr-only')}>
            <span className="sr-only">Repeats: </span>
            {capitalized(repeatOf(todo) ?? '')}
          </span>
        </span>
      )}
      {inColumns && details ? <span className={oneLine.details}>{details}</span> : details}
      {list && (
        <span className={cn('flex min-w-0 items-center gap-1.5', inColumns && oneLine.list)}>
          <ColorCircle color={list.color} />
          <span className={cn('min-w-0', inColumns && 'roomy:truncate')}>
            <span className="sr-only">List: </span>
            <bdi>{list.name}</bdi>
          </span>
        </span>
      )}
    </span>
  )
}

function Details({ todo: { note, tags }, progress }: { todo: Todo; progress: string | undefined }) {
  return (
    <>
      {progress !== undefined && (
        <span className="flex items-center gap-1.5 tabular-nums">
          <ListChecks size={14} />
          <span>
            <span className="sr-only">Subtasks: </span>
            {progress}
          </span>
        </span>
      )}
      {note !== '' && (
        <span className="flex items-center">
          <TextAlignStart size={14} />
          <span className="sr-only">Has a note</span>
        </span>
      )}
      {tags.map((tag) => (
        <Link
          key={tag}
          to="/tags/$tag"
          params={{ tag }}
          className="-my-0.5 min-w-6 py-0.5 hover:text-ink hover:underline pointer-coarse:-my-3 pointer-coarse:py-3"
        >
          #<bdi>{tag}</bdi>
        </Link>
      ))}
    </>
  )
}

function Dates({ todo, today, ofDay, onDue }: Pick<MetaLineProps, 'todo' | 'today' | 'ofDay' | 'onDue'>) {
  const { timeZone } = useUserCalendar()
  const { due_day } = todo
  const reminder = reminderTime(todo, timeZone)
  const days = due_day === null ? undefined : daysUntil(due_day, today)
  const overdue = days !== undefined && days < 0
  const Due = onDue ? 'button' : 'span'
  return (
    <>
      {due_day !== null && due_day !== ofDay && (
        <Due
          {...(onDue && {
            type: 'button',
            'aria-haspopup': 'dialog',
            onClick: ({ currentTarget }: { currentTarget: HTMLElement }) => onDue(currentTarget),
          })}
          className={cn(
            'flex items-center gap-1.5',
            // A target as large as a finger, without taking more room.
            onDue &&
              'relative -my-0.5 rounded-box py-0.5 after:absolute after:-inset-1 pointer-coarse:after:-bottom-4',
            overdue && 'font-medium text-ink',
            days === 0 && 'text-ink-2',
          )}
        >
          {overdue ? <CalendarX2 size={14} /> : <CalendarIcon size={14} />}
          <span>
            {!overdue && <span className="sr-only">Due: </span>}
            {formatDue(due_day, today)}
          </span>
        </Due>
      )}
      {reminder && (
        <span className="flex items-center gap-1.5 tabular-nums">
          <Bell size={14} />
          <span>
            <span className="sr-only">Reminder: </span>
            {formatReminder(reminder, { due: due_day, today })}
          </span>
        </span>
      )}
    </>
  )
}
