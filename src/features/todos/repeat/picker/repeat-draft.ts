import { type Day, daySchema, lastChoosable } from '#platform/calendar/day.ts'
import { addMonths, lastOfMonth } from '#platform/calendar/month.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { dayAndMonth, dayOfMonth } from '#platform/format/format-day.ts'
import { capitalized, listed, weekdayName } from '#platform/format/words.ts'
import { comesBackOn } from '../rule/repeat.ts'
import type { DueRule, Frequency, NthWeekday, RepeatRule } from '../rule/repeat-rule.ts'
import { dayInMonth, interval, inWeek } from '../rule/repeat-words.ts'
import { seriesFrom } from '../rule/series.ts'

/** The state of the repeat picker's fields. Numbers are kept as typed. */
export interface RepeatDraft {
  every: string
  freq: Frequency
  weekdays: readonly WeekStart[]
  /** On which days of the month or year the to-do is due: one of `onChoices`. */
  on: OnMonth | undefined
  mode: 'due' | 'done'
  ends: 'never' | 'day' | 'times'
  /** The last day; undefined until the person picks one (`untilOf` gives the default). */
  until: Day | undefined
  times: string
}

export type OnMonth = { days: readonly number[] } | { nth: readonly NthWeekday[] }

/** What the picker knows about the to-do. */
export interface RepeatedTodo {
  /** The to-do's current rule. */
  rule: RepeatRule | null
  /** How often the to-do was done since the first day of the current rule. */
  done: number
  /** The due day; today if there is none. */
  from: Day
  weekStart: WeekStart
}

export type DraftProblem = { field: 'every' | 'weekdays' | 'until' | 'times'; problem: string }

export function draftOf({ rule, from }: RepeatedTodo): RepeatDraft {
  return {
    every: String(rule?.every ?? 1),
    freq: rule?.freq ?? 'week',
    weekdays: rule && 'weekdays' in rule ? rule.weekdays : [weekdayOf(from)],
    on: rule ? onOf(rule) : undefined,
    mode: rule?.mode ?? 'due',
    ends: rule?.until !== undefined ? 'day' : rule?.times !== undefined ? 'times' : 'never',
    until: rule?.until,
    times: String(rule?.times ?? 10),
  }
}

function onOf(rule: RepeatRule): OnMonth | undefined {
  if ('days' in rule) return { days: rule.days }
  return 'nth' in rule ? { nth: rule.nth } : undefined
}

/**
 * The choices for the days of a month or year. They describe the due day, such as 'the last Thursday'. If the current rule has
 * other days, those come first.
 */
export function onChoices(freq: 'month' | 'year', { rule, from }: RepeatedTodo): OnMonth[] {
  const offered = freq === 'month' ? inMonth(from) : [{ days: [Number(from.slice(8))] }]
  const kept = rule?.freq === freq ? onOf(rule) : undefined
  return kept && !offered.some((each) => isSame(each, kept)) ? [kept, ...offered] : offered
}

function inMonth(day: Day): OnMonth[] {
  const date = Number(day.slice(8))
  const weekday = weekdayOf(day)
  const nth = Math.ceil(date / 7)
  const isLast = date + 7 > Number(lastOfMonth(day).slice(8))
  return [
    { days: [date] },
    { days: [-1] },
    // Not every month has a fifth Monday, for example.
    ...(nth < 5 ? [{ nth: [[nth, weekday] as const] }] : []),
    ...(isLast ? [{ nth: [[-1, weekday] as const] }] : []),
  ]
}

/** 'the 31st, or the last day of a shorter month', 'the last Thursday', '12 December'. */
export function onWords(on: OnMonth, freq: 'month' | 'year', from: Day): string {
  const days = dayInMonth(on, weekdayName)
  if (freq === 'month') {
    const words = listed(days.map((text) => (text === 'the last day' ? 'the last day of the month' : text)))
    const canBeMissing = 'days' in on && on.days.some((day) => day > 28)
    return canBeMissing ? `${words}, or the last day of a shorter month` : words
  }
  const [only] = 'days' in on && on.days.length === 1 ? on.days : []
  if (only === undefined || only === -1) return `${listed(days)} of ${monthOf(from)}`
  if (only === 29 && from.slice(5, 7) === '02') return '29 February, or 28 February in shorter years'
  return `${Math.min(only, Number(lastOfMonth(from).slice(8)))} ${monthOf(from)}`
}

function monthOf(day: Day): string {
  return dayAndMonth(day, day).slice(dayOfMonth(day).length + 1)
}

export function isSame(one: object | undefined, other: object | undefined): boolean {
  return inOrder(one) === inOrder(other)
}

function inOrder(fields: object = {}): string {
  return JSON.stringify(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * The rule that the draft makes, or the problem with it. The rule begins on its first day on or after the due day. If only the
 * end was changed, the rule keeps its first day, and its times are counted from there.
 */
export function ruleOfDraft(draft: RepeatDraft, todo: RepeatedTodo): RepeatRule | DraftProblem {
  const { rule, from } = todo
  const every = countOf(draft.every)
  if (every === undefined) return { field: 'every', problem: oneTo999 }
  if (draft.mode === 'due' && draft.freq === 'week' && draft.weekdays.length === 0)
    return { field: 'weekdays', problem: 'Choose at least one day.' }
  const times = draft.ends === 'times' ? countOf(draft.times) : undefined
  if (draft.ends === 'times' && times === undefined) return { field: 'times', problem: oneTo999 }

  const endless = draft.mode === 'done' ? afterDone(draft, every, from) : onDays(draft, every, todo)
  const goesOn = rule !== null && isSame(endless, { ...withoutEnd(rule), from: endless.from })
  const begun = goesOn ? withoutEnd(rule) : beginningOnItsFirst(endless)
  const ended = { ...begun, ...(endOf(draft, todo) ?? (times && { times })) }
  if (daysLeft(ended, todo).length > 0) return ended
  return draft.ends === 'times'
    ? { field: 'times', problem: 'It has come back as often already.' }
    : { field: 'until', problem: 'None of its days is left by then.' }
}

/** The last day: the chosen one, or a default that leaves a few occurrences. */
export function untilOf({ until, freq }: RepeatDraft, { from }: RepeatedTodo): Day {
  if (until !== undefined) return until
  const day = addMonths(from, { day: 1, week: 3, month: 12, year: 60 }[freq])
  return daySchema.parse(day < lastChoosable ? day : lastChoosable)
}

/**
 * The end of the rule; undefined if it ends after a number of times. A stored rule may have both an end day and a number of
 * times, which the picker does not offer. Both are kept until the person changes the end.
 */
function endOf(draft: RepeatDraft, todo: RepeatedTodo): { until?: Day; times?: number } | undefined {
  const { ends, until, times } = draftOf(todo)
  const stays = draft.ends === ends && draft.until === until && draft.times === times
  if (draft.ends === 'never') return {}
  if (draft.ends === 'times') return undefined
  return { until: untilOf(draft, todo), ...(stays && todo.rule?.times && { times: todo.rule.times }) }
}

const oneTo999 = 'Type a number from 1 to 999.'

function countOf(text: string): number | undefined {
  const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0
  return count > 0 ? count : undefined
}

function afterDone({ freq }: RepeatDraft, every: number, from: Day): RepeatRule {
  return { freq, every, mode: 'done', from }
}

function onDays(draft: RepeatDraft, every: number, todo: RepeatedTodo): DueRule {
  const { rule, from, weekStart } = todo
  const { freq } = draft
  if (freq === 'day') return { freq, every, mode: 'due', from }
  if (freq === 'week') {
    const week_start = rule && 'week_start' in rule ? rule.week_start : weekStart
    return { freq, every, weekdays: inWeek(draft.weekdays, 1), week_start, mode: 'due', from }
  }
  const on = chosenOn(draft, todo) ?? { days: [Number(from.slice(8))] }
  const origin = freq === 'year' ? yearFrom(on, todo) : from
  // A yearly rule is due in the month of its first day.
  const [first = from] = nextDays({ freq, every: 1, ...on, mode: 'due', from: origin }, from)
  return { freq, every, ...on, mode: 'due', from: origin === from ? from : first }
}

/** The offered days that were chosen; the first choice until the person picks another. */
export function chosenOn({ freq, on }: RepeatDraft, todo: RepeatedTodo): OnMonth | undefined {
  if (freq !== 'month' && freq !== 'year') return undefined
  const choices = onChoices(freq, todo)
  return choices.find((each) => isSame(each, on)) ?? choices[0]
}

function withoutEnd({ until, times, ...endless }: RepeatRule): RepeatRule {
  return endless
}

function beginningOnItsFirst(rule: RepeatRule): RepeatRule {
  if (rule.mode === 'done') return rule
  const [first = rule.from] = nextDays(rule, rule.from)
  return { ...rule, from: first }
}

const mostShown = 5

/** The next days on which a to-do would be due by this rule. */
export function daysLeft(rule: RepeatRule, todo: RepeatedTodo): Day[] {
  // A rule that keeps its first day counts the times done so far; any other rule starts at 0.
  return nextDays(rule, todo.from, todo.rule?.from === rule.from ? todo.done : 0)
}

/** The next due days, assuming in mode 'done' that each is done on its day. `done`: how often the to-do was done before. */
function nextDays(rule: RepeatRule, from: Day, done = 0): Day[] {
  const days: Day[] = []
  if (rule.mode === 'due') {
    for (const day of seriesFrom(rule, from)) {
      days.push(day)
      if (days.length === mostShown) break
    }
    return days
  }
  const isLeft = (day: Day) => rule.until === undefined || day <= rule.until
  const most = Math.min(mostShown, (rule.times ?? Number.POSITIVE_INFINITY) - done)
  for (let day = from; days.length < most && isLeft(day); day = comesBackOn(rule, day, day)) days.push(day)
  return days
}

/** Explains what counting from the due date means for a to-do that is done late. */
export function doneLateWords(draft: RepeatDraft, todo: RepeatedTodo): string {
  const days = daysInWords(draft, todo)
  return days === undefined ? 'Done late, the days stay the same' : `Done late, ${days}`
}

function daysInWords(draft: RepeatDraft, todo: RepeatedTodo): string | undefined {
  if (draft.freq === 'week') {
    const names = inWeek(draft.weekdays, todo.weekStart).map(weekdayName)
    if (names.length === 1) return `it still comes back on ${names[0]}`
    return names.length === 0 || names.length === 7 ? undefined : `the days stay ${listed(names)}`
  }
  const on = chosenOn(draft, todo)
  if (!on || draft.freq === 'day') return undefined
  const where =
    draft.freq === 'month' ? listed(dayInMonth(on, weekdayName)) : onWords(on, 'year', yearFrom(on, todo))
  return `it still comes back on ${where.replace(/,.*/, '')}`
}

/**
 * The day whose month a yearly rule takes: the first day of the current rule, if that already is a yearly rule on the same days, and
 * else the due day.
 */
export function yearFrom(on: OnMonth, { rule, from }: RepeatedTodo): Day {
  return rule?.freq === 'year' && isSame(onOf(rule), on) ? rule.from : from
}

/** 'Two weeks after you tick it' */
export function afterTickWords({ every, freq }: RepeatDraft): string {
  const count = countOf(every) ?? 1
  const text = interval(count, freq)
  const word = numberWords[count - 2]
  return `${word ? text.replace(/^\d+/, word) : capitalized(text)} after you tick it`
}

const numberWords = [
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
]
