import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { countOfSeries, seriesFrom } from '#features/todos/repeat/rule/series.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'

/** The series from today on, for a file that does not describe its past days; undefined if the series has ended. */
export function currentSeries(rule: RepeatRule, today: Day): RepeatRule | undefined {
  if (rule.from >= today) return rule
  if (rule.until !== undefined && rule.until < today) return undefined
  if (rule.mode === 'done') return { ...rule, from: today }
  const [first] = seriesFrom(rule, today).take(1)
  if (first === undefined || rule.times === undefined) return first && { ...rule, from: first }
  return { ...rule, from: first, times: rule.times - countOfSeries(rule, rule.from, addDays(first, -1)) }
}
