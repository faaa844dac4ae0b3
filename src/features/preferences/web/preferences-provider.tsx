import { type ReactNode, useCallback, useEffect } from 'react'
import { useBrowserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import { UserCalendarProvider } from '#platform/browser/clock/user-calendar.tsx'
import { ChooseTheme, type Theme, themeChoice } from '#platform/browser/device/theme.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { defaultPreferences, type Preferences } from '../preferences.ts'
import { useChangePreferences, usePreferences } from './use-preferences.ts'

/**
 * Applies the person's preferences: what a day and a week are, and how Daymark looks. Must be inside a SyncProvider. The defaults
 * apply until the preferences are known; a device that stores them knows them before any other rows.
 */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const browserZone = useBrowserTimeZone()
  const { time_zone, time_zone_follows_browser, day_start, week_start } = preferences ?? defaultPreferences

  const ReportBrowserZone = usePart(LazyReportBrowserZone, false)
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
        // The browser knows first where the person is, and reports its zone to the account.
        timeZone: time_zone_follows_browser ? browserZone : time_zone,
        dayStart: day_start,
        weekStart: week_start,
      }}
    >
      {ReportBrowserZone && <ReportBrowserZone preferences={preferences} />}
      <ChooseTheme value={chooseTheme}>{children}</ChooseTheme>
    </UserCalendarProvider>
  )
}

const LazyReportBrowserZone = lazyPart(
  () => import('./report-browser-zone.tsx'),
  'ReportBrowserZone',
  'with the screen',
)

/** Stores the account's theme on this device, so that the next page load uses it from the first paint on. */
function useThemeOf(preferences: Preferences | undefined) {
  const theme = preferences?.theme
  useEffect(() => {
    if (theme !== undefined && theme !== themeChoice.read()) themeChoice.write(theme)
  }, [theme])
}
