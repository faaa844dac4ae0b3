import type { HabitTrack } from '../rhythm/habit-track.ts'
import { type PeriodResult, resultsBetween } from '../rhythm/period-result.ts'
import { type StreakUnit, spanOn, spanPlaceOn, streakUnitOf } from '../rhythm/rhythm.ts'

/** The longest streak in each unit. A change of the unit starts a new streak; the record of the old unit stays here. */
export type StreakRecords = Record<StreakUnit, number>

export interface Streaks {
  unit: StreakUnit
  current: number
  /** The longest streak in the current unit. */
  longest: number
  records: StreakRecords
}

/** The streaks after some periods. More periods can be added with `withResult`. */
export interface StreakState {
  /** The day up to which changes of the unit have been handled. */
  seenTo: number
  run: number
  records: StreakRecords
}

export const noStreak: StreakState = {
  seenTo: Number.NEGATIVE_INFINITY,
  run: 0,
  records: { days: 0, weeks: 0, months: 0, times: 0 },
}

/** `results` are all periods that `before` does not contain, in order, including those after today. */
export function streaksOf(
  track: HabitTrack,
  results: readonly PeriodResult[],
  today: number,
  before: StreakState = noStreak,
): Streaks {
  const { seenTo, run, records } = asIfToday(track, results, today).reduce(
    (state, result) => withResult(track, state, result),
    before,
  )
  const unit = unitOn(track, today)
  const current = unitChanges(track, seenTo, today) ? 0 : run
  return { unit, current, longest: records[unit], records }
}

export function withResult(
  track: HabitTrack,
  state: StreakState,
  { period, result }: PeriodResult,
): StreakState {
  const seenTo = Math.max(state.seenTo, period.first)
  const run = unitChanges(track, state.seenTo, seenTo) ? 0 : state.run
  if (result === 'failed') return { seenTo, run: 0, records: state.records }
  if (result !== 'done') return { seenTo, run, records: state.records }
  const unit = streakUnitOf(period.span.rhythm, period.span.target)
  const records = { ...state.records, [unit]: Math.max(state.records[unit], run + 1) }
  return { seenTo, run: run + 1, records }
}

/**
 * The periods that streaks count. If a period after today is already done, which happens after a flight west, it counts as if
 * today were its day. If the unit of streaks changes before that period, it counts only once its day has come.
 */
function asIfToday(
  track: HabitTrack,
  results: readonly PeriodResult[],
  today: number,
): readonly PeriodResult[] {
  const ahead = results.findLast(
    ({ period: { first }, result }) =>
      first > today && result === 'done' && !unitChanges(track, today, first),
  )
  const begun = results.filter(({ period }) => period.first <= today)
  if (!ahead) return begun
  const last = ahead.period.first
  return resultsBetween(track, results[0]?.period.first ?? last, last, last)
}

/** Whether the unit of streaks changes after one day and up to another, so that a streak ends. */
export function unitChanges({ spans }: HabitTrack, after: number, upTo: number): boolean {
  for (let place = spanPlaceOn(spans, after) + 1; place < spans.length; place += 1) {
    const [before, span] = [spans[place - 1], spans[place]]
    if (!before || !span || span.first > upTo) return false
    if (streakUnitOf(span.rhythm, span.target) !== streakUnitOf(before.rhythm, before.target)) return true
  }
  return false
}

function unitOn({ spans }: HabitTrack, day: number): StreakUnit {
  const { rhythm, target } = spanOn(spans, day)
  return streakUnitOf(rhythm, target)
}
