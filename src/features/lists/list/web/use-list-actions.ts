import { useMemo } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import { lastPosition, moveAfter } from '#platform/order/move.ts'
import { byPosition } from '#platform/order/position.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { List } from '../list.ts'
import type { ListColor, TodoSort } from '../list-row.ts'
import { addList, lists } from './list-queries.ts'
import { deleteList, editList, type ListFields } from './list-writes.ts'

/** What a person can do to lists. Each action shows at once. `all` are the person's lists, including archived ones. */
export function useListActions(all: readonly List[]) {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  return useMemo(() => {
    const now = () => instantToWire(Date.now())
    const edit = ({ id, name }: List, changes: Partial<ListFields>) =>
      write(editList, { id, changes, name, at: now() })
    const offer = (title: string, list: List) =>
      offerUndo(title, {
        row: { list: lists.name, subject: list.id },
        description: list.name,
      })
    const editUndoably = (title: string, list: List, changes: Partial<ListFields>) => {
      void edit(list, changes)
      offer(title, list)
    }
    const takeOut = async (list: List) => {
      if (await edit(list, { archived_at: null })) announce('List taken out of the archive')
    }

    return {
      /** Resolves with the new list's id, or with undefined if the device could not store it; then the person has been told. */
      async add(name: string, color: ListColor): Promise<string | undefined> {
        const instant = Date.now()
        const id = newRowId(instant, crypto.getRandomValues(new Uint8Array(10)))
        const position = lastPosition(all)
        const kept = await write(addList, { id, name, color, position, at: instantToWire(instant) })
        if (!kept) return
        announce('List added')
        return id
      },

      rename(list: List, name: string) {
        editUndoably('List renamed', { ...list, name }, { name })
      },

      recolor(list: List, color: ListColor) {
        if (color === list.color) return
        editUndoably('Colour changed', list, { color })
      },

      sort(list: List, sort: TodoSort) {
        void edit(list, { sort })
      },

      /** `shown` are the lists among which the list moves, in their order. */
      move(list: List, { after, shown }: { after: string | undefined; shown: readonly List[] }) {
        const moved = moveAfter(all, list.id, after)
        if (moved.length === 0) return
        for (const { id, position } of moved) {
          const row = all.find((other) => other.id === id)
          if (row) void edit(row, { position })
        }
        offer('List moved', list)
        const positions = new Map(moved.map(({ id, position }) => [id, position]))
        const order = shown
          .map(({ id, position }) => ({ id, position: positions.get(id) ?? position }))
          .sort(byPosition)
        const standsAt = order.findIndex(({ id }) => id === list.id) + 1
        announce(`${list.name}, ${standsAt} of ${shown.length}`)
      },

      archive(list: List) {
        void edit(list, { archived_at: now() })
        offer('List archived', list)
      },

      takeOut(list: List) {
        void takeOut(list)
      },

      remove(list: List) {
        void write(deleteList, { id: list.id, name: list.name, at: now() })
        offer('List deleted', list)
      },
    }
  }, [write, offerUndo, all])
}

export type ListActions = ReturnType<typeof useListActions>
