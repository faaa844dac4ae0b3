import { useCallback } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import type { Trouble } from '#platform/sync/trouble.ts'
import { useList, useWrite } from '#platform/sync/use-list.ts'
import type { Preferences, PreferencesChange } from '../preferences.ts'
import { changePreferences, preferencesList } from './preferences-queries.ts'

interface PreferencesState {
  /** With what was just changed; undefined until anything is known. */
  preferences: Preferences | undefined
  status: 'loading' | 'ready' | 'failed'
  trouble: Trouble | undefined
  retry(): void
}

export function usePreferences(): PreferencesState {
  const { rows, status, trouble, retry } = useList(preferencesList)
  return { preferences: rows?.[0], status, trouble, retry }
}

/** Shown at once and sent; a refusal is told by itself. */
export function useChangePreferences(): (change: PreferencesChange) => void {
  const write = useWrite()
  return useCallback(
    (change) => void write(changePreferences, { change, at: instantToWire(Date.now()) }),
    [write],
  )
}
