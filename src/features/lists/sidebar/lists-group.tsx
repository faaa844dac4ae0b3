import { useNavigate } from '@tanstack/react-router'
import { ChevronRight, Plus } from 'lucide-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { cn } from '#platform/ui/class-names.ts'
import { sidebarEntryLook } from '#platform/ui/layout/sidebar-entry.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { List } from '../list/list.ts'
import { type ListColor, listColors } from '../list/list-row.ts'
import { useListActions } from '../list/web/use-list-actions.ts'
import { ListEntry, linkIdOf } from './list-entry.tsx'
import { newList } from './new-list-command.ts'

interface ListsGroupProps {
  /** The lists in their order, including archived ones. */
  lists: readonly List[]
  /** How many open tasks each list has, by list id. */
  openCounts: ReadonlyMap<string, number>
  /** Called when a task was dropped on a list. */
  onDropTodo(todoId: string, list: List): void
}

/** The sidebar's group of lists, with a field for a new one. */
export function ListsGroup({ lists, openCounts, onDropTodo }: ListsGroupProps) {
  const navigate = useNavigate()
  const actions = useListActions(lists)
  const [adding, setAdding] = useState(false)
  const [archiveIsOpen, setArchiveIsOpen] = useState(false)
  const NewListForm = usePart(LazyNewListForm, adding)
  const newListButton = useRef<HTMLButtonElement>(null)
  const [heading, archive] = [useId(), useId()]

  const inUse = lists.filter(({ archived_at }) => archived_at === null)
  const archived = lists.filter(({ archived_at }) => archived_at !== null)
  const keepFocus = useKeptFocus(inUse)
  useShortcut(newList, () => setAdding(true))

  const move = (list: List, after: string | undefined) => {
    keepFocus()
    actions.move(list, { after, shown: inUse })
  }
  const focusNeighbour = (shown: readonly List[], place: number) => {
    const neighbour = shown[place + 1] ?? shown[place - 1]
    const target = neighbour && document.getElementById(linkIdOf(neighbour))
    ;(target ?? newListButton.current)?.focus()
  }

  return (
    <nav aria-labelledby={heading} className="mt-6">
      <h2 id={heading} className="px-3 text-small font-medium text-ink-2">
        Lists
      </h2>
      <ul
        aria-labelledby={heading}
        className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-1 [list-style-type:'']"
      >
        {inUse.map((list, place) => (
          <ListEntry
            key={list.id}
            list={list}
            open={openCounts.get(list.id) ?? 0}
            actions={actions}
            onMoveUp={place > 0 ? () => move(list, inUse[place - 2]?.id) : undefined}
            onMoveDown={place < inUse.length - 1 ? () => move(list, inUse[place + 1]?.id) : undefined}
            onLeaving={() => focusNeighbour(inUse, place)}
            onDropList={(id, edge) => {
              const dropped = inUse.find((other) => other.id === id)
              const others = inUse.filter((other) => other.id !== id)
              if (dropped) move(dropped, edge === 'below' ? list.id : others[others.indexOf(list) - 1]?.id)
            }}
            onDropTodo={(todoId) => onDropTodo(todoId, list)}
          />
        ))}
        <li>
          {adding && NewListForm ? (
            <NewListForm
              color={freeColor(inUse)}
              add={async (name, color) => {
                const id = await actions.add(name, color)
                if (id !== undefined) void navigate({ to: '/lists/$id', params: { id } })
                return id !== undefined
              }}
              onClose={(byKey) => {
                setAdding(false)
                // The button is rendered again only after this event, so wait a frame before moving the focus.
                if (byKey) requestAnimationFrame(() => newListButton.current?.focus())
              }}
            />
          ) : (
            <button
              ref={newListButton}
              type="button"
              onClick={() => setAdding(true)}
              className={cn(sidebarEntryLook, 'w-full text-left')}
            >
              <Plus size={18} className="shrink-0" />
              New list
            </button>
          )}
        </li>
        {archived.length > 0 && (
          <li>
            <button
              type="button"
              aria-expanded={archiveIsOpen}
              aria-controls={archive}
              onClick={() => setArchiveIsOpen(!archiveIsOpen)}
              className={cn(sidebarEntryLook, 'w-full text-left')}
            >
              <ChevronRight size={18} className={cn('shrink-0', archiveIsOpen && 'rotate-90')} />
              <span>
                Archived{' '}
                <span className="ml-1 font-normal text-ink-3 text-small tabular-nums">
                  {integerFormat.format(archived.length)}
                </span>
              </span>
            </button>
            <ul
              id={archive}
              hidden={!archiveIsOpen}
              aria-label="Archived lists"
              className="grid grid-cols-[minmax(0,1fr)] gap-1 pt-1 [list-style-type:'']"
            >
              {archived.map((list, place) => (
                <ListEntry
                  key={list.id}
                  list={list}
                  open={openCounts.get(list.id) ?? 0}
                  actions={actions}
                  onLeaving={() => focusNeighbour(archived, place)}
                />
              ))}
            </ul>
          </li>
        )}
      </ul>
    </nav>
  )
}

const LazyNewListForm = lazyPart(() => import('./new-list-form.tsx'), 'NewListForm', 'after the screen')

/** The first colour that no list has. If all are taken, the colours repeat. */
function freeColor(lists: readonly List[]): ListColor {
  const worn = new Set(lists.map(({ color }) => color))
  return listColors.find((color) => !worn.has(color)) ?? listColors[lists.length % listColors.length] ?? 1
}

/**
 * Elements that change their place lose the focus. Call the returned function before they move: it notes the focused element,
 * which gets the focus back afterwards.
 */
function useKeptFocus(shown: readonly List[]): () => void {
  const focused = useRef<HTMLElement>(undefined)
  const order = shown.map(({ id }) => id).join(' ')
  useLayoutEffect(() => {
    if (order !== '') focused.current?.focus()
    focused.current = undefined
  }, [order])
  return () => {
    const active = document.activeElement
    if (active instanceof HTMLElement) focused.current = active
  }
}
