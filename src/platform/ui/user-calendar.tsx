import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { browserTimeZone, timeZoneKnownHere } from './browser-time-zone.ts'
import { type DayClock, dayClock } from './day-clock.ts'

/** What a day and a week are for the person. */
export interface UserCalendar {
  /** IANA name. */
  timeZone: string
  /** Minutes after midnight at which their day begins. */
  dayStart: number
  weekStart: WeekStart
}

/** Tells everything inside what a day and a week are. A zone that this browser does not know is counted as its own. */
export function UserCalendarProvider({ value, children }: { value: UserCalendar; children: ReactNode }) {
  const { timeZone, dayStart, weekStart } = value
  const provided = useMemo(() => {
    const calendar = { timeZone: timeZoneKnownHere(timeZone), dayStart, weekStart }
    return { calendar, clock: dayClock(calendar.timeZone, dayStart) }
  }, [timeZone, dayStart, weekStart])
  return <CalendarContext value={provided}>{children}</CalendarContext>
}

/** The same object until it changes. */
export function useUserCalendar(): UserCalendar {
  return useContext(CalendarContext).calendar
}

/** The person's day now. It turns over by itself, also after a sleep and where the clocks change. */
export function useToday(): Day {
  const { clock } = useContext(CalendarContext)
  return useSyncExternalStore(clock.subscribe, clock.today)
}

/** What stands without a provider: the browser's own days, in weeks from Monday. */
const browsersOwn: UserCalendar = {
  timeZone: timeZoneKnownHere(browserTimeZone()),
  dayStart: 0,
  weekStart: 1,
}

const CalendarContext = createContext<{ calendar: UserCalendar; clock: DayClock }>({
  calendar: browsersOwn,
  clock: dayClock(browsersOwn.timeZone, browsersOwn.dayStart),
})
