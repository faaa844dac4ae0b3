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
import { PrioritySign, priorityNames } from '../todo/web/priority-sign.tsx'
import { hasDates, repeats } from './row-columns.ts'

interface MetaLineProps {
  todo: Todo
  today: Day
  /** The day that the page or group stands for. Rows do not repeat this date. */
  ofDay: Day | null | undefined
  list: List | undefined
  /** How many subtasks are completed, such as '2/5'. */
  progress: string | undefined
  /** How many tags have room in their column. */
  tagsShown: number
  /** Called when the due date is pressed; left out where neither the date nor a tag can be pressed. */
  onDue?: ((anchor: HTMLElement) => void) | undefined
}

/** Whether the row shows missed occurrences, subtasks or a note. Completed to-dos show none. */
export function hasSigns(todo: Todo, progress: string | undefined): boolean {
  return todo.completed === 0 && (progress !== undefined || todo.note !== '' || missedOf(todo) > 0)
}

function missedOf(todo: Todo): number {
  return repeats(todo) ? (todo.missed ?? 0) : 0
}

/** A fact below the title, or on its line where there is room. */
const factLook = 'flex min-w-0 items-center gap-1.5'
const onLine = 'roomy:row-start-1 roomy:mt-(--pad) roomy:ml-3 roomy:h-[1.5rem]'

/** The facts below a title; where the board is wide enough, each is in its column on the title's line. */
export function MetaLine({ todo, today, ofDay, list, progress, tagsShown, onDue }: MetaLineProps) {
  const { completed, priority, tags } = todo
  const isOpen = completed === 0
  const repeatWords = repeats(todo) ? capitalized(repeatOf(todo) ?? '') : ''
  return (
    <span className="col-start-2 row-start-2 flex flex-wrap gap-x-3 pt-0.5 pb-[calc(var(--pad)-2px)] text-control text-ink-3 roomy:contents roomy:[direction:ltr]">
      {hasDates(todo, ofDay) && <DueFact todo={todo} today={today} ofDay={ofDay} onDue={onDue} />}
      {hasSigns(todo, progress) && <Signs todo={todo} progress={progress} isTold />}
      {isOpen && tags.length > 0 && <Tags tags={tags} shown={tagsShown} areLinks={onDue !== undefined} />}
      {repeatWords !== '' && (
        <span title={repeatWords} className={cn(factLook, onLine, 'roomy:col-start-5')}>
          <Repeat size={14} className="shrink-0" />
          <span className="min-w-0 roomy:sr-only">
            <span className="sr-only">Repeats: </span>
            {repeatWords}
          </span>
        </span>
      )}
      {list && (
        <span className={cn('flex min-w-0 items-center gap-2', onLine, 'roomy:col-start-7')}>
          <ColorCircle color={list.color} />
          <span title={list.name} className="min-w-0 wrap-anywhere roomy:truncate">
            <span className="sr-only">List: </span>
            <bdi>{list.name}</bdi>
          </span>
        </span>
      )}
      {isOpen && priority > 0 && (
        <span className={cn(factLook, onLine, 'roomy:col-start-6')}>
          <PrioritySign priority={priority} />
          <span className="sr-only">Priority: {priorityNames[priority]}</span>
        </span>
      )}
    </span>
  )
}

/** What follows the title's last word on one line. Screen readers find the same in the facts. */
export function TitleSigns({ todo, progress }: SignsProps) {
  return (
    <span aria-hidden="true" className="hidden roomy:inline">
      {/* Keeps the signs on the line of the last word. */}
      {'\u2060'}
      <span className="ms-3 inline-flex h-[1.5rem] items-center gap-3 align-top text-control text-ink-3">
        <Signs todo={todo} progress={progress} />
      </span>
    </span>
  )
}

type SignsProps = Pick<MetaLineProps, 'todo' | 'progress'>

/** `isTold`: with words for screen readers. On one line, only they get this copy: the visible one is in the title. */
function Signs({ todo, progress, isTold }: SignsProps & { isTold?: true }) {
  const missed = missedOf(todo)
  const look = cn(factLook, 'tabular-nums', isTold && 'roomy:sr-only')
  return (
    <>
      {missed > 0 && <span className={look}>{integerFormat.format(missed)} missed</span>}
      {progress !== undefined && (
        <span className={look}>
          <ListChecks size={14} />
          <span>
            {isTold && <span className="sr-only">Subtasks: </span>}
            {progress}
          </span>
        </span>
      )}
      {todo.note !== '' && (
        <span className={look}>
          <TextAlignStart size={14} />
          {isTold && <span className="sr-only">Has a note</span>}
        </span>
      )}
    </>
  )
}

const tagLook = '-my-0.5 min-w-6 py-0.5 wrap-anywhere pointer-coarse:-my-3 pointer-coarse:py-3 roomy:truncate'

interface TagsProps {
  tags: readonly string[]
  shown: number
  areLinks: boolean
}

function Tags({ tags, shown, areLinks }: TagsProps) {
  const more = tags.slice(shown).map((tag) => `#${tag}`)
  return (
    <span
      className={cn(
        'contents roomy:col-start-4 roomy:flex roomy:min-w-0 roomy:items-center roomy:justify-end roomy:gap-x-1.5 roomy:pl-1',
        onLine,
      )}
    >
      {tags.map((tag, place) => {
        const look = cn(tagLook, place >= shown && 'roomy:hidden')
        return areLinks ? (
          <Link
            key={tag}
            to="/tags/$tag"
            params={{ tag }}
            title={`#${tag}`}
            className={cn(look, 'hover:text-ink hover:underline')}
          >
            #<bdi>{tag}</bdi>
          </Link>
        ) : (
          <span key={tag} className={look}>
            #<bdi>{tag}</bdi>
          </span>
        )
      })}
      {more.length > 0 && (
        <span title={more.join(' ')} className="hidden shrink-0 roomy:inline">
          <span aria-hidden="true">+{more.length}</span>
          <span className="sr-only">{more.join(' ')}</span>
        </span>
      )}
    </span>
  )
}

/** Says one thing: how late the to-do is, or its date, with the time of a reminder on that day. */
function DueFact({ todo, today, ofDay, onDue }: Pick<MetaLineProps, 'todo' | 'today' | 'ofDay' | 'onDue'>) {
  const { timeZone } = useUserCalendar()
  const { due_day } = todo
  const reminder = reminderTime(todo, timeZone)
  const day = due_day === ofDay ? null : due_day
  const days = day === null ? undefined : daysUntil(day, today)
  const isLate = days !== undefined && days < 0
  const ringsThen = reminder !== undefined && (day === null || reminder.day === due_day) && !isLate
  const reminderWords = reminder && formatReminder(reminder, { due: isLate ? null : due_day, today })
  // The reminder of a late to-do on its due day has passed.
  const ringsElsewhere = reminder !== undefined && !ringsThen && reminder.day !== due_day
  const Sign = isLate ? CalendarX2 : ringsThen ? Bell : CalendarIcon
  const Due = onDue ? 'button' : 'span'
  return (
    <Due
      {...(onDue && {
        type: 'button',
        'aria-haspopup': 'dialog',
        onClick: ({ currentTarget }: { currentTarget: HTMLElement }) => onDue(currentTarget),
      })}
      className={cn(
        factLook,
        onLine,
        'tabular-nums roomy:col-start-3 roomy:min-w-[7rem] roomy:justify-end roomy:whitespace-nowrap',
        // A target as large as a finger, without taking more room.
        onDue &&
          'relative -my-0.5 rounded-box py-0.5 text-start after:absolute after:-inset-1 pointer-coarse:after:-bottom-4',
        isLate && 'font-medium text-ink',
        days === 0 && 'text-ink-2',
      )}
    >
      <Sign size={14} className="shrink-0" />
      <span>
        {days !== undefined && !isLate && <span className="sr-only">Due: </span>}
        {day !== null && formatDue(day, today)}
        {ringsThen && (
          <>
            {day !== null && ', '}
            <span className="sr-only">Reminder: </span>
            {reminderWords}
          </>
        )}
        {isLate && reminder && !ringsElsewhere && (
          <span className="sr-only">, Reminder: {reminderWords}</span>
        )}
      </span>
      {ringsElsewhere && (
        <span title={reminderWords} className={cn(factLook, 'ml-1.5')}>
          <Bell size={14} className="shrink-0" />
          <span className="roomy:sr-only">
            <span className="sr-only">Reminder: </span>
            {reminderWords}
          </span>
        </span>
      )}
    </Due>
  )
}
