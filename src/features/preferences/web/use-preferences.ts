import { useCallback } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useCollection, useWrite } from '#platform/sync/react/use-collection.ts'
import type { Preferences, PreferencesChange } from '../preferences.ts'
import { changePreferences, preferencesCollection } from './preferences-queries.ts'

interface PreferencesState {
  /** The preferences with the changes just made; undefined until any are known. */
  preferences: Preferences | undefined
  status: 'loading' | 'ready' | 'failed'
  problem: RequestProblem | undefined
  retry(): void
}

export function usePreferences(): PreferencesState {
  const { rows, status, problem, retry } = useCollection(preferencesCollection)
  return { preferences: rows?.[0], status, problem, retry }
}

/** Returns a function that shows a change at once and sends it. A refusal is reported separately. */
export function useChangePreferences(): (change: PreferencesChange) => void {
  const write = useWrite()
  return useCallback(
    (change) => void write(changePreferences, { change, at: instantToWire(Date.now()) }),
    [write],
  )
}
