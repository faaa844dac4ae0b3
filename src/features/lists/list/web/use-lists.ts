import { useMemo } from 'react'
import { byPosition } from '#platform/order/position.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { lists } from './list-queries.ts'

/**
 * All lists of the person in their order, including archived ones. `rows` is undefined during the first load; if that fails, it
 * contains the lists that were added on this device.
 */
export function useLists() {
  const { rows, added, status, arriving, problem, retry } = useCollection(lists)
  const known = rows ?? (problem === undefined ? undefined : added)
  return { rows: useMemo(() => known?.toSorted(byPosition), [known]), status, arriving, problem, retry }
}
