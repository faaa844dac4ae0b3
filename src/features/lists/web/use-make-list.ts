import { useCallback } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import type { List } from '../list.ts'
import type { MakeList } from '../list-to-make.ts'
import { addList } from './list-queries.ts'

/** The lists that it makes stand after all others. */
export function useMakeList(all: readonly List[] | undefined): MakeList {
  const write = useWrite()
  return useCallback(
    async (name) => {
      const { lastPosition } = await import('#platform/order/move.ts')
      const now = Date.now()
      const id = newRowId(now, crypto.getRandomValues(new Uint8Array(10)))
      const position = lastPosition(all ?? [])
      return { id, make: () => write(addList, { id, name, color: 1, position, at: instantToWire(now) }) }
    },
    [write, all],
  )
}
