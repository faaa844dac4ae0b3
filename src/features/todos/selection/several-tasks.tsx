import { Calendar, CheckCheck, FolderInput, Hash } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { isPressed, type Shortcut, useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import { rowIdsIn } from '#platform/browser/rows/row-elements.ts'
import { moveFocusFromRows, returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { DatePicker } from '#platform/ui/dates/date-picker.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { Popover, PopoverContent } from '#platform/ui/overlays/popover.tsx'
import { dateAll } from '../dates/web/due-actions.ts'
import { TagField, useTypedTag } from '../tags/web/tag-field.tsx'
import type { Todo } from '../todo/todo.ts'
import { isDeletion } from '../todo/web/delete-key.ts'
import { titlesOf } from '../todo/web/titles-of.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import {
  chooseAll,
  dueDateOfTask,
  endChoice,
  extendChoice,
  listOfTask,
  tagChosen,
} from '../todo/web/todo-shortcuts.ts'
import { chooseByPointer } from './choose-by-pointer.ts'
import { chosenActions } from './chosen-actions.ts'
import {
  type ChosenRows,
  noRows,
  rowInPlaceOf,
  withAll,
  withoutGone,
  withRangeTo,
  withToggled,
} from './chosen-rows.ts'
import { BarButton, SelectionBar } from './selection-bar.tsx'
import { useSaidInBar } from './use-said-in-bar.ts'

interface SeveralTasksProps {
  board: RefObject<HTMLElement | null>
  /** Every to-do that is stored on this device. */
  todos: readonly Todo[]
  todoActions: TodoActions
  /** Undefined until something is selected. */
  chosen: ChosenRows | undefined
  choose(change: (chosen: ChosenRows | undefined) => ChosenRows): void
  /** The lists that the selected to-dos can move to. */
  lists: readonly List[]
  /** Keeps a row in its place for a moment, whatever happens to the to-do. */
  hold(todo: Todo): void
  /** Whether the details of a task are open. */
  detailed: boolean
}

type Asked = 'date' | 'list' | 'tag'

/** Lets the person select rows by keys, pointer and touch, and shows a bar with the actions on all of them. */
export function SeveralTasks({
  board: boardRef,
  todos,
  todoActions,
  chosen = noRows,
  choose,
  lists,
  hold,
  detailed,
}: SeveralTasksProps) {
  const singleKeys = useSingleKeys()
  const { said, actions: inBar, remark, forget, sayInToast } = useSaidInBar(todoActions)
  const actions = chosenActions(inBar)
  const bar = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<Asked>()
  /** The row on which a key opened the dialog; undefined if the bar opened it. */
  const [from, setFrom] = useState<string>()
  /** The ids of the rows, in order, when the dialog was opened. */
  const before = useRef<readonly string[]>([])
  const [dateButton, setDateButton] = useState<HTMLElement | null>(null)
  const [tagButton, setTagButton] = useState<HTMLElement | null>(null)
  /** Whether the space bar is down after completing the selected rows. */
  const completing = useRef(false)
  const rows = chosen.ids.size === 0 ? [] : todos.filter(({ id }) => chosen.ids.has(id))

  // Deselect rows that are no longer shown, so that no action affects rows out of sight.
  useEffect(() => {
    if (chosen.ids.size === 0) {
      forget()
      stopAsking()
      return
    }
    const shown = new Set(rowIdsIn(boardRef.current))
    if (![...chosen.ids].some((id) => shown.has(id))) {
      sayInToast()
      leaveBar()
    }
    choose((now = noRows) => withoutGone(now, (id) => shown.has(id)))
  })

  const shownIds = () => {
    const ids = new Set(todos.map(({ id }) => id))
    return rowIdsIn(boardRef.current).filter((id) => ids.has(id))
  }
  const change = (next: (chosen: ChosenRows | undefined) => ChosenRows) => {
    choose(next)
    announce(wordsFor(next(chosen).ids.size))
  }
  const end = () => {
    setAsked(undefined)
    change(() => noRows)
  }
  const selectAll = () => {
    const open = new Set(todos.filter(({ completed }) => completed === 0).map((todo) => todo.id))
    change(() => withAll(shownIds().filter((id) => open.has(id))))
  }
  /** Moves the focus to a row, or if an action took it off the board, to the row in its place. */
  const returnToRow = (id: string) => {
    const shown = rowIdsIn(boardRef.current)
    returnFocusToRow(rowInPlaceOf(id, { before: before.current, shown }) ?? id)
  }
  /** Before the bar disappears, moves the focus from the bar to the first selected row. */
  const leaveBar = () => {
    const [first] = rows
    const active = document.activeElement
    if (!first || !active) return
    if (active === document.body || bar.current?.contains(active) || active.closest('[role=menu]'))
      returnToRow(first.id)
  }
  const complete = () => {
    leaveBar()
    for (const todo of rows.filter(({ completed }) => completed === 0)) hold(todo)
    chosenActions(todoActions).complete(rows)
    choose(() => noRows)
  }
  const remove = () => {
    leaveBar()
    moveFocusFromRows((id) => chosen.ids.has(id))
    chosenActions(todoActions).remove(rows)
    choose(() => noRows)
  }
  const ask = (what: Asked, row?: string) => {
    before.current = rowIdsIn(boardRef.current)
    setFrom(row)
    setAsked(what)
  }
  const stopAsking = () => setAsked(undefined)
  /** Returns the focus to the row on which a key was pressed, or else to the button in the bar. */
  const returnFocus = (button: HTMLElement) => {
    if (from !== undefined) returnToRow(from)
    else if (button.isConnected) button.focus()
    else if (rows[0]) returnToRow(rows[0].id)
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    const box = event.target
    if (!(box instanceof HTMLElement) || !box.matches('[data-row] :is([type=checkbox], [data-title])')) return
    const id = box.closest<HTMLElement>('[data-row]')?.dataset.row
    const todo = todos.find((each) => each.id === id)
    if (!todo || !act(event, todo)) return
    // Keep the row and its checkbox from handling the key too.
    event.preventDefault()
    event.stopPropagation()
  })
  /** Handles the key if it concerns the selection. Returns whether it does. */
  const act = (event: KeyboardEvent, { id }: Todo): boolean => {
    const is = (shortcut: Shortcut) => isPressed(shortcut, event)
    const isSingle = (shortcut: Shortcut) => singleKeys.on && is(shortcut)
    if (is(extendChoice)) {
      const shown = shownIds()
      const to = shown[shown.indexOf(id) + (event.key === 'ArrowUp' ? -1 : 1)]
      if (to === undefined) return true
      change((now = noRows) => withRangeTo(now, shown, { from: id, to }))
      returnFocusToRow(to)
      return true
    }
    if (is(chooseAll)) {
      selectAll()
      return true
    }
    if (chosen.ids.size === 0) return false
    if (is(endChoice)) end()
    // Not this row alone: the person has the selected ones in mind.
    else if (!chosen.ids.has(id)) return isDeletion(event)
    else if (event.key === ' ') event.repeat || complete()
    else if (isDeletion(event)) event.repeat || remove()
    else if (isSingle(dueDateOfTask)) ask('date', id)
    else if (isSingle(listOfTask)) ask('list', id)
    else if (isSingle(tagChosen)) ask('tag', id)
    else return false
    return true
  }
  // Firefox ticks the box when the space bar comes up, even if the key press was prevented.
  const release = useEffectEvent((event: KeyboardEvent) => {
    const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-row]')
    if (event.key === ' ' && row && completing.current) event.preventDefault()
    if (event.key === ' ') completing.current = false
  })
  const isChoosing = useEffectEvent(() => chosen.ids.size > 0)
  const isTodo = useEffectEvent((id: string) => todos.some((todo) => todo.id === id))
  const toggle = useEffectEvent((id: string) => change((now) => withToggled(now, id)))
  const extend = useEffectEvent((to: string) => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
    change((now = noRows) => withRangeTo(now, shownIds(), { from: focused ?? to, to }))
  })

  useEffect(() => {
    const board = boardRef.current
    if (!board) return
    const events = new AbortController()
    const options = { capture: true, signal: events.signal }
    board.addEventListener(
      'keydown',
      (event) => {
        press(event)
        completing.current = event.key === ' ' && event.defaultPrevented
      },
      options,
    )
    board.addEventListener('keyup', (event) => release(event), options)
    const byPointer = chooseByPointer(board, {
      isChoosing: () => isChoosing(),
      isTodo: (id) => isTodo(id),
      toggle: (id) => toggle(id),
      extend: (id) => extend(id),
    })
    return () => {
      events.abort()
      byPointer()
    }
  }, [boardRef])

  if (rows.length === 0) return null
  const what = counted(rows.length, 'task')
  const opens = (name: Asked) => ({
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': asked === name,
    onClick: () => ask(name),
  })
  const days = new Set(rows.map(({ due_day }) => due_day))
  const [day] = days
  return (
    <SelectionBar
      ref={bar}
      count={rows.length}
      said={said && { ...said, title: withoutCount(said.title, what) }}
      beside={detailed}
      onSelectAll={selectAll}
      onEnd={() => {
        leaveBar()
        end()
      }}
      onEscape={() => {
        if (asked) return
        leaveBar()
        end()
      }}
      onDelete={remove}
      buttons={
        <>
          <BarButton
            icon={<CheckCheck />}
            disabled={rows.every(({ completed }) => completed === 1)}
            onClick={complete}
          >
            Complete
          </BarButton>
          <BarButton icon={<Calendar />} ref={setDateButton} {...opens('date')}>
            Date
          </BarButton>
          {lists.length > 0 && (
            <DropdownMenu
              open={asked === 'list'}
              onOpenChange={(open) => (open ? ask('list') : stopAsking())}
            >
              <DropdownMenuTrigger asChild>
                <BarButton icon={<FolderInput />}>Move</BarButton>
              </DropdownMenuTrigger>
              <DropdownMenuContent
                align="end"
                aria-label={`Move ${what} to`}
                aria-labelledby={undefined}
                onCloseAutoFocus={(event) => {
                  if (from === undefined) return
                  event.preventDefault()
                  returnToRow(from)
                }}
              >
                <DropdownMenuLabel>Move to</DropdownMenuLabel>
                {lists.map((list) => (
                  <DropdownMenuItem key={list.id} onSelect={() => actions.moveToList(rows, list)}>
                    <ColorCircle color={list.color} />
                    <bdi className="min-w-0 wrap-anywhere">{list.name}</bdi>
                  </DropdownMenuItem>
                ))}
                <DropdownMenuItem onSelect={() => actions.moveToList(rows, undefined)}>
                  <span className="size-2" />
                  No list
                </DropdownMenuItem>
              </DropdownMenuContent>
            </DropdownMenu>
          )}
          <BarButton icon={<Hash />} ref={setTagButton} {...opens('tag')}>
            Tag
          </BarButton>
        </>
      }
    >
      {dateButton && (
        <DatePicker
          open={asked === 'date'}
          label={`Due date of ${what}`}
          about={titlesOf(rows)}
          anchor={dateButton}
          value={days.size === 1 && day ? { day, time: null } : null}
          time="none"
          noneLabel="No date"
          onClose={stopAsking}
          returnFocus={() => returnFocus(dateButton)}
          onChange={(chosenDate) => {
            forget()
            dateAll(inBar, rows, chosenDate?.day ?? null, remark)
          }}
        />
      )}
      {tagButton && (
        <Popover open={asked === 'tag'} onOpenChange={(open) => open || stopAsking()}>
          <PopoverContent
            label={`Add a tag to ${what}`}
            anchor={tagButton}
            className="w-72 overflow-visible p-2"
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              returnFocus(tagButton)
            }}
          >
            <NewTag
              onAdd={(tag) => {
                stopAsking()
                actions.addTag(rows, tag)
              }}
              onClose={stopAsking}
            />
          </PopoverContent>
        </Popover>
      )}
    </SelectionBar>
  )
}

function NewTag({ onAdd, onClose }: { onAdd(tag: string): void; onClose(): void }) {
  const field = useRef<HTMLInputElement>(null)
  const typing = useTypedTag({ tags: [], keepsTyped: false, onAdd, onClose })
  return <TagField field={field} {...typing.field} />
}

/** The bar says how many are selected. If it was done to all of them, 'Moved to Home' is enough. */
function withoutCount(title: string | undefined, what: string): string | undefined {
  if (!title?.startsWith(`${what} `)) return title
  const rest = title.slice(what.length + 1)
  return rest.slice(0, 1).toUpperCase() + rest.slice(1)
}

function wordsFor(count: number): string {
  return count === 0 ? 'Selection cleared' : `${integerFormat.format(count)} selected`
}
