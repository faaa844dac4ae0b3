import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import { minDays } from './insights.ts'

/** Says that there are no insights yet, which comparisons are made, and how many more days they need. */
export function formatNoInsights({ withFocus, without }: { withFocus: number; without: number }): string {
  const compared = `No insights yet. Once there are at least ${minDays} days of each kind, Daymark compares weekdays with weekends, and days with a focus session with days without one.`
  return withFocus < minDays || without < minDays
    ? `${compared} So far you have ${counted(withFocus, 'day')} with a focus session and ${integerFormat.format(without)} without.`
    : `${compared} Differences too large to be due to chance will appear here.`
}
