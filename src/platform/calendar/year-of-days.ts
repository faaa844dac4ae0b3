import { addDays, type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'

/** Weeks that contain a whole year, including the partial weeks at both ends. */
const weeksShown = 54

/** The first day of each week in the year that ends with this week, oldest first, followed by `ahead` more weeks. */
export function weeksOfYear(today: Day, weekStart: WeekStart, ahead = 0): Day[] {
  const last = weekNumber(today, weekStart)
  return Array.from({ length: weeksShown + ahead }, (_, index) =>
    firstDayOfWeek(last - weeksShown + 1 + index, weekStart),
  )
}

/**
 * The months, as their first days, and the index of the week that each name goes above: the first week with most of its days
 * in the month.
 */
export function monthNames(weeks: readonly Day[]): { month: Day; week: number }[] {
  const months = weeks.map((first) => firstOfMonth(addDays(first, 3)))
  const names = months.flatMap((month, week) => (month === months[week - 1] ? [] : [{ month, week }]))
  // A month with only one or two weeks here has no room for its name before the next one.
  return names.filter(({ week }, index) => (names[index + 1]?.week ?? weeks.length) - week > 2)
}

/** The months that overlap the year, oldest first, each with its first and last day within the year. */
export function monthsOf(weeks: readonly Day[], today: Day): { month: Day; from: Day; to: Day }[] {
  const begin = weeks[0] ?? today
  const found: { month: Day; from: Day; to: Day }[] = []
  for (let month = firstOfMonth(begin); month <= today; month = addMonths(month, 1)) {
    const last = addDays(addMonths(month, 1), -1)
    found.push({ month, from: month < begin ? begin : month, to: last > today ? today : last })
  }
  return found
}

/**
 * The day that a key moves to from `day` in a year whose weeks are columns; undefined if the key does not move. Never leaves
 * the year or passes `end`.
 */
export function dayByKey(
  key: string,
  day: Day,
  weeks: readonly Day[],
  end: Day,
  toTheEnds: boolean,
): Day | undefined {
  const first = weeks[0] ?? day
  const sameWeekdayIn = (week: Day) => addDays(week, (dayNumber(day) - dayNumber(first)) % 7)
  const within = (to: Day) => (to < first ? first : to > end ? end : to)
  const inRow = (to: Day) => (to < first || to > end ? day : to)
  switch (key) {
    case 'ArrowLeft':
      return inRow(addDays(day, -7))
    case 'ArrowRight':
      return inRow(addDays(day, 7))
    case 'ArrowUp':
      return within(addDays(day, -1))
    case 'ArrowDown':
      return within(addDays(day, 1))
    case 'Home':
      return toTheEnds ? first : sameWeekdayIn(first)
    case 'End': {
      if (toTheEnds) return end
      const last = sameWeekdayIn(weeks.at(-1) ?? day)
      return last > end ? addDays(last, -7) : last
    }
    case 'PageUp':
      return within(addMonths(day, -1))
    case 'PageDown':
      return within(addMonths(day, 1))
    default:
      return undefined
  }
}

function firstOfMonth(day: Day): Day {
  return addDays(day, 1 - Number(day.slice(8)))
}

/** The same day of another month, or that month's last day if it has no such day. */
function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayFromNumber(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)) / 86_400_000)
}
