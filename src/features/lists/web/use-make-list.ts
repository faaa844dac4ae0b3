import { useCallback } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import type { List } from '../list.ts'
import { addList } from './list-queries.ts'

/** Makes a list of that name, after all the others. Resolves with its id, or with undefined if the device could not store it. */
export type MakeList = (name: string) => Promise<string | undefined>

export function useMakeList(all: readonly List[] | undefined): MakeList {
  const write = useWrite()
  return useCallback(
    async (name) => {
      const { lastPosition } = await import('#platform/order/move.ts')
      const now = Date.now()
      const id = newRowId(now, crypto.getRandomValues(new Uint8Array(10)))
      const position = lastPosition(all ?? [])
      const kept = await write(addList, { id, name, color: 1, position, at: instantToWire(now) })
      return kept ? id : undefined
    },
    [write, all],
  )
}
