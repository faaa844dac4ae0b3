import type { Figure, Measure } from './day-figure.ts'

/** In seconds: heights that can be said in a word or two. */
const tops = [900, 1_800, 3_600, 5_400, 7_200, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000]

/** What the top of a chart stands for: the highest bar, for focus the next such height above it. */
export function topOf(measure: Measure, figures: readonly Figure[]): number {
  const highest = Math.max(
    1,
    ...figures.map(({ amount, beside }) => (measure === 'habits' ? Math.max(amount, beside) : amount)),
  )
  if (measure !== 'focus') return highest
  return tops.find((top) => top >= highest) ?? Math.ceil(highest / 36_000) * 36_000
}
