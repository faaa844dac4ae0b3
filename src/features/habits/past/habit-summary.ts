import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'
import { type PeriodResult, resultsBetween } from '../rhythm/period-result.ts'
import { periodOn, periodsBetween } from '../rhythm/periods.ts'
import { nameOfSpans, periodKindOf } from '../rhythm/rhythm.ts'
import { countResults, countsOf, listedRateRange, type PeriodCounts } from '../strength/completion-rate.ts'
import {
  noStreak,
  type StreakRecords,
  type Streaks,
  streaksOf,
  unitChanges,
  withResult,
} from '../strength/streaks.ts'
import { noShares, strengthOf, type WeightedShares, withShare } from '../strength/strength.ts'

/**
 * The sum of the days before `from`, so that a habit of ten years costs as little as one of one year. It does not depend on today
 * or on later days, so it can be stored together with its name (`nameOfSummary`). A sum becomes invalid if its name would now be
 * another one, or if a write changes the days that it covers. Such a write changes the state or amount of a day before `from`, a
 * pause that includes such a day, the start day, or an archiving before `from`, and must delete the sum. A pause of all habits
 * affects the sum of every habit.
 */
export interface HabitSummary {
  /** The first day of a period, or a day between two periods. */
  from: Day
  /** The streak that ends right before `from`. */
  run: number
  records: StreakRecords
  strength: WeightedShares
  /** The earliest summed-up day with an amount. Pass it to `trackOf` together with the days since `from`. */
  firstEntry: Day | null
  /** For an archived habit: these numbers as if it were not archived. */
  unarchived?: Pick<HabitSummary, 'run' | 'records' | 'strength'> | undefined
}

/**
 * A text that names what a summary was made for: the rhythms and targets up to its end, and the week start if any period is a
 * week.
 */
export function nameOfSummary(track: HabitTrack, from: Day): string {
  const spans = track.spans.filter(({ first }) => first <= dayNumber(from))
  const hasWeeks = spans.some(({ rhythm, target }) => periodKindOf(rhythm, target) === 'week')
  return nameOfSpans(spans) + (hasWeeks ? `; weeks from ${track.weekStart}` : '')
}

/**
 * Sums up the periods that end before the period of `day`. That period must be over. With `earlier`, the track needs only the
 * days since `earlier.from`.
 */
export function sumUpTrack(track: HabitTrack, day: Day, earlier?: HabitSummary): HabitSummary {
  const from = periodOn(track, dayNumber(day))?.first ?? dayNumber(day)
  if (earlier && from <= dayNumber(earlier.from)) return earlier
  let streak = stateOf(earlier)
  let strength = earlier?.strength ?? noShares
  for (const result of resultsBetween(track, startOf(earlier), from - 1, from)) {
    streak = withResult(track, streak, result)
    strength = withShare(strength, result)
  }
  return {
    from: dayFromNumber(from),
    run: unitChanges(track, streak.seenTo, from - 1) ? 0 : streak.run,
    records: streak.records,
    strength,
    firstEntry: track.firstEntry < from ? dayFromNumber(track.firstEntry) : null,
    unarchived: sumUpUnarchived(track, day, earlier),
  }
}

function sumUpUnarchived(track: HabitTrack, day: Day, earlier?: HabitSummary): HabitSummary['unarchived'] {
  if (track.archived === Number.POSITIVE_INFINITY) return undefined
  const unarchived = { ...track, archived: Number.POSITIVE_INFINITY }
  const { run, records, strength } = sumUpTrack(
    unarchived,
    day,
    earlier && { ...earlier, ...earlier.unarchived },
  )
  return { run, records, strength }
}

/**
 * A summary for lists. It also has the results of the older periods that the rate covers, so the days of the last year need not
 * be read for the rate.
 */
export interface ListedSummary extends HabitSummary {
  lately: {
    /** The first day that the rate can look back to. */
    from: Day
    /** The last day (`dayNumber`) of each done period since `from`; `failed` holds the last day of each failed period. */
    done: readonly number[]
    failed: readonly number[]
  }
}

/** Sums up the periods that end before the period of `day`, for lists that are shown on `today` or later. */
export function sumUpListed(track: HabitTrack, day: Day, today: Day, earlier?: ListedSummary): ListedSummary {
  const summary = sumUpTrack(track, day, earlier)
  const { from } = listedRateRange(track, today)
  const first = dayNumber(from)
  const since = earlier ? Math.max(first, dayNumber(earlier.from)) : first
  const until = dayNumber(summary.from)
  const results = since < until ? resultsBetween(track, since, until - 1, until) : []
  const lastDays = (wanted: PeriodResult['result']) =>
    results.filter(({ result }) => result === wanted).map(({ period }) => period.last)
  const known = (days: readonly number[] = []) => days.filter((last) => last >= first)
  return {
    ...summary,
    lately: {
      from,
      done: [...known(earlier?.lately.done), ...lastDays('done')],
      failed: [...known(earlier?.lately.failed), ...lastDays('failed')],
    },
  }
}

/**
 * Whether this summary is enough for the rate of a listed habit. Another rhythm may make the rate look back further than the
 * summary.
 */
export function knowsRate(track: HabitTrack, today: Day, { lately }: ListedSummary): boolean {
  return lately.from <= listedRateRange(track, today).from
}

/** The numbers of a listed habit. The track has the days since `earlier.from`, which must be in the past. */
export function listedNumbersOf(track: HabitTrack, today: Day, earlier: ListedSummary): HabitNumbers {
  const now = dayNumber(today)
  const first = dayNumber(listedRateRange(track, today).from)
  const results = resultsSince(track, today, earlier)
  const since = countsOf(results.filter(({ period }) => period.first <= now && period.last >= first))
  const countLately = (days: readonly number[]) => days.filter((last) => last >= first).length
  const done = since.done + countLately(earlier.lately.done)
  const due = since.due + countLately(earlier.lately.done) + countLately(earlier.lately.failed)
  return numbersWith(track, results, today, { done, due }, earlier)
}

/** The numbers of a habit as a person sees them on a day. */
export interface HabitNumbers {
  streaks: Streaks
  /** 0 to 1; null while nothing was due. */
  completionRate: number | null
  strength: number | null
  /** The period that contains today and its progress; undefined if nothing is due today. */
  now: PeriodResult | undefined
}

/** With a summary, the track needs only the days since `earlier.from`, which must not be after `rateNeeds`. */
export function numbersOf(track: HabitTrack, today: Day, earlier?: HabitSummary): HabitNumbers {
  const counts = countResults(track, listedRateRange(track, today), today)
  return numbersWith(track, resultsSince(track, today, earlier), today, counts, earlier)
}

/** `results` are all periods that `earlier` does not contain. */
function numbersWith(
  track: HabitTrack,
  results: readonly PeriodResult[],
  today: Day,
  { done, due }: PeriodCounts,
  earlier?: HabitSummary,
): HabitNumbers {
  const now = dayNumber(today)
  return {
    streaks: streaksOf(track, results, now, stateOf(earlier)),
    completionRate: due === 0 ? null : done / due,
    strength: strengthOf(track, results, now, earlier?.strength),
    now: results.find(({ period }) => period.first <= now && now <= period.last),
  }
}

/** The results of all periods that the summary does not contain, up to the last day that has anything on it. */
export function resultsSince(track: HabitTrack, today: Day, earlier?: HabitSummary): PeriodResult[] {
  const now = dayNumber(today)
  return resultsBetween(track, startOf(earlier), Math.max(now, track.latest), now)
}

/** The first day that the rate of a listed habit needs. A summary that ends later lacks days that the rate needs. */
export function rateNeeds(track: HabitTrack, today: Day): Day {
  const { from, to } = listedRateRange(track, today)
  const first = periodsBetween(track, dayNumber(from), dayNumber(to)).next().value?.first
  return dayFromNumber(Math.min(first ?? Number.POSITIVE_INFINITY, dayNumber(from)))
}

function startOf(earlier?: HabitSummary): number {
  return earlier ? dayNumber(earlier.from) : Number.NEGATIVE_INFINITY
}

function stateOf(earlier?: HabitSummary) {
  if (!earlier) return noStreak
  return { ...noStreak, seenTo: dayNumber(earlier.from) - 1, run: earlier.run, records: earlier.records }
}
