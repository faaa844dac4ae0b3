import { dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { firstOfMonth } from '#platform/calendar/month.ts'
import { firstDayOfWeek, weekdayOf, weekOfNumber } from '#platform/calendar/week.ts'
import type { HabitTrack } from './habit-track.ts'
import { dueDayDistance, isWeekly, periodKindOf, type RhythmSpan, spanOn, spanPlaceOn } from './rhythm.ts'

/** The days in which a target is to be reached once. Days are numbers (`dayNumber`). */
export interface Period {
  first: number
  last: number
  /** Days in the period, including skipped, paused and archived ones. */
  days: number
  /** The period's length in days, for its weight in the habit's strength. For due days, it is their mean distance. */
  length: number
  /**
   * Whether a change of rhythm, or the habit's start, cut off some of the period's days. The period then counts only if its
   * target was reached.
   */
  cut: boolean
  span: RhythmSpan
}

/**
 * Yields, in order, the periods with at least one day in the range. Both ends are included, and periods at the ends are whole.
 */
export function* periodsBetween(track: HabitTrack, from: number, to: number): Generator<Period> {
  for (let place = spanPlaceOn(track.spans, from); place < track.spans.length; place += 1) {
    const span = track.spans[place]
    if (!span || span.first > to) return
    yield* periodsOfSpan(track, span, Math.max(from, span.first, track.start), Math.min(to, span.last))
  }
}

/** The period that contains a day; undefined if nothing is due on it. */
export function periodOn(track: HabitTrack, day: number): Period | undefined {
  return periodsBetween(track, day, day).next().value ?? undefined
}

function* periodsOfSpan(track: HabitTrack, span: RhythmSpan, from: number, to: number): Generator<Period> {
  const kind = periodKindOf(span.rhythm, span.target)
  if (kind === 'due day') {
    const length = dueDayDistance(span.rhythm)
    for (let day = from; day <= to; day += 1) {
      if (isDueDay(span, day)) yield { first: day, last: day, days: 1, length, cut: false, span }
    }
    return
  }
  const firstIsWhole = isWeekly(span.rhythm, span.target)
  for (let day = from; day <= to; ) {
    const [begin, end] = boundsOn(track, span, day)
    const start = firstIsWhole ? begin : Math.max(begin, track.start)
    const first = Math.max(start, span.first)
    const last = Math.min(end, span.last)
    const days = last - first + 1
    yield { first, last, days, length: days, cut: first > begin || last < end, span }
    day = end + 1
  }
}

/** The first and last day of the calendar week, calendar month or block (n days in a row) that contains a day. */
function boundsOn(track: HabitTrack, span: RhythmSpan, day: number): [number, number] {
  switch (periodKindOf(span.rhythm, span.target)) {
    case 'week': {
      const first = dayNumber(firstDayOfWeek(weekOfNumber(day, track.weekStart), track.weekStart))
      return [first, first + 6]
    }
    case 'month': {
      const first = firstOfMonth(dayFromNumber(day))
      return [dayNumber(first), dayNumber(firstOfMonth(first, 1)) - 1]
    }
    default: {
      const length = 'days' in span.rhythm ? span.rhythm.days : 1
      const first = day - modulo(day - span.anchor, length)
      return [first, first + length - 1]
    }
  }
}

/** Whether the habit is due on a day. In a longer period, it is due on every day. */
export function isDue(track: HabitTrack, day: number): boolean {
  if (day < track.start || day >= track.archived) return false
  const span = spanOn(track.spans, day)
  return periodKindOf(span.rhythm, span.target) !== 'due day' || isDueDay(span, day)
}

function isDueDay({ rhythm, anchor }: RhythmSpan, day: number): boolean {
  if ('every' in rhythm) return modulo(day - anchor, rhythm.every) === 0
  return 'weekdays' in rhythm && rhythm.weekdays.includes(weekdayOf(dayFromNumber(day)))
}

function modulo(number: number, divisor: number): number {
  return ((number % divisor) + divisor) % divisor
}
