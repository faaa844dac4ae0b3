import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { cn } from '#platform/ui/class-names.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { sidebarEntryLook } from '#platform/ui/layout/sidebar-entry.ts'
import { usePart } from '#platform/ui/lazy-part.tsx'
import type { List } from '../list/list.ts'
import { lists } from '../list/web/list-queries.ts'
import type { ListActions } from '../list/web/use-list-actions.ts'
import { ListMenuButton } from '../menu/list-menu-button.tsx'
import { LazyListDrag, LazyTakesTodos } from './lazy-list-drags.ts'
import { ListNameField } from './list-name-field.tsx'
import { moveList } from './list-shortcuts.ts'

interface ListEntryProps {
  list: List
  /** How many open tasks the list has. */
  open: number
  actions: ListActions
  /** Moves the list by one place; undefined if it cannot move there. */
  onMoveUp?: (() => void) | undefined
  onMoveDown?: (() => void) | undefined
  /** Called before the entry disappears, while it has the focus. */
  onLeaving(): void
  /** Called when another list was dropped at an edge of this one; undefined if the order cannot be changed. */
  onDropList?(id: string, edge: 'above' | 'below'): void
  /** Called when a task was dropped on the list. */
  onDropTodo?(todoId: string): void
}

/** A list in the sidebar, with its menu. */
export function ListEntry({
  list,
  open,
  actions,
  onMoveUp,
  onMoveDown,
  onLeaving,
  onDropList,
  onDropTodo,
}: ListEntryProps) {
  const [editing, setEditing] = useState(false)
  const [entry, link] = [useRef<HTMLLIElement>(null), useRef<HTMLAnchorElement>(null)]
  useKeptWhileEdited(lists, list, editing)
  const ListDrag = usePart(LazyListDrag, false)
  const TakesTodos = usePart(LazyTakesTodos, false)

  const moveByKey = (event: KeyboardEvent) => {
    if (!isPressed(moveList, event) || !onDropList) return
    event.preventDefault()
    if (event.key === 'ArrowUp') onMoveUp?.()
    else onMoveDown?.()
  }

  if (editing) {
    return (
      <li className="flex">
        <ListNameField
          name={list.name}
          save={(name) => actions.rename(list, name)}
          onClose={(byKey) => {
            setEditing(false)
            // The link is rendered again only after this event, so wait a frame before moving the focus.
            if (byKey) requestAnimationFrame(() => link.current?.focus())
          }}
        />
      </li>
    )
  }
  return (
    <li
      ref={entry}
      className={cn(
        'group/list relative flex rounded-control',
        // A line between two entries shows where the dragged list would land.
        'before:pointer-events-none before:absolute before:inset-x-2 before:hidden before:h-0.5 before:rounded-full before:bg-accent',
        'data-[gap=above]:before:-top-[3px] data-[gap=above]:before:block data-[gap=below]:before:-bottom-[3px] data-[gap=below]:before:block',
        'data-dragged:opacity-50',
      )}
    >
      <Link
        ref={link}
        id={linkIdOf(list)}
        to="/lists/$id"
        params={{ id: list.id }}
        title={list.name}
        // `ListDrag` drags the entry; the browser must not drag the link's URL.
        draggable={false}
        aria-keyshortcuts={onMoveUp || onMoveDown ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        onKeyDown={moveByKey}
        className={cn(
          sidebarEntryLook,
          'flex-1 select-none [-webkit-touch-callout:none] pointer-coarse:pr-12',
          // Leave room for the menu's button, which replaces the count.
          open === 0 && 'group-hover/list:pr-11 group-has-focus-visible/list:pr-11',
        )}
      >
        <span className="grid w-[18px] shrink-0 place-items-center">
          <ColorCircle color={list.color} />
        </span>
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {list.name}
        </span>
        {open > 0 && (
          <span className="shrink-0 text-small font-normal text-ink-3 tabular-nums group-hover/list:invisible group-has-focus-visible/list:invisible group-has-data-[state=open]/list:invisible pointer-coarse:visible!">
            {integerFormat.format(open)}
            <span className="sr-only"> open</span>
          </span>
        )}
      </Link>
      <ListMenuButton
        list={list}
        actions={{
          onRename: () => setEditing(true),
          onRecolor: (color) => actions.recolor(list, color),
          onMoveUp,
          onMoveDown,
          onArchive() {
            onLeaving()
            actions.archive(list)
          },
          onTakeOut() {
            onLeaving()
            actions.takeOut(list)
          },
          onRemove() {
            onLeaving()
            actions.remove(list)
          },
        }}
        className={cn(
          'absolute inset-y-0 right-0.5 items-center opacity-0 focus-within:opacity-100 group-hover/list:opacity-100 group-has-focus-visible/list:opacity-100 has-data-[state=open]:opacity-100',
          'pointer-coarse:right-0 pointer-coarse:text-edge pointer-coarse:opacity-100 [@media(hover:none)]:opacity-100',
        )}
      />
      {ListDrag && onDropList && <ListDrag id={list.id} entry={entry} onDrop={onDropList} />}
      {TakesTodos && onDropTodo && <TakesTodos target={link} onDrop={onDropTodo} />}
    </li>
  )
}

/** The id by which the focus finds an entry after it has moved. */
export function linkIdOf({ id }: Pick<List, 'id'>): string {
  return `list-${id}`
}
