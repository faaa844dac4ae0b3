import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Day } from '#platform/calendar/day.ts'
import { comingDayInWords } from './day-in-words.ts'

/**
 * A sentence that says which first day was assumed if the file has none. A repeat every second week could begin in either week.
 */
export function unknownBeginning({ freq, every, mode, from }: RepeatRule, today: Day): string[] {
  if (every === 1 || mode === 'done') return []
  const when = freq === 'day' ? 'on which day' : `in which ${freq}`
  return [`The file does not say ${when} it begins: ${comingDayInWords(from, today)}`]
}
