import { ChevronDown } from 'lucide-react'
import { type ReactNode, useCallback, useId, useMemo, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { keyShortcutsOf } from '#platform/browser/keyboard/shortcuts.ts'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import type { HeldRow } from '#platform/sync/collections/held-rows.ts'
import type { CollectionState } from '#platform/sync/react/use-collection.ts'
import { useHeldRows } from '#platform/sync/react/use-held-rows.ts'
import { cn } from '#platform/ui/class-names.ts'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { mostFound } from '#platform/ui/rows/built-rows.ts'
import { RowList, type RowPlace } from '#platform/ui/rows/row-list.tsx'
import type { Sought } from '#platform/ui/search/screen-search-props.ts'
import { useDoneToday } from '../completed/web/use-done-today.ts'
import type { DayMoves } from '../dates/web/day-moves.ts'
import { dueGroupNames } from '../dates/web/format-due.ts'
import { TaskForm } from '../quick-add/field/task-form.tsx'
import { boardActions, type DetailsEntry } from '../row/board-actions.ts'
import type { RowMenuRequest } from '../row/row-actions.ts'
import { useRowColumns } from '../row/row-columns.ts'
import { TodoRow } from '../row/todo-row.tsx'
import type { ChosenRows } from '../selection/chosen-rows.ts'
import { completedShown, listOf, todosShown } from '../todo/in-list.ts'
import { listIdOf, parentOf, progressOf, subtasksOf } from '../todo/subtasks.ts'
import { hasTag } from '../todo/tags.ts'
import type { CompletedTotals, Todo } from '../todo/todo.ts'
import { priorityNames } from '../todo/web/priority-sign.tsx'
import { moveTask } from '../todo/web/todo-shortcuts.ts'
import { useTodoActions } from '../todo/web/use-todo-actions.ts'
import type { DatesRequest } from './board-tools.tsx'
import { useCompactRows } from './compact-rows.ts'
import { ShowAll } from './show-all.tsx'
import { groupByDue, groupByPriority, groupTodos } from './todo-groups.ts'
import { useDetails } from './use-details.ts'

/** A view that decides which to-dos the board shows, and how it groups them. */
export interface BoardView {
  /** The placeholder of the field for a new task. */
  prompt: string
  /** The due day of new to-dos, unless the person chooses another. */
  due: Day
  /**
   * Whether the view shows a to-do. `place` is the to-do as it was when its row got its place: a changed row stays in place for a
   * moment.
   */
  shows(place: Todo): boolean
  groups(
    open: readonly Todo[],
    placeOf: (todo: Todo) => Todo,
    showDetails: (todo: Todo, at?: DetailsEntry['at']) => void,
    isSought: ((todo: Todo) => boolean) | undefined,
  ): OpenGroup[]
  /** Later occurrences of repeating to-dos, shown in addition to the open to-dos. */
  again?: readonly Todo[]
  /** Moves rows between days. Set if each group of the view is one day. */
  days?: DayMoves
}

export interface OpenGroup {
  name: string
  todos: readonly Todo[]
  /** Shown beside the name. */
  action?: ReactNode
  /** Shown below the rows. With `days`, the element must have its day as `data-day`. */
  after?: ReactNode
}

interface TodoBoardProps extends Pick<CollectionState<Todo>, 'server' | 'queued'> {
  /** Every to-do that is stored on this device. */
  todos: readonly Todo[]
  /** How many completed to-dos are not stored on this device; undefined until known. */
  elsewhere: CompletedTotals | undefined
  /** The list whose to-dos are shown; undefined shows the to-dos of all lists. */
  list: List | undefined
  /** The tag whose to-dos are shown; undefined shows all. */
  tag: string | undefined
  /** Replaces the usual choice and grouping of to-dos. */
  view?: BoardView
  /** Shown in a view that has no open to-dos. */
  empty?: ReactNode
  /** Shown in a view between the open and the completed to-dos. */
  between?: ReactNode
  /** How many entries of `between` the current search matches. */
  betweenCount?: number
  /** Called when the search on this screen changes, so that `between` can follow; undefined when there is no search. */
  onSearch?(hasTexts: Sought<Todo>['hasTexts'] | undefined): void
  lists: readonly List[]
  sort: TodoSort
  /** Whether the server has responded since this page was opened. */
  isRead: boolean
  /** Shown instead of tasks that couldn't be loaded. */
  failure: ReactNode
}

/** The field for a new task, followed by the open to-dos and a muted group of completed ones. */
export function TodoBoard(props: TodoBoardProps) {
  const { todos, elsewhere, list, tag, view, lists, sort, isRead, failure } = props
  const { onReminderSet, reminderQuestion } = useScreenServices()
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const isDoneToday = useDoneToday()
  const compact = useCompactRows()
  const [dated, setDated] = useState<DatesRequest>()
  const board = useRef<HTMLDivElement>(null)
  const openList = useRef<HTMLUListElement>(null)
  const beginGlide = useRef(() => {})
  const focusNext = useRef(() => {})
  const letGo = useRef((_: readonly HeldRow<Todo>[]) => {})
  const glide = useCallback(() => beginGlide.current(), [])
  const { rows, placeOf, holdsAny, aim, hold, release } = useHeldRows({
    container: board,
    rows: todos,
    server: props.server,
    queued: props.queued,
    onMove: glide,
    onLetGo: (held) => letGo.current(held),
  })
  const [sought, setSought] = useState<Sought<Todo>>()
  const Search = usePart(LazyTodoSearchField, false)
  const Buttons = usePart(LazyRowButtons, true)
  const listById = useMemo(() => new Map(lists.map((each) => [each.id, each])), [lists])
  const families = useMemo(() => subtasksOf(todos), [todos])
  const byId = useMemo(() => new Map(todos.map((todo) => [todo.id, todo])), [todos])
  const everything = useMemo(() => {
    // Held rows keep their places even if their to-dos are gone.
    const heldBack = new Map(rows.filter(({ id }) => !byId.has(id)).map((todo) => [todo.id, todo]))
    const placeById = {
      get(id: string) {
        const todo = byId.get(id) ?? heldBack.get(id)
        return todo && placeOf(todo)
      },
    }
    let boardSize = 0
    // A subtask belongs to the list of its parent.
    const places = rows.flatMap((todo) => {
      const place = placeOf(todo)
      const parent = parentOf(place, placeById)
      const isShown = view ? view.shows(place) : tag === undefined ? !parent : hasTag(place.tags, tag)
      if (!isShown) return []
      boardSize++
      return { todo, list_id: (parent ?? place).list_id }
    })
    const shown = todosShown(places, listById, list).map(({ todo }) => todo)
    return { ...groupTodos(shown, { placeOf, sort }), boardSize }
  }, [rows, placeOf, byId, tag, view, listById, list, sort])
  const { open, completed } = useMemo(() => {
    if (!sought) return everything
    const { open, completed } = everything
    // A row that is held in its place is searched as it was when it got there.
    const held = holdsAny ? placeOf : undefined
    return { open: sought.among(open, held), completed: sought.among(completed, held) }
  }, [everything, sought, holdsAny, placeOf])
  const doneToday = useMemo(
    () => completed.filter((todo) => isDoneToday(placeOf(todo))),
    [completed, placeOf, isDoneToday],
  )
  const doneShown = tag === undefined ? doneToday : completed
  const completedCount =
    view || sought
      ? doneShown.length
      : completed.length + (elsewhere ? completedShown(elsewhere, listById, list) : 0)
  const again = sought ? (view?.again?.filter(sought.has) ?? []) : []
  const foundCount = sought
    ? new Set([...open, ...doneShown, ...again].map(({ id }) => id)).size + (props.betweenCount ?? 0)
    : 0
  const grouping =
    (sort === 'due' && open.some(({ due_day }) => due_day !== null)) ||
    (sort === 'priority' && open.some(({ priority }) => priority > 0))
      ? sort
      : undefined
  const [grouped, setGrouped] = useState(grouping)
  // Do not regroup while rows are held in place: their elements would move to another list, and text being typed in them would be
  // lost.
  if (grouped !== grouping && !holdsAny) setGrouped(grouping)
  const details = useDetails()
  const [entry, setEntry] = useState<DetailsEntry>()
  const showDetails = useCallback(
    ({ id }: Pick<Todo, 'id'>, at?: DetailsEntry['at']) => {
      details.show(id)
      setEntry({ at })
    },
    [details.show],
  )
  const groups: OpenGroup[] | undefined = useMemo(() => {
    if (view) return view.groups(open, placeOf, showDetails, sought?.has)
    if (grouped === 'due')
      return groupByDue(open, { today, weekStart, placeOf }).map(({ dueGroup, todos }) => ({
        name: dueGroupNames[dueGroup],
        todos,
      }))
    if (grouped === 'priority')
      return groupByPriority(open, placeOf).map(({ priority, todos }) => ({
        name: priority === 0 ? 'No priority' : priorityNames[priority],
        todos,
      }))
  }, [open, view, grouped, today, weekStart, placeOf, showDetails, sought])
  const askForDates = useCallback((todo: Todo, anchor: HTMLElement, first: 'due' | 'reminder' = 'due') => {
    setDated({ todo, anchor, first })
  }, [])
  const [repeated, setRepeated] = useState<{ todo: Todo }>()
  const askForRepeat = (todo: Todo) => setRepeated({ todo })
  const todoActions = useTodoActions(todos)
  const rowMenu = useRef((_: RowMenuRequest) => {})
  const openMenu = useCallback((request: RowMenuRequest) => rowMenu.current(request), [])
  const listShown = list?.id
  const actions = useMemo(
    () =>
      boardActions(todoActions, {
        shown: { list: listShown, tag },
        hold,
        release,
        glide,
        showDetails,
        askForDates,
        openMenu,
        focusNext: () => focusNext.current(),
      }),
    [todoActions, listShown, tag, hold, release, glide, showDetails, askForDates, openMenu],
  )
  const Details = usePart(LazyTodoDetails, details.id !== undefined)
  const Tools = usePart(LazyBoardTools, true)

  const isManual = sort === 'manual' && groups === undefined
  const listsToMoveTo = useMemo(() => lists.filter(({ archived_at }) => archived_at === null), [lists])
  const mayMove = isManual || view?.days !== undefined
  // A subtask stays with its parent and cannot move to a list alone.
  const listsFor = (todo: Todo) => (parentOf(todo, byId) ? [] : listsToMoveTo)
  const listShownOf = useCallback(
    (todo: Todo) => listOf({ list_id: listIdOf(todo, byId) }, listById),
    [byId, listById],
  )
  const hasList = useCallback((todo: Todo) => listShownOf(todo) !== undefined, [listShownOf])
  const columns = useRowColumns({
    open,
    done: doneShown,
    ofList: list !== undefined,
    hasList,
    page: `${listShown} ${tag}`,
  })
  const ofRows = { today, actions, compact, tagsShown: list ? 2 : 1, Buttons }
  const [chosen, setChosen] = useState<ChosenRows>()
  // During a search, a long board stays a long one, so that its rows keep their elements from key to key.
  const total = sought ? everything.boardSize : open.length + doneShown.length
  const rowOf = (todo: Todo, place?: RowPlace, key = todo.id) => {
    const subtasks = families.byParent.get(todo.id)
    const { done, of } = progressOf(subtasks ?? [])
    const isMovable = mayMove && todo.completed === 0
    return (
      <TodoRow
        key={key}
        todo={todo}
        list={list ? undefined : listShownOf(todo)}
        hasMore={isMovable || todo.repeat !== null || listsFor(todo).length > 0}
        progress={subtasks && `${done}/${of}`}
        keys={isMovable ? keyShortcutsOf(moveTask) : undefined}
        detailed={todo.id === details.id}
        chosen={chosen?.ids.has(todo.id) === true && byId.has(todo.id)}
        amongDone={placeOf(todo).completed === 1}
        ofDay={view?.days ? todo.due_day : view?.due}
        place={place}
        {...ofRows}
      />
    )
  }

  return (
    <>
      <TaskForm
        add={(task, list) => {
          const added = actions.add(task, list)
          // Call this in the same tick, so that the rows make room for the new row and the reminder question at once.
          if (task.reminder) onReminderSet()
          return added
        }}
        addAll={actions.addAll}
        lists={listsToMoveTo}
        prompt={view?.prompt ?? (list ? `Add a task to ${list.name}...` : 'Add a new task...')}
        dueUnlessChosen={view?.due}
        away={chosen !== undefined && [...chosen.ids].some((id) => byId.has(id))}
      />
      {reminderQuestion}
      {Search && (
        <Search
          withMore={props.between !== undefined}
          takesFind={everything.boardSize > mostFound}
          count={foundCount}
          show={(now) => {
            setSought(now)
            props.onSearch?.(now?.hasTexts)
          }}
        />
      )}
      <div
        ref={board}
        className={cn(
          '@container/board relative isolate mt-4 text-body [--pad:8px] pointer-coarse:touch-pan-y pointer-coarse:[--pad:14px] pointer-coarse:touch-pinch-zoom',
          columns,
          compact && '[--menu:36px] pointer-coarse:[--menu:42px]',
        )}
      >
        {groups?.map((group, index) => (
          <Group
            key={group.name}
            count={group.todos.length}
            draw={rowOf}
            total={total}
            above={groups.slice(0, index).reduce((sum, { todos }) => sum + todos.length, 0)}
            {...group}
          />
        ))}
        {!groups && open.length > 0 && (
          <RowList
            ref={openList}
            rows={open}
            draw={rowOf}
            total={total}
            above={0}
            aria-label="Open tasks"
            className={rowsLook}
          />
        )}
        {view && !failure && !sought && open.length === 0 && props.empty}
        {props.between}
        {!view && !failure && !sought && open.length === 0 && completedCount > 0 && (
          <p className="py-2 text-ink-3">Nothing left to do.</p>
        )}
        {completedCount > 0 && (
          <Group
            name={view ? 'Done' : 'Completed'}
            count={completedCount}
            folds={view !== undefined && !sought}
            todos={doneShown}
            draw={rowOf}
            total={total}
            above={open.length}
            after={
              tag === undefined &&
              !sought &&
              completedCount > doneToday.length && <ShowAll count={completedCount} list={list} />
            }
          />
        )}
        {!view && !failure && !sought && open.length === 0 && completedCount === 0 && (
          <EmptyState
            sentence={
              list
                ? 'No tasks in this list yet. Add the first one.'
                : tag === undefined
                  ? 'No tasks yet. Add your first one.'
                  : 'No tasks have this tag. What you add here gets it.'
            }
            className="mt-20 max-md:mt-14"
          />
        )}
        {failure && <div className="mt-20 max-md:mt-14">{failure}</div>}
        {Tools && (
          <Tools
            board={board}
            openList={openList}
            shown={open}
            arrived={groups ?? open}
            todos={todos}
            byId={byId}
            listById={listById}
            listsFor={listsFor}
            days={view?.days}
            isManual={isManual}
            compact={compact}
            actions={actions}
            todoActions={todoActions}
            rowMenu={rowMenu}
            dated={dated}
            repeated={repeated}
            askForRepeat={askForRepeat}
            beginGlide={beginGlide}
            letGo={letGo}
            focusNext={focusNext}
            placedBy={{ sort, view, list }}
            aim={aim}
            chosen={chosen}
            choose={setChosen}
            detailed={details.id}
            showDetails={showDetails}
            closeDetails={details.close}
          />
        )}
      </div>
      {Details && (
        <Details
          id={details.id}
          entry={entry}
          todos={todos}
          families={families}
          lists={lists}
          actions={actions}
          todoActions={todoActions}
          onPickDue={askForDates}
          onPickReminder={(todo, anchor) => askForDates(todo, anchor, 'reminder')}
          onPickRepeat={askForRepeat}
          isRead={isRead}
          onShow={(id, at) => showDetails({ id }, at)}
          onClose={details.close}
        />
      )}
    </>
  )
}

const LazyTodoDetails = lazyPart(
  () => import('../details/todo-details.tsx'),
  'TodoDetails',
  'after the screen',
)
const LazyTodoSearchField = lazyPart(() => import('./todo-search-field.tsx'), 'TodoSearch', 'with the screen')
const LazyRowButtons = lazyPart(() => import('../row/row-buttons.tsx'), 'RowButtons', 'with the screen')
const LazyBoardTools = lazyPart(() => import('./board-tools.tsx'), 'BoardTools', 'with the screen')

// A long press selects or drags a row. Keep it from selecting text.
const rowsLook =
  "[list-style-type:''] pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] pointer-coarse:[&_input]:select-text"

interface GroupProps
  extends OpenGroup,
    Pick<Parameters<typeof RowList<Todo>>[0], 'draw' | 'total' | 'above'> {
  count: number
  /** Whether the group stays folded until the person unfolds it. */
  folds?: boolean
}

function Group({ name, count, action, folds = false, todos, after, ...rows }: GroupProps) {
  const heading = useId()
  const [unfolded, setUnfolded] = useState(false)
  const words = (
    <>
      {name}{' '}
      <span className="ml-1 font-normal text-ink-3 tabular-nums">
        {count > 0 && integerFormat.format(count)}
      </span>
    </>
  )
  return (
    <section aria-labelledby={heading}>
      <div className="mt-4 mb-1 flex items-center">
        <h2 id={heading} className="py-0.5 text-control font-medium text-ink-2">
          {folds ? (
            <button
              type="button"
              aria-expanded={unfolded}
              onClick={() => setUnfolded(!unfolded)}
              className="-mx-0.5 flex min-h-10 items-center rounded-control pr-2 pointer-coarse:min-h-11"
            >
              <ChevronDown size={18} className={cn('mr-4', !unfolded && '-rotate-90')} />
              {words}
            </button>
          ) : (
            words
          )}
        </h2>
        {action}
      </div>
      {todos.length > 0 && (!folds || unfolded) && (
        <RowList rows={todos} aria-labelledby={heading} className={rowsLook} {...rows} />
      )}
      {after}
    </section>
  )
}
