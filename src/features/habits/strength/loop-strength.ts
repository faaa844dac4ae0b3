/** A habit of Loop Habit Tracker, to be done `numerator` times in `denominator` days. */
export interface LoopHabit {
  numerator: number
  denominator: number
  /** The target of a measurable habit, in thousandths; null for a habit that is ticked. */
  target: { at: 'least' | 'most'; amount: number } | null
}

/** A day in Loop's history. A number is the amount of a measurable habit, in thousandths. */
export type LoopDay = 'done' | 'skipped' | null | number

/**
 * The strength that Loop Habit Tracker 2 shows, 0 to 100, for the days from the first entry to today. Each day, the score moves
 * toward the share reached in the last days. A skipped day does not change the score, but stays in the window as a day on which
 * nothing was done: this is how skips alone lower the score later (Loop's issue 1695).
 */
export function loopStrength(habit: LoopHabit, days: readonly LoopDay[]): number {
  return 100 * (loopScores(habit, days).at(-1) ?? 0)
}

/** Loop's score after each day, 0 to 1. */
export function loopScores(
  { numerator, denominator, target }: LoopHabit,
  days: readonly LoopDay[],
): number[] {
  const frequency = numerator / denominator
  const decay = loopDecay(frequency)
  const daily = numerator === denominator
  // For a ticked habit that is due less than daily, Loop doubles the window, so that doing it on other days costs less.
  const windows = target === null && frequency < 1 ? 2 : 1
  const [times, window] = daily ? [1, 1] : [numerator * windows, denominator * windows]

  let score = target?.at === 'most' ? 1 : 0
  let sum = 0
  return days.map((day, index) => {
    sum += shownBy(day, target !== null) - shownBy(days[index - window] ?? null, target !== null)
    if (day === 'skipped') return score
    score = score * decay + shareOf(sum, target, times) * (1 - decay)
    return score
  })
}

/** The share of the previous day's score that remains after a day. */
export function loopDecay(frequency: number): number {
  return 0.5 ** (Math.sqrt(frequency) / 13)
}

/** Loop stores a skip as 3, and its sum of amounts counts that as three thousandths. */
function shownBy(day: LoopDay, isAmount: boolean): number {
  if (typeof day === 'number') return day
  if (isAmount) return day === 'skipped' ? 3 : 0
  return day === 'done' ? 1 : 0
}

function shareOf(sum: number, target: LoopHabit['target'], times: number): number {
  if (target === null) return Math.min(1, sum / times)
  if (target.at === 'least') return target.amount > 0 ? Math.min(1, sum / target.amount) : 1
  if (target.amount === 0) return sum > 0 ? 0 : 1
  return Math.min(1, Math.max(0, 1 - (sum - target.amount) / target.amount))
}
