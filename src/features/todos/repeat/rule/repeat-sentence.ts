import { addDays, type Day } from '#platform/calendar/day.ts'
import { capitalized, listed, shortMonth, times } from '#platform/format/words.ts'
import type { RepeatRule } from './repeat-rule.ts'
import { afterDone, everyOn, type RepeatStyle, theDay } from './repeat-words.ts'
import { lastOfSeries } from './series.ts'

/** A complete rule as a sentence: 'Every 2 weeks on Tue and Fri, 10 times, the last on 22 Jan.' */
export function repeatSentence(rule: RepeatRule, today: Day): string {
  const ends = [
    rule.until !== undefined && `until ${nearDay(rule.until, today)}`,
    rule.times !== undefined && times(rule.times),
  ].filter((part) => part !== false)
  if (rule.mode === 'done') {
    const begins = `first on ${nearDay(rule.from, today)}`
    return sentence([afterDone(rule), begins, ...ends])
  }
  const last = rule.times === undefined ? undefined : lastOfSeries(rule)
  if (last !== undefined) ends.push(`${rule.times === 1 ? '' : 'the last '}on ${nearDay(last, today)}`)
  return sentence([everyOn(rule, whole), ...(ends.length > 0 ? ends : ['from the due date'])])
}

/** '31 Dec', with the year if the day is far from today. */
export function nearDay(day: Day, today: Day): string {
  const text = `${Number(day.slice(8))} ${shortMonth(day)}`
  return day > addDays(today, -180) && day < addDays(today, 365) ? text : `${text} ${day.slice(0, 4)}`
}

/** The style of a full sentence. Adds 'or the last day' to days after the 28th, because not every month has them. */
const whole: RepeatStyle = {
  join: listed,
  dayOfMonth: (day) => (day > 28 ? `${theDay(day)} or the last day` : theDay(day)),
  dayOfYear: (text) => (text === '29 Feb' ? '29 Feb or 28 Feb' : text),
}

function sentence(parts: readonly string[]): string {
  return `${capitalized(parts.join(', '))}.`
}
