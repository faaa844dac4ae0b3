import { replaceEqualDeep } from '@tanstack/react-query'
import { type ComponentType, memo } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { Day } from '#platform/calendar/day.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { useTick } from '#platform/ui/controls/use-tick.ts'
import type { RowPlace } from '#platform/ui/rows/row-list.tsx'
import type { Todo } from '../todo/todo.ts'
import { useTitleEditor } from '../todo/web/use-title-editor.ts'
import { hasSigns, MetaLine, TitleSigns } from './meta-line.tsx'
import { type RowActions, rowDraft } from './row-actions.ts'
import type { RowButtonsProps } from './row-buttons.tsx'
import { hasDates, rowGrid, titleEnd } from './row-columns.ts'

// With CSS containment, a change in one row costs the others nothing.
const look = cn(
  rowGrid,
  '-mx-3 scroll-my-16 rounded-control px-3 hover:bg-hover has-focus-visible:bg-hover data-gripped:bg-hover data-dragged:opacity-40 pointer-coarse:-mx-4 pointer-coarse:px-4',
  'contain-content',
)

const chosenLook =
  'bg-hover before:absolute before:inset-y-1 before:left-0 before:w-[3px] before:rounded-full before:bg-ink'

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
  /** Whether the row is among the completed ones, where rows show no facts. One that was just ticked is not there yet. */
  amongDone: boolean
  /** The buttons, and the field for the title; undefined until their code is loaded, after the rows are drawn. */
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
    amongDone,
    tagsShown,
    Buttons,
  } = props
  const isOpen = todo.completed === 0
  const tick = useTick(!isOpen, (completed) => actions.setCompleted(todo, completed))
  const editor = useTitleEditor(todo.title, {
    onBegin: () => actions.hold(todo),
    save: (title) => actions.rename(todo, title),
    keeper: useDraftKeeper(rowDraft(todo.id)),
  })
  // By its place: a tick must not make the row lower, which would move the rows below under the pointer.
  const placed: Todo = { ...todo, completed: amongDone ? 1 : 0 }
  const firstFact = titleEnd(placed, { list, ofDay })
  const end = firstFact ?? 'roomy:col-end-8'
  const isEdited = editor.editing && Buttons !== undefined
  const isWithSigns = hasSigns(placed, progress)
  const isWithMeta = firstFact !== undefined || isWithSigns
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
        className="mt-[calc(0.75rem-10px+var(--pad))] mr-3"
      />
      {chosen && <span className="sr-only">Selected</span>}
      {/* The direction is the title's: its actions lie over its end. */}
      <span dir={isEdited ? undefined : 'auto'} className="contents">
        {!isEdited && (
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
              'pt-(--pad) text-start wrap-anywhere roomy:pb-(--pad)',
              !isWithMeta && 'pb-(--pad)',
            )}
          >
            <span className={cn('block roomy:line-clamp-2', !isOpen && 'text-ink-3 line-through')}>
              {todo.title}
              {isWithSigns && <TitleSigns todo={placed} progress={progress} />}
            </span>
          </button>
        )}
        {isWithMeta && (
          <MetaLine
            todo={placed}
            today={today}
            ofDay={ofDay}
            list={list}
            progress={progress}
            tagsShown={tagsShown}
            onDue={isEdited ? undefined : (anchor) => actions.askForDates(todo, anchor)}
          />
        )}
        {Buttons && (
          <Buttons
            todo={todo}
            actions={actions}
            editor={editor}
            compact={compact}
            hasMore={hasMore}
            titleEnd={end}
          />
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
    one.amongDone === other.amongDone &&
    one.Buttons === other.Buttons &&
    one.place?.['aria-posinset'] === other.place?.['aria-posinset'] &&
    one.place?.['aria-setsize'] === other.place?.['aria-setsize'] &&
    replaceEqualDeep(one.todo, other.todo) === one.todo &&
    one.list?.name === other.list?.name &&
    one.list?.color === other.list?.color &&
    (one.today === other.today || !hasDates(one.todo))
  )
}
