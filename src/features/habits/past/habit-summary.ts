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
 * What the days before `from` add up to, so that ten years cost what one costs. It depends neither on today nor on what
 * came later, so it can be stored, with its name (`nameOfSummary`). It is wrong once the name for its `from` differs, or
 * a write changes what it covers: the state or amount of a day before `from`, a pause with such a day (a pause of all
 * habits touches all of them), the start day, or an archiving before `from`. Such a write must delete it.
 */
export interface HabitSummary {
  /** The first day of a period, or a day between two. */
  from: Day
  /** The streak that ends right before it. */
  run: number
  records: StreakRecords
  strength: WeightedShares
  /** The earliest day with an amount among them: give it to `trackOf` with the days since. */
  firstEntry: Day | null
  /** Of an archived habit: the same as if it were not. */
  unarchived?: Pick<HabitSummary, 'run' | 'records' | 'strength'> | undefined
}

/** What a summary was made for: rhythms and targets up to its end, and the week start if it has weeks. */
export function nameOfSummary(track: HabitTrack, from: Day): string {
  const spans = track.spans.filter(({ first }) => first <= dayNumber(from))
  const hasWeeks = spans.some(({ rhythm, target }) => periodKindOf(rhythm, target) === 'week')
  return nameOfSpans(spans) + (hasWeeks ? `; weeks from ${track.weekStart}` : '')
}

/** Sums up the periods that end before that of `day`, which is over. With `earlier`, the track has the days since it. */
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
 * A summary for lists, which also knows what became of the older periods that the rate looks at: so the rate needs no days
 * of up to a year ago.
 */
export interface ListedSummary extends HabitSummary {
  lately: {
    /** The first day that the rate can look back to. */
    from: Day
    /** The last days (`dayNumber`) of the periods since then that were done, and of those that were not. */
    done: readonly number[]
    failed: readonly number[]
  }
}

/** Sums up the periods that end before that of `day`, for lists from `today` on. */
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

/** Whether the rate of a listed habit can be told with this summary: not if another rhythm makes it look back further. */
export function knowsRate(track: HabitTrack, today: Day, { lately }: ListedSummary): boolean {
  return lately.from <= listedRateRange(track, today).from
}

/** The numbers of a listed habit. The track has the days since `earlier.from`, which is over. */
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
  /** What is to be done in the period of today, and how far it is; undefined if nothing is due. */
  now: PeriodResult | undefined
}

/** With a summary, the track has the days since `earlier.from`, which is no later than `rateNeeds`. */
export function numbersOf(track: HabitTrack, today: Day, earlier?: HabitSummary): HabitNumbers {
  const counts = countResults(track, listedRateRange(track, today), today)
  return numbersWith(track, resultsSince(track, today, earlier), today, counts, earlier)
}

/** `results` are all that `earlier` does not contain. */
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

/** What became of all periods that the summary does not contain, up to the last day with anything on it. */
export function resultsSince(track: HabitTrack, today: Day, earlier?: HabitSummary): PeriodResult[] {
  const now = dayNumber(today)
  return resultsBetween(track, startOf(earlier), Math.max(now, track.latest), now)
}

/** The first day that the rate of a listed habit looks at: a summary that ends later leaves out what it needs. */
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
