import { Bell } from 'lucide-react'
import { useRef, useState } from 'react'
import { dueOf } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { reminderAt } from '#features/todos/todo/todo-reminder.ts'
import type { TodoActions } from '#features/todos/todo/web/todo-actions.ts'
import type { TodoFields } from '#features/todos/todo/web/todo-queries.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { rowElement, rowIdsIn } from '#platform/browser/rows/row-elements.ts'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import type { Day } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { DatePicker, type PickedDate } from '#platform/ui/dates/date-picker.tsx'
import { offerSkip } from './due-actions.ts'
import { daysBefore } from './format-due.ts'
import { dueChanges, hasPassed, pickedDue, reminderChanges, reminderElsewhere } from './picked-due.ts'

interface DuePickerProps {
  /** The to-do in its current state. Stays set while the picker closes. */
  todo: Todo
  actions: TodoActions
  open: boolean
  anchor: HTMLElement
  /** What the picker shows first: the due day or the reminder. */
  first: 'due' | 'reminder'
  onClose(): void
  /** Called with only the fields that the person changed. */
  save(changes: Partial<TodoFields>): void
}

/** Lets the person choose when a to-do is due, and when to be reminded of it: on that day, or on another one. */
export function DuePicker({ todo, actions, open, anchor, first, onClose, save }: DuePickerProps) {
  const { pushPermissionNote } = useScreenServices()
  const { timeZone } = useUserCalendar()
  const today = useToday()
  const repeating = todo.parent_id === null ? dueOf(todo, undefined, today)?.open : undefined
  const place = useRef(-1)
  const saveUndoably = (changes: Partial<TodoFields>) => {
    if (Object.keys(changes).length === 0 || offerSkip(actions, todo, changes)) return
    place.current = placeOf(todo)
    save(changes)
    actions.offer(repeating && changes.due_day === null ? 'Task moved back' : wordsFor(changes), todo)
  }
  const [askedFor, setAskedFor] = useState(first)
  const [wasOpen, setWasOpen] = useState(open)
  const [openedAt, setOpenedAt] = useState(Date.now)
  if (wasOpen !== open) {
    setWasOpen(open)
    if (open) setAskedFor(first)
    if (open) setOpenedAt(Date.now())
  }
  const elsewhere = reminderElsewhere(todo, timeZone)
  const frame = {
    open,
    onClose,
    about: todo.title,
    anchor,
    returnFocus: () => returnFocus(anchor, todo, place.current),
    note: ({ day, time }: PickedDate) =>
      time !== null && (
        <div className="grid gap-2">
          {!todo.repeat && hasPassed({ day, time }, timeZone, openedAt) && (
            <p className="text-ink-3 text-small">This time has passed, so no reminder will be sent.</p>
          )}
          {askedFor === 'reminder' && <DaysBefore todo={todo} day={day} />}
          {pushPermissionNote}
        </div>
      ),
  }

  const due = pickedDue(todo, timeZone)
  if (askedFor === 'reminder') {
    const onDueDay = due?.time == null ? null : due
    return (
      <DatePicker
        {...frame}
        label="Reminder"
        time="required"
        noneLabel="No reminder"
        value={elsewhere ?? onDueDay}
        onChange={(chosen) =>
          saveUndoably(reminderChanges(todo, chosen && { day: chosen.day, time: chosen.time ?? 0 }, timeZone))
        }
      />
    )
  }
  return (
    <DatePicker
      {...frame}
      label="Due date and reminder"
      time="optional"
      noneLabel={repeating ? backTo(repeating, today) : 'No date'}
      value={due}
      onChange={(chosen) => {
        // Removing the date of an occurrence moves it back to its own day. The reminder stays, because it belongs to every
        // occurrence.
        const isBack = repeating !== undefined && chosen === null
        saveUndoably(isBack ? { due_day: null } : dueChanges(todo, chosen, timeZone))
      }}
      inPlaceOfTime={
        elsewhere && (
          <Button
            variant="quiet"
            onClick={() => setAskedFor('reminder')}
            className="-ml-2 min-h-9 px-2 font-normal tabular-nums"
          >
            <Bell size={16} className="text-ink-3" />
            <span>
              <span className="sr-only">Reminder: </span>
              {shortDay(elsewhere.day, today)} {timeOfDay(elsewhere.time)}
            </span>
          </Button>
        )
      }
      after={
        !elsewhere &&
        due?.time == null && (
          <Button
            variant="quiet"
            onClick={() => setAskedFor('reminder')}
            className="-mx-2 min-h-9 w-[calc(100%+16px)] justify-start px-2 font-normal"
          >
            <Bell size={16} className="text-ink-3" />
            Remind me on another day
          </Button>
        )
      }
    />
  )
}

/** Tells how many days before the due date the reminder comes, which the calendar does not show. */
function DaysBefore({ todo: { due_day, repeat }, day }: { todo: Todo; day: Day }) {
  const reminder = due_day === null ? undefined : reminderAt({ day, time: 0 }, due_day)
  if (!reminder || reminder.days_before === 0) return null
  return (
    <p className="text-ink-3 text-small">
      {daysBefore(reminder)} it is due{repeat && ', every time'}.
    </p>
  )
}

/** The label of the button that puts a moved occurrence back on its own day; undefined if it was not moved. */
function backTo({ day, due }: { day: Day; due: Day }, today: Day): string | undefined {
  return due === day ? undefined : `Back to ${shortDay(day, today)}`
}

function wordsFor({ due_day, remind_at, reminder }: Partial<TodoFields>): string {
  if (due_day !== undefined) return due_day === null ? 'Due date removed' : 'Due date changed'
  return reminder || remind_at ? 'Reminder changed' : 'Reminder removed'
}

/**
 * Returns the focus to the element that opened the picker. If that element is gone, focuses the to-do's row: the title being
 * edited, or else a button. If the row is gone too, focuses the row that is now at `place`.
 */
function returnFocus(anchor: HTMLElement, todo: Todo, place: number) {
  if (anchor.isConnected) return anchor.focus()
  const row = rowElement(todo.id)
  if (row) return row.querySelector<HTMLElement>('input[type=text], button')?.focus()
  const ids = rowIdsIn(document)
  const next = rowElement(ids[Math.min(place, ids.length - 1)])
  const box = next?.querySelector<HTMLElement>('input[type=checkbox]')
  const target = box ?? document.querySelector<HTMLElement>('main h1')
  target?.focus()
}

function placeOf({ id }: Todo): number {
  return rowIdsIn(document).indexOf(id)
}
