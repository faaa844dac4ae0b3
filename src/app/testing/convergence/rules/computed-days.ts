import type { DoneRule, DueRule, RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'

// Computes which occurrences of a repeating to-do are due, differently from the product: it examines the days one by one.

export interface Settled {
  day: Day
  state: 'done' | 'skipped' | 'open'
  done_on: Day | null
  moved_to: Day | null
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of a person whose days begin some minutes after midnight, by the wall clock, whatever daylight saving does. */
export function dayIn(
  instant: Instant,
  { time_zone, day_start }: { time_zone: string; day_start: number },
): Day {
  const format =
    formats.get(time_zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(time_zone, format)
  const [day = '', time = ''] = format.format(instant).split(' ')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes < day_start ? plus(day, { days: -1 }) : daySchema.parse(day)
}

/** The next occurrence of a to-do whose rule counts from the day of completion. */
export function comesBack({ freq, every }: DoneRule, day: Day, doneOn: Day): Day {
  const [after, tomorrow] = [plus(doneOn, { [`${freq}s`]: every }), plus(day, { days: 1 })]
  return after > tomorrow ? after : tomorrow
}

const series = new Map<string, Day[]>()

/** The occurrences of the next years, in order. */
export function daysOfRule(rule: DueRule): Day[] {
  const known = series.get(JSON.stringify(rule))
  if (known) return known
  const first = Temporal.PlainDate.from(rule.from)
  const days: Day[] = []
  for (let ahead = 0; ahead < 1_200; ahead++) {
    const date = first.add({ days: ahead })
    if (rule.until !== undefined && date.toString() > rule.until) break
    if (days.length === rule.times) break
    if (isDayOf(rule, first, date)) days.push(daySchema.parse(date.toString()))
  }
  series.set(JSON.stringify(rule), days)
  return days
}

function isDayOf(rule: DueRule, first: Temporal.PlainDate, date: Temporal.PlainDate): boolean {
  if (rule.freq === 'day') return first.until(date).days % rule.every === 0
  if (rule.freq === 'week') {
    const startOf = (each: Temporal.PlainDate) =>
      each.subtract({ days: (each.dayOfWeek - rule.week_start + 7) % 7 })
    const weeks = startOf(first).until(startOf(date)).days / 7
    return weeks % rule.every === 0 && rule.weekdays.some((weekday) => weekday === date.dayOfWeek)
  }
  if (!('days' in rule) || rule.freq === 'year') throw new Error('No schedule has such a rule')
  const months = (date.year - first.year) * 12 + date.month - first.month
  if (months % rule.every !== 0) return false
  return rule.days.some((day) =>
    day === -1 ? date.day === date.daysInMonth : date.day === Math.min(day, date.daysInMonth),
  )
}

/** The open occurrence on a day, its due day, and the number of missed occurrences. */
export function dueBy(
  rule: RepeatRule,
  rows: readonly Settled[],
  today: Day,
): { open?: Day; due?: Day; missed: number } {
  const settled = new Map(rows.filter(({ state }) => state !== 'open').map((row) => [row.day, row]))
  const shown = (open: Day | undefined, missed: number) =>
    open ? { open, due: rows.find(({ day }) => day === open)?.moved_to ?? open, missed } : { missed }
  if (rule.mode === 'done') {
    const done = rows.filter(({ state, day }) => state === 'done' && day >= rule.from).length
    let day = rule.from
    for (let row = settled.get(day); row; row = settled.get(day))
      day = comesBack(rule, day, row.done_on ?? day)
    const isOver =
      (rule.until !== undefined && day > rule.until) || done >= (rule.times ?? Number.POSITIVE_INFINITY)
    return shown(isOver ? undefined : day, 0)
  }
  const days = daysOfRule(rule)
  const latest = days.findLast((day) => day <= today)
  const open = days.find((day) => day >= (latest ?? '') && !settled.has(day))
  const yearAgo = plus(today, { days: -366 })
  const missed = days.filter(
    (day) => day >= yearAgo && day <= today && day < (open ?? '9999') && !settled.has(day),
  )
  return shown(open, missed.length)
}

function plus(day: string, duration: Temporal.DurationLike): Day {
  return daySchema.parse(Temporal.PlainDate.from(day).add(duration).toString())
}
