import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { movingByItself } from '#platform/browser/keyboard/typing-state.ts'
import { focusNextUnticked } from '#platform/browser/rows/focus-next-unticked.ts'
import type { Aim } from '#platform/browser/rows/note-aim.ts'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import { counted } from '#platform/format/words.ts'
import type { HeldRow } from '#platform/sync/collections/held-rows.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { DayMoves } from '../dates/web/day-moves.ts'
import { ruleOf } from '../repeat/rule/repeat-rule.ts'
import type { BoardActions, DetailsEntry } from '../row/board-actions.ts'
import type { RowMenuRequest } from '../row/row-actions.ts'
import { RowKeys } from '../row/row-keys.tsx'
import { RowSwipes } from '../row/row-swipes.tsx'
import type { ChosenRows } from '../selection/chosen-rows.ts'
import { listOf } from '../todo/in-list.ts'
import { parentOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import { moveTask, moveTaskByDay } from '../todo/web/todo-shortcuts.ts'
import { useRowMenu } from './use-row-menu.ts'

/** The to-do for which dates are to be picked, the element beside which, and what the picker shows first. */
export interface DatesRequest {
  todo: Todo
  anchor: HTMLElement
  first: 'due' | 'reminder'
}

interface BoardToolsProps {
  board: RefObject<HTMLElement | null>
  openList: RefObject<HTMLUListElement | null>
  /** The open to-dos, in the order shown. */
  shown: readonly Todo[]
  /** Any value that is different once other rows have arrived. */
  arrived: unknown
  /** Every to-do on this device. */
  todos: readonly Todo[]
  byId: ReadonlyMap<string, Todo>
  listById: ReadonlyMap<string, List>
  /** The lists that a to-do can move to. */
  listsFor(todo: Todo): readonly List[]
  /** Moves rows between days, on a board whose groups are days. */
  days: DayMoves | undefined
  /** Whether the rows are in the person's own order. */
  isManual: boolean
  compact: boolean
  actions: BoardActions
  todoActions: TodoActions
  /** Receives the function that opens the menu of a row. */
  rowMenu: RefObject<(request: RowMenuRequest) => void>
  /** Each new object opens the picker of dates. */
  dated: DatesRequest | undefined
  /** Each new object opens the dialog of repeat rules. */
  repeated: { todo: Todo } | undefined
  askForRepeat(todo: Todo): void
  beginGlide: RefObject<() => void>
  /** Receives what is to be called just before rows are no longer held in their places. */
  letGo: RefObject<(held: readonly HeldRow<Todo>[]) => void>
  placedBy: PlacedBy
  /** Receives what moves the focus to the next row that can be completed. */
  focusNext: RefObject<() => void>
  aim: RefObject<Aim>
  chosen: ChosenRows | undefined
  choose(change: (chosen: ChosenRows | undefined) => ChosenRows): void
  /** The id of the to-do whose details are shown. */
  detailed: string | undefined
  showDetails(todo: Todo, at?: DetailsEntry['at']): void
  closeDetails(): void
}

/** What can be done to the rows of a board besides ticking and opening them. Comes once they are drawn. */
export function BoardTools(props: BoardToolsProps) {
  const { board, shown, todos, byId, listById, listsFor, days, isManual, compact } = props
  const { actions, todoActions, chosen, choose, detailed } = props
  const { onReminderSet } = useScreenServices()
  const rowMenu = useRowMenu(board)
  useLayoutEffect(() => {
    props.rowMenu.current = rowMenu.open
  }, [props.rowMenu, rowMenu.open])
  useLayoutEffect(() => {
    // The board may contain habits, which are not the next task to focus.
    props.focusNext.current = () => focusNextUnticked(board.current, (id) => byId.get(id)?.completed === 0)
    props.letGo.current = (held) => {
      const leaving = held.filter(
        ({ row: { id }, place }) => place && isElsewhere(place, byId.get(id), props.placedBy),
      )
      const goOn = () => moveFocusFromRows((id) => leaving.some(({ row }) => row.id === id))
      if (leaving.every(({ own }) => own)) goOn()
      else movingByItself(goOn)
      props.beginGlide.current()
      // A tick was announced at once. That leaves rows whose priority the person changed.
      const moved = leaving.filter(({ own, place, row }) => own && place?.priority !== row.priority).length
      if (moved > 0) announce(moved === 1 ? 'Task moved' : `${counted(moved, 'task')} moved`)
    }
  })
  const dated = useRequest(props.dated)
  const repeated = useRequest(props.repeated)
  const DuePicker = usePart(LazyDuePicker, dated.isOpen)
  const RepeatDialog = usePart(LazyRepeatDialog, repeated.isOpen)
  const mayMove = isManual || days !== undefined
  const Glide = usePart(LazyGlide, true)
  const RowGrip = usePart(LazyRowGrip, mayMove)
  const RowContextMenu = usePart(LazyRowContextMenu, false)
  const Several = usePart(LazySeveralTasks, false)
  const lists = useMemo(
    () => [...listById.values()].filter(({ archived_at }) => archived_at === null),
    [listById],
  )
  const withTodo = (id: string, act: (todo: Todo) => void) => {
    const todo = byId.get(id)
    if (todo) act(todo)
  }
  // A subtask repeats with its parent only. A rule written by a newer version of the app must stay unchanged.
  const mayRepeat = (todo: Todo) =>
    todo.completed === 0 &&
    !parentOf(todo, byId) &&
    (todo.repeat === null || ruleOf(todo.repeat) !== undefined)
  const current = (todo: Todo) => byId.get(todo.id) ?? todo
  const { of } = rowMenu
  const todo = of && current(of.todo)

  return (
    <>
      {RowGrip && mayMove && shown.length > 0 && (
        <RowGrip
          board={board}
          list={isManual ? props.openList : undefined}
          shown={shown}
          allRows={todoActions.allTodos}
          nameOf={(id) => byId.get(id)?.title ?? ''}
          kind="todo"
          keys={moveTask}
          onMove={(id, to) => withTodo(id, (todo) => actions.move(todo, to))}
          days={
            days && {
              keys: moveTaskByDay,
              moveTo: (id, day) => withTodo(id, (todo) => days.moveTo(todo, day)),
              moveBy: (id, step) => withTodo(id, (todo) => days.moveBy(todo, step)),
            }
          }
        />
      )}
      {RowContextMenu && <RowContextMenu board={board} todos={todos} openMenu={rowMenu.open} />}
      {compact && <RowSwipes board={board} todos={todos} actions={actions} />}
      {rowMenu.Menu && of && todo && (
        <span className="pointer-events-none absolute" style={rowMenu.place}>
          <rowMenu.Menu
            {...rowMenu.menu}
            todo={todo}
            opensWithLists={of.choosingList ?? false}
            button={of.button}
            list={listOf(todo, listById)}
            lists={listsFor(todo)}
            onMoveToList={(to) => actions.moveToList(todo, { from: listOf(todo, listById), to })}
            order={
              isManual && todo.completed === 0 ? { all: todos, shown: shown.map(({ id }) => id) } : undefined
            }
            onMove={(to) => actions.move(todo, to)}
            moveBy={days?.moveBy}
            choose={choose}
            todoActions={todoActions}
            askForRepeat={mayRepeat(todo) ? () => props.askForRepeat(todo) : undefined}
            atPointer={of.at !== undefined}
            ofRow={
              of.onRow || (compact && of.edit)
                ? {
                    edit: of.edit,
                    askForDates: () => actions.askForDates(todo, of.button),
                    remove: () => actions.remove(todo),
                  }
                : undefined
            }
          />
        </span>
      )}
      {Glide && <Glide container={board} rows={props.arrived} begin={props.beginGlide} aim={props.aim} />}
      {Several && (
        <Several
          board={board}
          todos={todos}
          todoActions={todoActions}
          chosen={chosen}
          choose={choose}
          lists={lists}
          hold={actions.hold}
          detailed={detailed !== undefined}
        />
      )}
      <RowKeys
        board={board}
        todos={todos}
        detailed={detailed}
        showDetails={props.showDetails}
        closeDetails={props.closeDetails}
        askForDates={actions.askForDates}
        openMenu={rowMenu.open}
        raisePriority={actions.raisePriority}
        remove={actions.remove}
      />
      {DuePicker && dated.request && (
        <DuePicker
          todo={current(dated.request.todo)}
          actions={todoActions}
          open={dated.isOpen}
          anchor={dated.request.anchor}
          first={dated.request.first}
          onClose={dated.close}
          save={(changes) => {
            if (dated.request) actions.edit(current(dated.request.todo), changes)
            if (changes.remind_at || changes.reminder) onReminderSet()
          }}
        />
      )}
      {RepeatDialog && repeated.request && (
        <RepeatDialog
          todo={current(repeated.request.todo)}
          actions={todoActions}
          open={repeated.isOpen}
          onClose={repeated.close}
          save={(changes) => repeated.request && actions.edit(current(repeated.request.todo), changes)}
        />
      )}
    </>
  )
}

/** What gives a to-do its place on the board. */
interface PlacedBy {
  sort: TodoSort
  /** Set if a view decides, instead of a list or a sort. */
  view: object | undefined
  list: List | undefined
}

/**
 * Whether a row must move, because a change put its to-do into another group or list. `place`: the to-do as it was when the row
 * got its place. `now`: the current to-do; undefined if it was deleted.
 */
function isElsewhere(place: Todo, now: Todo | undefined, { sort, view, list }: PlacedBy): boolean {
  return (
    now === undefined ||
    place.completed !== now.completed ||
    ((sort === 'due' || view !== undefined) && place.due_day !== now.due_day) ||
    (sort === 'priority' && place.priority !== now.priority) ||
    (list !== undefined && place.list_id !== now.list_id)
  )
}

/** Open from each new request until it is closed. The request stays while what it opened closes. */
function useRequest<Request>(request: Request | undefined) {
  const [closed, setClosed] = useState<Request>()
  return {
    request,
    isOpen: request !== undefined && request !== closed,
    close: () => setClosed(() => request),
  }
}

// Not imported at once: it comes in one file with other parts of the screen, for which these must not wait.
const LazyGlide = lazyPart(() => import('#platform/ui/rows/glide.tsx'), 'Glide', 'with the screen')
const LazyDuePicker = lazyPart(() => import('../dates/web/due-picker.tsx'), 'DuePicker', 'with the screen')
const LazyRepeatDialog = lazyPart(
  () => import('../repeat/picker/repeat-dialog.tsx'),
  'RepeatDialog',
  'with the screen',
)
const LazyRowGrip = lazyPart(() => import('#platform/ui/rows/row-grip.tsx'), 'RowGrip', 'after the screen')
const LazyRowContextMenu = lazyPart(
  () => import('../row/row-context-menu.tsx'),
  'RowContextMenu',
  'after the screen',
)
const LazySeveralTasks = lazyPart(
  () => import('../selection/several-tasks.tsx'),
  'SeveralTasks',
  'after the screen',
)
