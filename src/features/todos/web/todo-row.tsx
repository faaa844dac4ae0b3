import { replaceEqualDeep } from '@tanstack/react-query'
import { CalendarClock, Check, Pencil, Trash2 } from 'lucide-react'
import { type MouseEvent, memo, type ReactNode, useId } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import type { Todo } from '../todo.ts'
import { DatesLine, hasDates } from './dates-line.tsx'
import { TitleProblem } from './title-problem.tsx'
import { useTitleEditor } from './use-title-editor.ts'

/** What can be done to a row. Must stay the same object, or every row renders whenever one of them does. */
export interface TodoActions {
  /** Keeps the row where it is, whatever happens to the to-do elsewhere. */
  hold(todo: Todo): void
  setCompleted(todo: Todo, completed: boolean): void
  rename(todo: Todo, title: string): void
  /** Opens the dialog for its due day and reminder. */
  askForDates(todo: Todo): void
  remove(todo: Todo): void
}

// With CSS containment, a row that changes costs the others nothing, and a thousand rows scroll at full speed. All are
// rendered, for the browser's own search, the keyboard and screen readers. (With `content-visibility` a click would
// cost slightly less, but each frame of scrolling many times more.)
const look = cn(
  'group/row -mx-3 flex items-start gap-x-3 rounded-control px-3 hover:bg-hover pointer-coarse:-mx-4 pointer-coarse:px-4',
  'contain-content',
  '@max-[14em]:flex-wrap',
)

// If text is large for the width, the title gets its own line with the buttons below it.
const titleRoom = 'min-w-0 flex-1 @max-[14em]:basis-[calc(100%-32px)]'

// Paler but always visible on touch; otherwise shown for the pointer and the keyboard. While hidden, the icons are not
// even laid out, but the buttons are.
const actionLook = cn(
  'static [&>svg]:hidden group-hover/row:[&>svg]:block group-has-focus-visible/row:[&>svg]:block',
  'pointer-coarse:text-edge pointer-coarse:[&>svg]:block [@media(hover:none)]:[&>svg]:block',
)

// On a phone, a completed task can only be unticked. Its buttons keep their space, or a long title would wrap
// differently under the finger that ticks it.
const doneLook = 'max-md:pointer-coarse:invisible max-md:pointer-coarse:@max-[14em]:hidden'

interface TodoRowProps {
  todo: Todo
  today: Day
  actions: TodoActions
}

export const TodoRow = memo(function TodoRow({ todo, today, actions }: TodoRowProps) {
  const editor = useTitleEditor(todo.title, {
    onBegin: () => actions.hold(todo),
    save: (title) => actions.rename(todo, title),
  })
  const dates = todo.completed === 0 && hasDates(todo) && <DatesLine todo={todo} today={today} />

  return (
    <li data-row={todo.id} className={look}>
      <Checkbox
        aria-label={todo.title}
        checked={todo.completed === 1}
        onChange={(event) => actions.setCompleted(todo, event.currentTarget.checked)}
        className="mt-[calc(0.75rem-2px)] pointer-coarse:mt-[calc(0.75rem+4px)]"
      />
      {editor.editing ? (
        <TitleField {...editor.field} problem={editor.problem}>
          {dates}
        </TitleField>
      ) : (
        <span
          dir="auto"
          className={cn(
            titleRoom,
            'py-2 text-body wrap-anywhere pointer-coarse:py-3.5',
            todo.completed === 1 && 'text-ink-3 line-through',
          )}
        >
          {todo.title}
          {dates}
        </span>
      )}
      <span
        className={cn(
          'mt-[calc(0.75rem-8px)] -mr-2 ml-auto flex shrink-0 pointer-coarse:-mr-3.5 @max-[14em]:-mt-1',
          todo.completed === 1 && doneLook,
        )}
      >
        <span {...editor.buttons} className="flex">
          <Button
            variant="icon"
            aria-label={editor.confirmable ? 'Confirm edit' : 'Edit task'}
            onMouseDown={editor.editing ? keepFocus : undefined}
            className={editor.confirmable ? 'text-accent' : actionLook}
            {...editor.button}
          >
            {editor.confirmable ? <Check /> : <Pencil />}
          </Button>
          {editor.confirmable && (
            <Button
              variant="icon"
              aria-label="Due date and reminder"
              onMouseDown={keepFocus}
              onClick={() => {
                editor.leave()
                actions.askForDates(todo)
              }}
            >
              <CalendarClock />
            </Button>
          )}
        </span>
        <Button
          variant="icon"
          aria-label="Delete task"
          onMouseDown={editor.editing ? keepFocus : undefined}
          onClick={() => {
            editor.abandon()
            actions.remove(todo)
          }}
          className={editor.editing ? undefined : actionLook}
        >
          <Trash2 />
        </Button>
      </span>
    </li>
  )
}, showsTheSame)

/** A collection that was read again consists of new objects with the same content. */
function showsTheSame(one: TodoRowProps, other: TodoRowProps): boolean {
  return (
    one.actions === other.actions &&
    replaceEqualDeep(one.todo, other.todo) === one.todo &&
    (one.today === other.today || !hasDates(one.todo))
  )
}

type TitleFieldProps = ReturnType<typeof useTitleEditor>['field'] & {
  problem: string | undefined
  children: ReactNode
}

/** Its frame grows outwards from the text, which stays where it was. */
function TitleField({ problem, children, ...field }: TitleFieldProps) {
  const problemId = useId()
  return (
    <span className={cn(titleRoom, 'my-1 mr-2 -ml-1.5 pointer-coarse:mr-1')}>
      <input
        ref={focusAtEnd}
        type="text"
        aria-label="Title"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        dir="auto"
        enterKeyHint="done"
        autoComplete="off"
        className="w-full rounded-box border-2 border-accent bg-raised px-1 py-0.5 text-body outline-none pointer-coarse:py-2"
        {...field}
      />
      {problem !== undefined && (
        <TitleProblem id={problemId} className="pl-1.5">
          {problem}
        </TitleProblem>
      )}
      {children && <span className="block pl-1.5">{children}</span>}
    </span>
  )
}

function focusAtEnd(field: HTMLInputElement | null) {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

/** The press comes before the click: without this it would blur the field, and the click would hit another button. */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
