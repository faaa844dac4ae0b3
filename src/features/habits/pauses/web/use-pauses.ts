import { useCollection } from '#platform/sync/react/use-collection.ts'
import type { PauseRow } from '../pause.ts'
import { pauseList } from './pause-queries.ts'

/** Undefined until they are known. If they cannot be read, there are none as far as this device knows. */
export function usePauses(): readonly PauseRow[] | undefined {
  const { rows, added, problem } = useCollection(pauseList)
  return rows ?? (problem && added)
}
