import { useState } from 'react'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { isSameTimeZone } from '#platform/calendar/time-zone.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Card } from '#platform/ui/layout/card.tsx'
import { changePreferences, type Preferences, type PreferencesChange } from '../preferences.ts'
import { describeEffect } from './describe-effect.ts'
import { PreferenceRows } from './preference-rows.tsx'
import { useChangePreferences, usePreferences } from './use-preferences.ts'

/** Time zone, day start, week start, start page and theme. Each choice is saved at once. */
export function PreferencesCard() {
  const { preferences, status, problem, retry } = usePreferences()
  const { timeZone } = useUserCalendar()
  const savePreferences = useChangePreferences()
  const [lastChange, setLastChange] = useState<PreferencesChange>()

  const change = (wanted: PreferencesChange) => {
    savePreferences(wanted)
    setLastChange(wanted)
  }
  // A refused change is no longer in effect, so do not describe its effect.
  const applied = lastChange && preferences && isApplied(lastChange, preferences) ? lastChange : undefined

  return (
    <Card
      title="Preferences"
      subtitle="When your day and week begin, and how Daymark looks"
      busy={status === 'loading'}
    >
      {status === 'failed' ? (
        <div role="alert" className="mt-3 pt-4 shadow-[inset_0_1px_0_var(--line)]">
          <p className="font-medium text-control">Your preferences couldn't be loaded.</p>
          {problem && <p className="text-control text-ink-2">{formatRequestProblem(problem)}</p>}
          <Button variant="secondary" onClick={retry} className="mt-4">
            Try again
          </Button>
        </div>
      ) : (
        <PreferenceRows preferences={preferences} timeZone={timeZone} onChange={change} />
      )}
      <p role="status" className="text-pretty text-control text-ink-2 not-empty:mt-4">
        {applied && describeEffect(applied, timeZone)}
      </p>
    </Card>
  )
}

function isApplied(change: PreferencesChange, preferences: Preferences): boolean {
  const wanted = changePreferences(preferences, change)
  return (
    // Another device may have chosen the same zone under another of its names.
    isSameTimeZone(wanted.time_zone, preferences.time_zone) &&
    wanted.time_zone_follows_browser === preferences.time_zone_follows_browser &&
    wanted.day_start === preferences.day_start &&
    wanted.week_start === preferences.week_start &&
    wanted.theme === preferences.theme &&
    wanted.start_page === preferences.start_page
  )
}
