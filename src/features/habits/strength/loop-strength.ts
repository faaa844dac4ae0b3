/** A habit of Loop Habit Tracker: `numerator` times in `denominator` days. */
export interface LoopHabit {
  numerator: number
  denominator: number
  /** For a measurable habit, in thousandths. Null: a habit that is ticked. */
  target: { at: 'least' | 'most'; amount: number } | null
}

/** A day of its history: an amount in thousandths of a measurable habit, else done. */
export type LoopDay = 'done' | 'skipped' | null | number

/**
 * The strength that Loop Habit Tracker 2 shows, 0 to 100, for a history from its first entry to today: each day, the
 * score moves towards the share that the last days reached. A skipped day leaves the score as it is, but stays among
 * those days with nothing done: this is how skips alone lower it (its issue 1695).
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
  // A rhythm that is ticked less than daily looks at twice its window, so that changing days cost less.
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

/** What is left of the score of the day before. */
export function loopDecay(frequency: number): number {
  return 0.5 ** (Math.sqrt(frequency) / 13)
}

/** Loop stores a skip as 3, which its sum of amounts takes for three thousandths. */
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
