import { replaceEqualDeep } from '@tanstack/react-query'
import { type ComponentType, memo, type ReactNode, useId } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { Day } from '#platform/calendar/day.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { useTick } from '#platform/ui/controls/use-tick.ts'
import type { RowPlace } from '#platform/ui/rows/row-list.tsx'
import type { Todo } from '../todo/todo.ts'
import { PrioritySign, priorityNames } from '../todo/web/priority-sign.tsx'
import { TitleProblem } from '../todo/web/title-problem.tsx'
import { todoCollection } from '../todo/web/todo-queries.ts'
import { useTitleEditor } from '../todo/web/use-title-editor.ts'
import { hasDates, hasMeta, MetaLine, oneLine } from './meta-line.tsx'
import type { RowActions } from './row-actions.ts'
import type { RowButtonsProps } from './row-buttons.tsx'

// With CSS containment, a change in one row costs the others nothing.
const look = cn(
  'group/row -mx-3 flex scroll-my-16 items-start gap-x-3 rounded-control px-3 hover:bg-hover data-gripped:bg-hover data-dragged:opacity-40 pointer-coarse:-mx-4 pointer-coarse:px-4',
  'contain-content',
  '@max-[14em]:flex-wrap',
)

const chosenLook =
  'bg-hover before:absolute before:inset-y-1 before:left-0 before:w-[3px] before:rounded-full before:bg-ink'

// If the text is large for the width, the title gets a line of its own, with the buttons below.
const titleRoom = 'min-w-0 flex-1 @max-[14em]:basis-[calc(100%-32px)]'

/** Styles that reserve space for a number of buttons, so that nothing moves when the buttons load. */
const roomForButtons = {
  0: '',
  1: 'min-h-8 min-w-8 pointer-coarse:min-h-11 pointer-coarse:min-w-11',
  3: 'min-h-8 min-w-24 pointer-coarse:min-h-11 pointer-coarse:min-w-33',
  4: 'min-h-8 min-w-32',
}

/** The number of buttons that the row will have. */
function buttonsOf(isOpen: boolean, compact: boolean, hasMore: boolean, confirmable: boolean): 0 | 1 | 3 | 4 {
  if (confirmable) return 3
  if (compact) return isOpen ? 1 : 0
  return hasMore ? 4 : 3
}

interface TodoRowProps {
  todo: Todo
  today: Day
  /** The day that the page or group stands for. Rows do not repeat this date. */
  ofDay: Day | null | undefined
  actions: RowActions
  /** The list of the to-do, on boards that show several lists. */
  list?: List | undefined
  /** Whether all actions are in one menu, as on phones. */
  compact: boolean
  /** Whether due date, list and other facts share the line of the title where there is room. */
  inColumns: boolean
  /** Whether there are actions besides those of the row's own buttons. */
  hasMore: boolean
  /** The value of `aria-keyshortcuts`. */
  keys: string | undefined
  /** How many subtasks are completed, such as '2/5'. */
  progress?: string | undefined
  /** Whether the details of this to-do are open. */
  detailed: boolean
  /** Whether this row is among the selected ones. */
  chosen: boolean
  /** Set in a long list, where the neighbours of a row may have no elements. */
  place: RowPlace | undefined
  /** The buttons; undefined until their code is loaded, after the rows are drawn. */
  Buttons: ComponentType<RowButtonsProps> | undefined
}

export const TodoRow = memo(function TodoRow(props: TodoRowProps) {
  const {
    todo,
    today,
    ofDay,
    actions,
    list,
    compact,
    hasMore,
    keys,
    progress,
    detailed,
    chosen,
    inColumns,
    Buttons,
  } = props
  const isOpen = todo.completed === 0
  const tick = useTick(!isOpen, (completed) => actions.setCompleted(todo, completed))
  const editor = useTitleEditor(todo.title, {
    onBegin: () => actions.hold(todo),
    save: (title) => actions.rename(todo, title),
    keeper: useDraftKeeper(`row of ${todo.id}`),
  })
  const meta = hasMeta(todo, list, progress, ofDay) && (
    <MetaLine
      todo={todo}
      today={today}
      ofDay={ofDay}
      list={list}
      progress={progress}
      inColumns={inColumns}
      onDue={editor.editing ? undefined : (anchor) => actions.askForDates(todo, anchor)}
    />
  )
  return (
    <li
      data-row={todo.id}
      {...props.place}
      className={cn(look, inColumns && oneLine.row, detailed && 'bg-hover', chosen && chosenLook)}
    >
      <Checkbox
        aria-label={todo.title}
        aria-keyshortcuts={keys}
        checked={tick.checked}
        onChange={({ currentTarget: { checked }, nativeEvent }) => {
          // A click by a key has a `detail` of 0.
          const byKey = nativeEvent instanceof UIEvent && nativeEvent.detail === 0
          // At once instead of when the row leaves: until then, another press of the key would reopen this task.
          if (checked && byKey) actions.focusNext()
          tick.choose(checked)
        }}
        className="mt-[calc(0.75rem-2px)] pointer-coarse:mt-[calc(0.75rem+4px)]"
      />
      {chosen && <span className="sr-only">Selected</span>}
      {editor.editing ? (
        <TitleField
          {...editor.field}
          todo={todo}
          takesFocus={editor.takesFocus}
          problem={editor.problem}
          inColumns={inColumns}
        >
          {meta}
        </TitleField>
      ) : (
        <span
          dir="auto"
          className={cn(
            titleRoom,
            'py-2 text-body wrap-anywhere pointer-coarse:py-3.5',
            inColumns && 'roomy:contents',
          )}
        >
          {/* The title is no tab stop, which would double the tab stops of a list. Enter on the row's checkbox does the same. */}
          <button
            type="button"
            tabIndex={-1}
            data-title
            aria-expanded={detailed}
            onClick={({ detail }) => actions.showDetails(todo, detail === 0)}
            className={cn(
              'block w-full text-start wrap-anywhere',
              !isOpen && 'text-ink-3 line-through',
              inColumns && cn(oneLine.title, 'roomy:py-2'),
            )}
          >
            {todo.title}
          </button>
          {meta}
        </span>
      )}
      {isOpen && todo.priority > 0 && (
        <span
          className={cn(
            'mt-2 flex items-center gap-1.5 py-1 text-small text-ink-2 pointer-coarse:mt-3.5',
            compact ? '-mr-1' : 'order-last',
            inColumns && oneLine.priority,
          )}
        >
          <span className={cn(compact && 'sr-only', inColumns && 'roomy:sr-only')}>
            <span className="sr-only">Priority: </span>
            {priorityNames[todo.priority]}
          </span>
          <PrioritySign priority={todo.priority} />
        </span>
      )}
      <span
        className={cn(
          'mt-[calc(0.75rem-8px)] -mr-2 ml-auto flex shrink-0 pointer-coarse:-mr-3.5 @max-[14em]:-mt-1',
          !Buttons && roomForButtons[buttonsOf(isOpen, compact, hasMore, editor.confirmable)],
          inColumns && oneLine.buttons,
        )}
      >
        {Buttons && (
          <Buttons todo={todo} actions={actions} editor={editor} compact={compact} hasMore={hasMore} />
        )}
      </span>
    </li>
  )
}, showsTheSame)

/** Compares rows by content: a collection that was read again has new objects with the same content. */
function showsTheSame(one: TodoRowProps, other: TodoRowProps): boolean {
  return (
    one.actions === other.actions &&
    one.compact === other.compact &&
    one.inColumns === other.inColumns &&
    one.hasMore === other.hasMore &&
    one.keys === other.keys &&
    one.progress === other.progress &&
    one.detailed === other.detailed &&
    one.chosen === other.chosen &&
    one.Buttons === other.Buttons &&
    one.place?.['aria-posinset'] === other.place?.['aria-posinset'] &&
    one.place?.['aria-setsize'] === other.place?.['aria-setsize'] &&
    replaceEqualDeep(one.todo, other.todo) === one.todo &&
    one.list?.name === other.list?.name &&
    one.list?.color === other.list?.color &&
    (one.today === other.today || !hasDates(one.todo))
  )
}

type TitleFieldProps = ReturnType<typeof useTitleEditor>['field'] & {
  todo: Todo
  takesFocus: boolean
  problem: string | undefined
  inColumns: boolean
  children: ReactNode
}

/** The field for the title. Its frame extends outwards, so that the text stays where it was. */
function TitleField({ todo, takesFocus, problem, inColumns, children, ...field }: TitleFieldProps) {
  const problemId = useId()
  useKeptWhileEdited(todoCollection, todo, true)
  return (
    <span className={cn(titleRoom, inColumns && 'roomy:contents')}>
      <span className={cn('my-1 mr-2 -ml-1.5 block pointer-coarse:mr-1', inColumns && oneLine.title)}>
        <input
          ref={takesFocus ? focusAtEnd : undefined}
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
      </span>
      {children}
    </span>
  )
}

function focusAtEnd(field: HTMLInputElement | null) {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
