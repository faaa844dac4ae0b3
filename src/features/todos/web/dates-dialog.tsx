import { type FormEvent, type ReactNode, useState } from 'react'
import { useDraft } from '#platform/browser/use-draft.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
} from '#platform/ui/overlays/dialog.tsx'
import type { Todo } from '../todo.ts'
import { dueDaySchema, remindAtSchema } from '../todo-row.ts'
import { fieldOfInstant, instantOfField } from './date-time-field.ts'
import { dueSuggestions } from './due-suggestions.ts'
import type { TodoDates } from './todo-queries.ts'

interface DatesDialogProps {
  /** The to-do whose dates are edited, in its current state; it stays while the dialog closes. */
  todo: Todo | undefined
  open: boolean
  /** How a reminder reaches the person. */
  pushPermissionNote: ReactNode
  onClose(): void
  /** Called with only what the person changed. */
  save(changes: Partial<TodoDates>): void
}

/** Asks when a to-do is due, and when to remind the person of it. */
export function DatesDialog({ todo, open, pushPermissionNote, onClose, save }: DatesDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (todo) focusEditOf(todo)
        }}
      >
        <DialogTitle>Due date and reminder</DialogTitle>
        {todo && (
          <>
            <DialogDescription dir="auto" className="line-clamp-2 wrap-anywhere">
              {todo.title}
            </DialogDescription>
            <DatesForm
              todo={todo}
              pushPermissionNote={pushPermissionNote}
              onSave={(changes) => {
                onClose()
                save(changes)
              }}
            />
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}

interface DatesFormProps {
  todo: Todo
  pushPermissionNote: ReactNode
  onSave(changes: Partial<TodoDates>): void
}

function DatesForm({ todo, pushPermissionNote, onSave }: DatesFormProps) {
  const { timeZone, weekStart } = useUserCalendar()
  const today = useToday()
  const shown = todo.remind_at === null ? '' : fieldOfInstant(instantFromWire(todo.remind_at), timeZone)
  const due = useDraft<string>(todo.due_day ?? '')
  const reminder = useDraft(shown)
  const [openedAt] = useState(Date.now)

  const dueDay = due.value === '' ? { data: null } : dueDaySchema.safeParse(due.value)
  const instant = reminder.value === '' ? undefined : instantOfField(reminder.value, timeZone)
  const remindAt =
    reminder.value === ''
      ? { data: null }
      : remindAtSchema.safeParse(instant === undefined ? '' : instantToWire(instant))
  const dueChanged = due.value !== due.from
  // Unchanged, it keeps its seconds, which the field does not show.
  const reminderChanged = reminder.value !== reminder.from
  const passed = instant !== undefined && reminderChanged && instant <= openedAt

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (dueDay.data === undefined || remindAt.data === undefined) return
    onSave({
      ...(dueChanged ? { due_day: dueDay.data } : {}),
      ...(reminderChanged ? { remind_at: remindAt.data } : {}),
    })
  }

  return (
    <form onSubmit={submit} className="mt-6 grid grid-cols-1 gap-5">
      <Field label="Due date" error={dueDay.data === undefined ? 'Choose a date before 2200' : undefined}>
        {(control) => (
          <>
            <Input
              {...control}
              type="date"
              min="1900-01-01"
              max="2199-12-31"
              value={due.value}
              onChange={(event) => due.change(event.currentTarget.value)}
            />
            <div className="mt-2 grid grid-cols-2 gap-2">
              {dueSuggestions(today, weekStart).map(({ label, day, dateText }) => (
                <Suggestion
                  key={label}
                  chosen={due.value === day}
                  onChoose={() => due.change(day)}
                  day={dateText}
                >
                  {label}
                </Suggestion>
              ))}
              <Suggestion chosen={due.value === ''} onChoose={() => due.change('')}>
                None
              </Suggestion>
            </div>
          </>
        )}
      </Field>
      <Field
        label="Reminder"
        error={remindAt.data === undefined ? 'Choose a date between 2000 and 2199' : undefined}
        hint={passed ? 'This time has passed, so no reminder will be sent.' : undefined}
      >
        {(control) => (
          <>
            <Input
              {...control}
              type="datetime-local"
              min="2000-01-01T00:00"
              max="2199-12-31T23:59"
              value={reminder.value}
              onChange={(event) => reminder.change(event.currentTarget.value)}
            />
            <div className="mt-2 flex flex-wrap gap-2">
              {dueDay.data && (
                <Suggestion
                  chosen={reminder.value === `${dueDay.data}T09:00`}
                  onChoose={() => reminder.change(`${dueDay.data}T09:00`)}
                >
                  On the due date at 09:00
                </Suggestion>
              )}
              <Suggestion chosen={reminder.value === ''} onChoose={() => reminder.change('')}>
                None
              </Suggestion>
            </div>
            {reminder.value !== '' && <div className="mt-2 empty:hidden">{pushPermissionNote}</div>}
          </>
        )}
      </Field>
      <DialogFooter className="mt-1">
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit">Save</Button>
      </DialogFooter>
    </form>
  )
}

interface SuggestionProps {
  chosen: boolean
  onChoose(): void
  /** The date of the suggestion. */
  day?: string
  children: string
}

/** Fills the field above it. */
function Suggestion({ chosen, onChoose, day, children }: SuggestionProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="flex min-h-8 items-center justify-between gap-x-3 rounded-control px-3 py-1 text-left max-sm:flex-col max-sm:items-start max-sm:justify-center text-control text-ink-2 ring ring-line transition-colors ring-inset hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink aria-pressed:ring-edge pointer-coarse:min-h-11"
    >
      {children}
      {day !== undefined && <span className="text-small font-normal text-ink-3">{day}</span>}
    </button>
  )
}

/** Returns to where the dialog was opened from; to the title if that is still being edited. */
function focusEditOf({ id }: Todo) {
  const row = document.querySelector(`[data-row="${id}"]`)
  row?.querySelector<HTMLElement>('input[type=text], button')?.focus()
}
