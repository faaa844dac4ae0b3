import {
  ArrowDown,
  ArrowUp,
  ArrowUpToLine,
  Calendar,
  CheckCheck,
  FolderInput,
  Pencil,
  Repeat,
  SkipForward,
  Timer,
  Trash2,
} from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { useStartTimer } from '#platform/browser/start-timer.ts'
import type { Day } from '#platform/calendar/day.ts'
import { moveShown } from '#platform/order/move-shown.ts'
import type { Placed } from '#platform/order/position.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import {
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { FetchedMenu, type FetchedMenuProps } from '#platform/ui/overlays/fetched-menu.tsx'
import { settleUndoably } from '../dates/web/due-actions.ts'
import { type ChosenRows, withToggled } from '../selection/chosen-rows.ts'
import { dueOf } from '../todo/shown-todo.ts'
import type { Todo } from '../todo/todo.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'

interface RowMenuProps extends FetchedMenuProps {
  todo: Todo
  /** Whether the menu opens with the lists to move the to-do to. */
  opensWithLists: boolean
  /** The button that opened the menu. */
  button: HTMLElement
  /** The list that the to-do is in. */
  list: List | undefined
  /** The lists that the to-do can move to. */
  lists: readonly List[]
  onMoveToList(list: List | undefined): void
  /** All to-dos and the ids of those on the screen, both in order. Undefined unless to-dos are sorted manually. */
  order: { all: readonly Todo[]; shown: readonly string[] } | undefined
  onMove(to: readonly Placed[]): void
  /** Moves the to-do to the next or previous day; undefined on screens without a group for each day. */
  moveBy: ((todo: Todo, step: 1 | -1) => void) | undefined
  choose(change: (chosen: ChosenRows | undefined) => ChosenRows): void
  /** Opens the dialog for the repeat rule; undefined if this to-do cannot repeat. */
  askForRepeat: (() => void) | undefined
  todoActions: TodoActions
  /** Whether the menu opens at the pointer. */
  atPointer: boolean
  /** Actions of the row's buttons, for compact screens without these buttons and for a menu that opens on the row itself. */
  ofRow: { edit: (() => void) | undefined; askForDates(): void; remove(): void } | undefined
}

/** The menu of a row. It holds the actions that have no button in the row; on phones, it holds all actions. */
export function RowMenu({
  todo,
  button,
  list: current,
  lists,
  onMoveToList,
  order,
  onMove,
  moveBy,
  choose,
  askForRepeat,
  todoActions,
  ofRow,
  opensWithLists,
  atPointer,
  ...menu
}: RowMenuProps) {
  const startTimer = useStartTimer()
  const [choosing, setChoosing] = useState(false)
  const choosingList = choosing || opensWithLists
  const content = useRef<HTMLDivElement>(null)
  const focusFirst = useEffectEvent(() => {
    if (choosingList) content.current?.querySelector<HTMLElement>('[role=menuitemradio]')?.focus()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items that had the focus are gone
  useEffect(() => focusFirst(), [choosingList])
  // Focus the button before the action, because the action may move the focus elsewhere. The menu itself would restore the focus
  // only after the action.
  const after = (act: () => void) => () => {
    button.focus({ preventScroll: true })
    act()
  }
  // Only a to-do that may be asked for its rule has occurrences of its own.
  const openDay = askForRepeat && dueOf(todo, undefined, todoActions.today())?.open?.day
  const skip = (day: Day) => {
    todoActions.announceRows([todo.id])
    settleUndoably(todoActions, todo, day, 'skipped')
  }
  const place = order?.shown.indexOf(todo.id) ?? 0
  const moveTo =
    order && ((to: number) => after(() => onMove(moveShown(order.all, order.shown, { id: todo.id, to }))))

  return (
    <FetchedMenu
      {...menu}
      onOpenChange={(open) => {
        if (open) setChoosing(false)
        menu.onOpenChange(open)
      }}
    >
      <DropdownMenuContent
        ref={content}
        align={atPointer ? 'start' : 'end'}
        sideOffset={atPointer ? 0 : 4}
        aria-labelledby={undefined}
        aria-label={choosingList ? 'Move to' : 'More actions'}
        onPointerDownOutside={(event) => {
          // Ignore a press on the button that opened the menu: its own handler closes the menu.
          if (event.target instanceof Node && button.contains(event.target)) event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          setChoosing(false)
          // If no action has moved the focus elsewhere, return it to the button.
          if (document.activeElement === document.body) button.focus({ preventScroll: true })
        }}
      >
        {choosingList ? (
          <>
            <DropdownMenuLabel>Move to</DropdownMenuLabel>
            <DropdownMenuRadioGroup value={current?.id ?? none}>
              {lists.map((list) => (
                <DropdownMenuRadioItem
                  key={list.id}
                  value={list.id}
                  onSelect={after(() => onMoveToList(list))}
                >
                  <ColorCircle color={list.color} />
                  <bdi className="min-w-0 wrap-anywhere">{list.name}</bdi>
                </DropdownMenuRadioItem>
              ))}
              <DropdownMenuRadioItem value={none} onSelect={after(() => onMoveToList(undefined))}>
                <span className="size-2" />
                No list
              </DropdownMenuRadioItem>
            </DropdownMenuRadioGroup>
          </>
        ) : (
          <>
            {ofRow && (
              <>
                {ofRow.edit && (
                  <DropdownMenuItem onSelect={after(ofRow.edit)}>
                    <Pencil />
                    Edit task
                  </DropdownMenuItem>
                )}
                <DropdownMenuItem onSelect={after(ofRow.askForDates)}>
                  <Calendar />
                  Due date and reminder
                </DropdownMenuItem>
              </>
            )}
            {order && moveTo && (
              <>
                <DropdownMenuItem onSelect={moveTo(0)}>
                  <ArrowUpToLine />
                  Move to top
                </DropdownMenuItem>
                <DropdownMenuItem disabled={place === 0} onSelect={moveTo(place - 1)}>
                  <ArrowUp />
                  Move up
                </DropdownMenuItem>
                <DropdownMenuItem disabled={place === order.shown.length - 1} onSelect={moveTo(place + 1)}>
                  <ArrowDown />
                  Move down
                </DropdownMenuItem>
              </>
            )}
            {moveBy && (
              <>
                <DropdownMenuItem onSelect={after(() => moveBy(todo, -1))}>
                  <ArrowUp />
                  Move to previous day
                </DropdownMenuItem>
                <DropdownMenuItem onSelect={after(() => moveBy(todo, 1))}>
                  <ArrowDown />
                  Move to next day
                </DropdownMenuItem>
              </>
            )}
            {askForRepeat && (
              <DropdownMenuItem onSelect={after(askForRepeat)}>
                <Repeat />
                Repeat…
              </DropdownMenuItem>
            )}
            {openDay !== undefined && (
              <DropdownMenuItem onSelect={after(() => skip(openDay))}>
                <SkipForward />
                Skip this time
              </DropdownMenuItem>
            )}
            {lists.length > 0 && (
              <DropdownMenuItem
                onSelect={(event) => {
                  event.preventDefault()
                  setChoosing(true)
                }}
              >
                <FolderInput />
                Move to …
              </DropdownMenuItem>
            )}
            {todo.completed === 0 && (
              <DropdownMenuItem onSelect={after(() => startTimer({ todo_id: todo.id }))}>
                <Timer />
                Start the timer
              </DropdownMenuItem>
            )}
            <DropdownMenuItem onSelect={after(() => choose((chosen) => withToggled(chosen, todo.id)))}>
              <CheckCheck />
              Select
            </DropdownMenuItem>
            {ofRow && (
              <DropdownMenuItem onSelect={after(ofRow.remove)}>
                <Trash2 />
                Delete task
              </DropdownMenuItem>
            )}
          </>
        )}
      </DropdownMenuContent>
    </FetchedMenu>
  )
}

/** The value for 'No list' in the radio group. */
const none = ''
