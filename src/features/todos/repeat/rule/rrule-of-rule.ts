import type { DueRule } from './repeat-rule.ts'
import { lastOfSeries, seriesFrom } from './series.ts'

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const weekday = (number: number) => weekdays[number - 1] ?? ''

/**
 * The rule as a calendar reads it (RFC 5545), beginning with the first day of the series. By default a calendar skips months that
 * lack the day; Daymark uses the last day of such a month, which RFC 7529 expresses with SKIP.
 */
export function rruleOfRule(rule: DueRule): string {
  const parts = [...partsOf(rule), ...endOf(rule)]
  const isClamped = 'days' in rule && rule.days.some((day) => day > 28)
  const inOrder = isClamped ? ['RSCALE=GREGORIAN', ...parts, 'SKIP=BACKWARD'] : parts
  return inOrder.join(';')
}

function partsOf(rule: DueRule): string[] {
  const every = rule.every === 1 ? [] : [`INTERVAL=${rule.every}`]
  switch (rule.freq) {
    case 'day':
      return ['FREQ=DAILY', ...every]
    case 'week': {
      const days = rule.weekdays.map(weekday).join()
      return ['FREQ=WEEKLY', ...every, `BYDAY=${days}`, `WKST=${weekday(rule.week_start)}`]
    }
    case 'month':
      return ['FREQ=MONTHLY', ...every, daysOfMonth(rule)]
    case 'year':
      return ['FREQ=YEARLY', ...every, `BYMONTH=${Number(rule.from.slice(5, 7))}`, daysOfMonth(rule)]
  }
}

function daysOfMonth(on: Extract<DueRule, { freq: 'month' | 'year' }>): string {
  if ('days' in on) return `BYMONTHDAY=${on.days.join()}`
  return `BYDAY=${on.nth.map(([nth, day]) => `${nth}${weekday(day)}`).join()}`
}

/** A calendar takes only one end: if a rule has two, the earlier one. */
function endOf(rule: DueRule): string[] {
  if (rule.until === undefined) return rule.times === undefined ? [] : [`COUNT=${rule.times}`]
  const last = (rule.times === undefined ? rule.until : lastOfSeries(rule)) ?? rule.until
  return [`UNTIL=${last.replaceAll('-', '')}`]
}

/** The first day of the series; undefined if the rule ends before it gives a day. */
export function firstOfSeries(rule: DueRule) {
  const { value } = seriesFrom(rule, rule.from).next()
  return value ?? undefined
}
