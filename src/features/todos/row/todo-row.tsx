import { replaceEqualDeep } from '@tanstack/react-query'
import { type ComponentType, memo, useId } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { Day } from '#platform/calendar/day.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { useTick } from '#platform/ui/controls/use-tick.ts'
import type { RowPlace } from '#platform/ui/rows/row-list.tsx'
import type { Todo } from '../todo/todo.ts'
import { TitleProblem } from '../todo/web/title-problem.tsx'
import { todoCollection } from '../todo/web/todo-queries.ts'
import { useTitleEditor } from '../todo/web/use-title-editor.ts'
import { hasMeta, hasSigns, MetaLine, TitleSigns } from './meta-line.tsx'
import type { RowActions } from './row-actions.ts'
import type { RowButtonsProps } from './row-buttons.tsx'
import { column, hasDates, rowGrid, titleEnd } from './row-columns.ts'

// With CSS containment, a change in one row costs the others nothing.
const look = cn(
  rowGrid,
  '-mx-3 scroll-my-16 rounded-control px-3 hover:bg-hover has-focus-visible:bg-hover data-gripped:bg-hover data-dragged:opacity-40 pointer-coarse:-mx-4 pointer-coarse:px-4',
  'contain-content',
)

const chosenLook =
  'bg-hover before:absolute before:inset-y-1 before:left-0 before:w-[3px] before:rounded-full before:bg-ink'

// They span the line of the facts as well, or they would make the title's line higher.
const buttonsLook =
  'relative row-start-1 row-end-3 mt-[calc(0.75rem-8px)] flex shrink-0 [justify-self:self-end]'

/** Buttons beside the title. If the text is large for the width, they go below it. */
const besideTitle =
  '-mr-2 ml-3 col-start-3 [direction:ltr] pointer-coarse:-mr-3.5 @max-[14em]:row-start-3 @max-[14em]:row-end-4 @max-[14em]:-mt-1'
/** Buttons over the title's end, which take no room. */
const overTitle = 'me-1 col-start-2 col-end-4'

/** Keeps the room of the one button of a row, so that nothing moves when its code arrives. */
const roomForMenu = 'min-h-8 min-w-8 pointer-coarse:min-h-11 pointer-coarse:min-w-11'

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
  /** How many tags have room in their column. */
  tagsShown: number
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
    tagsShown,
    Buttons,
  } = props
  const isOpen = todo.completed === 0
  const tick = useTick(!isOpen, (completed) => actions.setCompleted(todo, completed))
  const editor = useTitleEditor(todo.title, {
    onBegin: () => actions.hold(todo),
    save: (title) => actions.rename(todo, title),
    keeper: useDraftKeeper(`row of ${todo.id}`),
  })
  const end = titleEnd(todo, { list, ofDay })
  const isWithMeta = hasMeta({ todo, ofDay, list, progress })
  return (
    <li
      data-row={todo.id}
      {...props.place}
      className={cn(look, detailed && 'bg-hover', chosen && chosenLook)}
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
        className="mt-[calc(0.75rem-2px)] mr-3 pointer-coarse:mt-[calc(0.75rem+4px)]"
      />
      {chosen && <span className="sr-only">Selected</span>}
      {/* The direction is the title's: its actions lie over its end. */}
      <span dir={editor.editing ? undefined : 'auto'} className="contents">
        {editor.editing ? (
          <TitleField
            {...editor.field}
            todo={todo}
            takesFocus={editor.takesFocus}
            problem={editor.problem}
            className={end}
          />
        ) : (
          // The title is no tab stop, which would double the tab stops of a list. Enter on the row's checkbox does the same.
          <button
            type="button"
            tabIndex={-1}
            data-title
            aria-expanded={detailed}
            onClick={({ detail }) => actions.showDetails(todo, detail === 0)}
            className={cn(
              'col-start-2 row-start-1',
              end,
              'pt-2 text-start text-body wrap-anywhere pointer-coarse:pt-3.5 roomy:pb-2 roomy:pointer-coarse:pb-3.5',
              !isWithMeta && 'pb-2 pointer-coarse:pb-3.5',
              !isOpen && 'text-ink-3 line-through',
            )}
          >
            <span className="block roomy:line-clamp-2">
              {todo.title}
              {hasSigns(todo, progress) && <TitleSigns todo={todo} progress={progress} />}
            </span>
          </button>
        )}
        {isWithMeta && (
          <MetaLine
            todo={todo}
            today={today}
            ofDay={ofDay}
            list={list}
            progress={progress}
            tagsShown={tagsShown}
            onDue={editor.editing ? undefined : (anchor) => actions.askForDates(todo, anchor)}
          />
        )}
        {Buttons ? (
          <Buttons
            todo={todo}
            actions={actions}
            editor={editor}
            compact={compact}
            hasMore={hasMore}
            className={cn(
              buttonsLook,
              compact || editor.confirmable ? besideTitle : overTitle,
              compact && !editor.confirmable ? column.menu : cn('roomy:col-start-2', end),
            )}
          />
        ) : (
          compact && isOpen && <span className={cn(buttonsLook, besideTitle, column.menu, roomForMenu)} />
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
    one.tagsShown === other.tagsShown &&
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
  className: string
}

/** The field for the title. Its frame extends outwards, so that the text stays where it was. */
function TitleField({ todo, takesFocus, problem, className, ...field }: TitleFieldProps) {
  const problemId = useId()
  useKeptWhileEdited(todoCollection, todo, true)
  return (
    <span
      className={cn(
        className,
        'col-start-2 row-start-1',
        // On one line, the buttons lie over the end of this box.
        'my-1 -ml-1.5 block @max-[14em]:col-end-4 roomy:pr-26 roomy:pointer-coarse:pr-34',
      )}
    >
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
  )
}

function focusAtEnd(field: HTMLInputElement | null) {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
