import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { browserTimeZone, supportedTimeZone } from './browser-time-zone.ts'
import { type DayClock, dayClock } from './day-clock.ts'

/** How this person's days and weeks are defined. */
export interface UserCalendar {
  /** The IANA name of the person's time zone. */
  timeZone: string
  /** When the person's day begins, in minutes after midnight. */
  dayStart: number
  weekStart: WeekStart
}

/** Provides the calendar to everything inside. Uses the browser's own time zone if the browser does not know the calendar's. */
export function UserCalendarProvider({ value, children }: { value: UserCalendar; children: ReactNode }) {
  const { timeZone, dayStart, weekStart } = value
  const provided = useMemo(() => {
    const calendar = { timeZone: supportedTimeZone(timeZone), dayStart, weekStart }
    return { calendar, clock: dayClock(calendar.timeZone, dayStart) }
  }, [timeZone, dayStart, weekStart])
  return <CalendarContext value={provided}>{children}</CalendarContext>
}

/** The person's calendar; the same object until it changes. */
export function useUserCalendar(): UserCalendar {
  return useProvided().calendar
}

/** The person's current day. It changes by itself, even after a sleep and when the clocks change. */
export function useToday(): Day {
  const { clock } = useProvided()
  return useSyncExternalStore(clock.subscribe, clock.today)
}

interface Provided {
  calendar: UserCalendar
  clock: DayClock
}

const CalendarContext = createContext<Provided | undefined>(undefined)

function useProvided(): Provided {
  return useContext(CalendarContext) ?? browsersOwn()
}

let own: Provided | undefined

/**
 * The calendar without a provider: the browser's own days, in weeks from Monday. Created only on demand, since Temporal may
 * still be loading.
 */
function browsersOwn(): Provided {
  if (!own) {
    const timeZone = supportedTimeZone(browserTimeZone())
    own = { calendar: { timeZone, dayStart: 0, weekStart: 1 }, clock: dayClock(timeZone, 0) }
  }
  return own
}
