import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { browserTimeZone, supportedTimeZone } from './browser-time-zone.ts'
import { type DayClock, dayClock } from './day-clock.ts'

/** What a day and a week are for this person. */
export interface UserCalendar {
  /** IANA name. */
  timeZone: string
  /** When their day begins, in minutes after midnight. */
  dayStart: number
  weekStart: WeekStart
}

/** Provides the calendar to everything inside. If this browser does not know the zone, it uses its own. */
export function UserCalendarProvider({ value, children }: { value: UserCalendar; children: ReactNode }) {
  const { timeZone, dayStart, weekStart } = value
  const provided = useMemo(() => {
    const calendar = { timeZone: supportedTimeZone(timeZone), dayStart, weekStart }
    return { calendar, clock: dayClock(calendar.timeZone, dayStart) }
  }, [timeZone, dayStart, weekStart])
  return <CalendarContext value={provided}>{children}</CalendarContext>
}

/** The same object until it changes. */
export function useUserCalendar(): UserCalendar {
  return useContext(CalendarContext).calendar
}

/** The person's current day. It changes by itself, even after a sleep and when the clocks change. */
export function useToday(): Day {
  const { clock } = useContext(CalendarContext)
  return useSyncExternalStore(clock.subscribe, clock.today)
}

/** The default without a provider: the browser's own days, in weeks from Monday. */
const browsersOwn: UserCalendar = {
  timeZone: supportedTimeZone(browserTimeZone()),
  dayStart: 0,
  weekStart: 1,
}

const CalendarContext = createContext<{ calendar: UserCalendar; clock: DayClock }>({
  calendar: browsersOwn,
  clock: dayClock(browsersOwn.timeZone, browsersOwn.dayStart),
})
