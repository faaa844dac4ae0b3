import { useMemo } from 'react'
import { byPosition } from '#platform/order/position.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { lists } from './list-queries.ts'

/**
 * All lists of the person in their own order, archived ones too. `rows` is undefined while they are loading for the first time;
 * if that fails, it has those that were added on this device.
 */
export function useLists() {
  const { rows, added, status, arriving, problem, retry } = useCollection(lists)
  const known = rows ?? (problem === undefined ? undefined : added)
  return { rows: useMemo(() => known?.toSorted(byPosition), [known]), status, arriving, problem, retry }
}
