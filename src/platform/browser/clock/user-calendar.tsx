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

/** Without a provider: the browser's own days, in weeks from Monday. Not before it is asked for: Temporal may be on its way. */
function browsersOwn(): Provided {
  if (!own) {
    const timeZone = supportedTimeZone(browserTimeZone())
    own = { calendar: { timeZone, dayStart: 0, weekStart: 1 }, clock: dayClock(timeZone, 0) }
  }
  return own
}
