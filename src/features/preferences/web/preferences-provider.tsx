import { type ReactNode, useCallback, useEffect } from 'react'
import { useBrowserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import { UserCalendarProvider } from '#platform/browser/clock/user-calendar.tsx'
import { ChooseTheme, type Theme, themeChoice } from '#platform/browser/device/theme.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { defaultPreferences, type Preferences } from '../preferences.ts'
import { useChangePreferences, usePreferences } from './use-preferences.ts'

/**
 * Applies the person's preferences: what a day and a week are, and how Daymark looks. Needs a SyncProvider around it. Until
 * they are known, the defaults apply; a device that has them stored knows them before any list.
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
        // The browser is the first to know where the person is; the account learns it from there.
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

/** Stores the account's theme on this device, so that the next first paint has it. */
function useThemeOf(preferences: Preferences | undefined) {
  const theme = preferences?.theme
  useEffect(() => {
    if (theme !== undefined && theme !== themeChoice.read()) themeChoice.write(theme)
  }, [theme])
}
