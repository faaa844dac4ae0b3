import { useCallback } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import { useList, useWrite } from '#platform/sync/use-list.ts'
import type { Preferences, PreferencesChange } from '../preferences.ts'
import { changePreferences, preferencesList } from './preferences-queries.ts'

interface PreferencesState {
  /** With what was just changed; undefined until anything is known. */
  preferences: Preferences | undefined
  status: 'loading' | 'ready' | 'failed'
  retry(): void
}

export function usePreferences(): PreferencesState {
  const { rows, status, retry } = useList(preferencesList)
  return { preferences: rows?.[0], status, retry }
}

/** Shown at once and sent; a refusal is told by itself. */
export function useChangePreferences(): (change: PreferencesChange) => void {
  const write = useWrite()
  return useCallback(
    (change) => void write(changePreferences, { change, at: instantToWire(Date.now()) }),
    [write],
  )
}
