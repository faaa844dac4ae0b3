import { useCollection } from '#platform/sync/react/use-collection.ts'
import type { PauseRow } from '../pause.ts'
import { pauseCollection } from './pause-queries.ts'

/** The person's pauses; undefined while they are loading. If loading fails, returns only the pauses that this device added. */
export function usePauses(): readonly PauseRow[] | undefined {
  const { rows, added, problem } = useCollection(pauseCollection)
  return rows ?? (problem && added)
}
