import { type ReactNode, useCallback, useEffect } from 'react'
import { useBrowserTimeZone } from '#platform/ui/browser-time-zone.ts'
import { ChooseTheme, type Theme, themeChoice } from '#platform/ui/theme.ts'
import { UserCalendarProvider } from '#platform/ui/user-calendar.tsx'
import { defaultPreferences, type Preferences } from '../preferences.ts'
import { useChangePreferences, usePreferences } from './use-preferences.ts'
import { useTellBrowsersZone } from './use-tell-browsers-zone.ts'

/**
 * Puts the person's preferences to work: what a day and a week are, and how Daymark looks. Stands within a SyncProvider.
 * Until they are known, which on a device that remembers them is before any list is, the defaults stand.
 */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const browserZone = useBrowserTimeZone()
  const { time_zone, time_zone_follows_browser, day_start, week_start } = preferences ?? defaultPreferences

  useTellBrowsersZone(preferences)
  useThemeOf(preferences)
  const chooseTheme = useCallback(
    (theme: Theme) => {
      themeChoice.write(theme)
      change({ theme })
    },
    [change],
  )

  return (
    <UserCalendarProvider
      value={{
        // The browser knows first where the person is; the account learns it from there.
        timeZone: time_zone_follows_browser ? browserZone : time_zone,
        dayStart: day_start,
        weekStart: week_start,
      }}
    >
      <ChooseTheme value={chooseTheme}>{children}</ChooseTheme>
    </UserCalendarProvider>
  )
}

/** This device remembers the account's theme, so that the next first paint has it. */
function useThemeOf(preferences: Preferences | undefined) {
  const theme = preferences?.theme
  useEffect(() => {
    if (theme !== undefined && theme !== themeChoice.read()) themeChoice.write(theme)
  }, [theme])
}
