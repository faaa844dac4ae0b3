import { Calendar, CheckCheck, FolderInput, Hash, Trash2, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { List } from '#features/lists/list/list.ts'
import { usePhone } from '#platform/browser/device/phone.ts'
import { isPressed, type Shortcut, useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import { rowIdsIn } from '#platform/browser/rows/row-elements.ts'
import { moveFocusFromRows, returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
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
import { titlesOf } from '../todo/web/titles-of.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import {
  chooseAll,
  deleteChosen,
  dueDateOfTask,
  endChoice,
  extendChoice,
  listOfTask,
  tagChosen,
} from '../todo/web/todo-shortcuts.ts'
import { chooseByPointer } from './choose-by-pointer.ts'
import { chosenActions } from './chosen-actions.ts'
import { type ChosenRows, noRows, withAll, withoutGone, withRangeTo, withToggled } from './chosen-rows.ts'

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
}: SeveralTasksProps) {
  const singleKeys = useSingleKeys()
  const actions = chosenActions(todoActions)
  const bar = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<Asked>()
  /** The row on which a key opened the dialog; undefined if the bar opened it. */
  const [from, setFrom] = useState<string>()
  const [dateButton, setDateButton] = useState<HTMLElement | null>(null)
  const [tagButton, setTagButton] = useState<HTMLElement | null>(null)
  /** Whether the space bar is down after completing the selected rows. */
  const completing = useRef(false)
  const rows = todos.filter(({ id }) => chosen.ids.has(id))

  // Deselect rows that are no longer shown, so that no action affects rows out of sight.
  useEffect(() => {
    if (chosen.ids.size === 0) return
    const shown = new Set(rowIdsIn(boardRef.current))
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
  /** Before the bar disappears, moves the focus from the bar to the first selected row. */
  const leaveBar = () => {
    const [first] = rows
    if (first && (bar.current?.contains(document.activeElement) || document.activeElement === document.body))
      returnFocusToRow(first.id)
  }
  const complete = () => {
    leaveBar()
    for (const todo of rows.filter(({ completed }) => completed === 0)) hold(todo)
    actions.complete(rows)
    choose(() => noRows)
  }
  const remove = () => {
    leaveBar()
    moveFocusFromRows((id) => chosen.ids.has(id))
    actions.remove(rows)
    choose(() => noRows)
  }
  const ask = (what: Asked, row?: string) => {
    setFrom(row)
    setAsked(what)
  }
  const stopAsking = () => setAsked(undefined)
  /** Returns the focus to the row on which a key was pressed, or else to the button in the bar. */
  const returnFocus = (button: HTMLElement) => {
    if (from !== undefined) returnFocusToRow(from)
    else if (button.isConnected) button.focus()
    else if (rows[0]) returnFocusToRow(rows[0].id)
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
      const open = new Set(todos.filter(({ completed }) => completed === 0).map((todo) => todo.id))
      change(() => withAll(shownIds().filter((each) => open.has(each))))
      return true
    }
    if (chosen.ids.size === 0) return false
    if (is(endChoice)) end()
    else if (!chosen.ids.has(id)) return false
    else if (event.key === ' ') event.repeat || complete()
    else if (is(deleteChosen)) event.repeat || remove()
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
    <InItsPlace>
      <section
        ref={bar}
        aria-label="Selected tasks"
        data-chosen-bar
        onKeyDown={({ key, defaultPrevented }) => {
          if (key !== 'Escape' || defaultPrevented || asked) return
          leaveBar()
          end()
        }}
        className="flex items-center gap-x-1 bg-raised text-control text-ink max-md:flex-wrap md:rounded-card md:py-1.5 md:pr-1.5 md:pl-4 md:shadow-2"
      >
        <p className="mr-auto font-medium tabular-nums max-md:w-[calc(100%-48px)] max-md:pl-4">
          {wordsFor(rows.length)}
        </p>
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
          <DropdownMenu open={asked === 'list'} onOpenChange={(open) => (open ? ask('list') : stopAsking())}>
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
                returnFocusToRow(from)
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
        <BarButton icon={<Trash2 />} onClick={remove}>
          Delete
        </BarButton>
        <Button
          variant="icon"
          aria-label="Clear selection"
          onClick={() => {
            leaveBar()
            end()
          }}
          className="max-md:order-first max-md:ml-auto"
        >
          <X />
        </Button>
      </section>
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
          onChange={(chosenDate) => dateAll(todoActions, rows, chosenDate?.day ?? null)}
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
    </InItsPlace>
  )
}

function NewTag({ onAdd, onClose }: { onAdd(tag: string): void; onClose(): void }) {
  const field = useRef<HTMLInputElement>(null)
  const typing = useTypedTag({ tags: [], keepsTyped: false, onAdd, onClose })
  return <TagField field={field} {...typing.field} />
}

/** Places the bar at the bottom of the list; on phones, in place of the tab bar. */
function InItsPlace({ children }: { children: ReactNode }) {
  const phone = usePhone()
  const bars = phone ? document.querySelector('[data-bars]') : null
  if (bars) return createPortal(children, bars)
  return <div className="sticky bottom-4 z-10 mt-6 max-md:bottom-0">{children}</div>
}

function BarButton({
  icon,
  children,
  className,
  ...rest
}: Parameters<typeof Button>[0] & { icon: ReactNode }) {
  return (
    <Button
      variant="quiet"
      className={cn(
        'px-2.5 font-medium max-md:min-h-14 max-md:flex-1 max-md:flex-col max-md:gap-1 max-md:px-1 max-md:text-small',
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </Button>
  )
}

function wordsFor(count: number): string {
  return count === 0 ? 'Selection cleared' : `${integerFormat.format(count)} selected`
}
