import type { ReactNode } from 'react'
import { browserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { weekdayName } from '#platform/format/words.ts'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { Select } from '#platform/ui/controls/select.tsx'
import type { Preferences, PreferencesChange } from '../preferences.ts'
import { startPageNames, themeNames } from './format-change.ts'
import { type PreferenceControl, PreferenceRow } from './preference-row.tsx'
import { TimeZoneChoice } from './time-zone-choice.tsx'

interface PreferenceRowsProps {
  /** Undefined while loading; the rows are shown even then. */
  preferences: Preferences | undefined
  /** The time zone that applies now. */
  timeZone: string
  onChange: (change: PreferencesChange) => void
}

const halfHours = Array.from({ length: 13 }, (_, index) => index * 30)
const weekdays: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]
const themes = [
  { value: 'system', label: themeNames.system },
  { value: 'light', label: themeNames.light },
  { value: 'dark', label: themeNames.dark },
] as const

const startPages = [
  { value: 'todos', label: startPageNames.todos },
  { value: 'today', label: startPageNames.today },
] as const

export function PreferenceRows({ preferences, timeZone, onChange }: PreferenceRowsProps) {
  const row = (
    label: string,
    hint: string | undefined,
    control: (preferences: Preferences, names: PreferenceControl) => ReactNode,
  ) => (
    <PreferenceRow label={label} hint={hint}>
      {(names) =>
        preferences ? (
          control(preferences, names)
        ) : (
          <div className="h-10 rounded-control bg-heat-0 pointer-coarse:h-11" />
        )
      }
    </PreferenceRow>
  )

  return (
    <div className="mt-3 -mb-3">
      {row(
        'Time zone',
        preferences?.time_zone_follows_browser === false
          ? 'Stays the same wherever you are'
          : 'Follows this browser until you choose one',
        ({ time_zone_follows_browser }, names) => (
          <TimeZoneChoice
            names={names}
            zone={timeZone}
            followsBrowser={time_zone_follows_browser}
            onChoose={(zone) =>
              onChange(
                zone === undefined
                  ? { time_zone: browserTimeZone(), time_zone_follows_browser: true }
                  : { time_zone: zone },
              )
            }
          />
        ),
      )}
      {row('Day starts at', 'Hours before that count toward the previous day', ({ day_start }, names) => (
        <Select
          {...names}
          value={day_start}
          onChange={(event) => onChange({ day_start: Number(event.currentTarget.value) })}
          className="tabular-nums"
        >
          {[...new Set([...halfHours, day_start])]
            .sort((a, b) => a - b)
            .map((minutes) => (
              <option key={minutes} value={minutes}>
                {timeOfDay(minutes)}
              </option>
            ))}
        </Select>
      ))}
      {row('Week starts on', undefined, ({ week_start }, names) => (
        <Select
          {...names}
          value={week_start}
          onChange={({ currentTarget: { selectedIndex } }) => {
            const weekday = weekdays[selectedIndex]
            if (weekday) onChange({ week_start: weekday })
          }}
        >
          {weekdays.map((weekday) => (
            <option key={weekday} value={weekday}>
              {weekdayName(weekday)}
            </option>
          ))}
        </Select>
      ))}
      {row('Start page', 'Where Daymark opens, and where signing in leads', ({ start_page }, names) => (
        <Segments
          {...names}
          options={startPages}
          value={start_page}
          onChange={(chosen) => onChange({ start_page: chosen })}
        />
      ))}
      {row('Theme', undefined, ({ theme }, names) => (
        <Segments
          {...names}
          options={themes}
          value={theme}
          onChange={(chosen) => onChange({ theme: chosen })}
        />
      ))}
    </div>
  )
}
