import { useState } from 'react'
import { isSameTimeZone } from '#platform/calendar/time-zone.ts'
import { troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import { Card } from '#platform/ui/card.tsx'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { changePreferences, type Preferences, type PreferencesChange } from '../preferences.ts'
import { meaningOf } from './change-in-words.ts'
import { PreferenceRows } from './preference-rows.tsx'
import { useChangePreferences, usePreferences } from './use-preferences.ts'

/** Time zone, day start, week start and theme. Each is saved as it is chosen. */
export function PreferencesCard() {
  const { preferences, status, trouble, retry } = usePreferences()
  const { timeZone } = useUserCalendar()
  const savePreferences = useChangePreferences()
  const [lastChange, setLastChange] = useState<PreferencesChange>()

  const change = (wanted: PreferencesChange) => {
    savePreferences(wanted)
    setLastChange(wanted)
  }
  // What was refused is not so any more, and neither is what it would have meant.
  const told = lastChange && preferences && isSo(lastChange, preferences) ? lastChange : undefined

  return (
    <Card
      title="Preferences"
      subtitle="When your day and week begin, and how Daymark looks"
      busy={status === 'loading'}
    >
      {status === 'failed' ? (
        <div role="alert" className="mt-3 pt-4 shadow-[inset_0_1px_0_var(--line)]">
          <p className="font-medium text-control">Your preferences couldn't be loaded.</p>
          {trouble && <p className="text-control text-ink-2">{troubleInWords(trouble)}</p>}
          <Button variant="secondary" onClick={retry} className="mt-4">
            Try again
          </Button>
        </div>
      ) : (
        <PreferenceRows preferences={preferences} timeZone={timeZone} onChange={change} />
      )}
      <p role="status" className="text-pretty text-control text-ink-2 not-empty:mt-4">
        {told && meaningOf(told, timeZone)}
      </p>
    </Card>
  )
}

function isSo(change: PreferencesChange, preferences: Preferences): boolean {
  const wanted = changePreferences(preferences, change)
  return (
    // The zone may have been chosen elsewhere by another of its names.
    isSameTimeZone(wanted.time_zone, preferences.time_zone) &&
    wanted.time_zone_follows_browser === preferences.time_zone_follows_browser &&
    wanted.day_start === preferences.day_start &&
    wanted.week_start === preferences.week_start &&
    wanted.theme === preferences.theme
  )
}
