import { type Day, daySchema, lastChoosable } from '#platform/calendar/day.ts'
import { addMonths, lastOfMonth } from '#platform/calendar/month.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { dayAndMonth, dayOfMonth } from '#platform/format/format-day.ts'
import { capitalized, listed, weekdayName } from '#platform/format/words.ts'
import { comesBackOn } from '../rule/repeat.ts'
import type { DueRule, Frequency, NthWeekday, RepeatRule } from '../rule/repeat-rule.ts'
import { dayInMonth, interval, inWeek } from '../rule/repeat-words.ts'
import { seriesFrom } from '../rule/series.ts'

/** What stands in the fields of the repeat picker. Numbers are as they were typed. */
export interface RepeatDraft {
  every: string
  freq: Frequency
  weekdays: readonly WeekStart[]
  /** On which day of its month it is due, as one of `onChoices`. */
  on: OnMonth | undefined
  mode: 'due' | 'done'
  ends: 'never' | 'day' | 'times'
  /** Undefined until it is chosen (`untilOf`). */
  until: Day | undefined
  times: string
}

export type OnMonth = { days: readonly number[] } | { nth: readonly NthWeekday[] }

/** Where a to-do stands while its repeat is chosen. */
export interface RepeatedTodo {
  /** The rule that it has. */
  rule: RepeatRule | null
  /** How often it was done since the first day of that rule. */
  done: number
  /** When it is due; today if it is not. */
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
 * The days of a month, or of a year, that are offered: those that the due day is. A rule that has others keeps them, before these,
 * until something else is chosen.
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
    // Not every month has a fifth one.
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
 * The rule that the draft gives, or what stands in its way. It begins on the first of its days from the due day on; if only its end
 * was changed it goes on as it was, and its times are counted from where it began.
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

/** The last day: so that a few are left, unless another one was chosen. */
export function untilOf({ until, freq }: RepeatDraft, { from }: RepeatedTodo): Day {
  if (until !== undefined) return until
  const day = addMonths(from, { day: 1, week: 3, month: 12, year: 60 }[freq])
  return daySchema.parse(day < lastChoosable ? day : lastChoosable)
}

/** Undefined if it is a number of times. One that has a day and a number, which is not offered, is kept until another is chosen. */
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
  // A year's days are in the month of its first day.
  const [first = from] = nextDays({ freq, every: 1, ...on, mode: 'due', from: origin }, from)
  return { freq, every, ...on, mode: 'due', from: origin === from ? from : first }
}

/** Of the days that are offered, the one that was chosen: the first until the person says otherwise. */
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
  // One that goes on counts the times that it was done; another one begins anew.
  return nextDays(rule, todo.from, todo.rule?.from === rule.from ? todo.done : 0)
}

/** The next days on which it is due: in mode 'done', if it is done on each of them, and was done so many times before. */
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

/** What counting from the due date means for a to-do that is done late. */
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

/** The day whose month a year's days are in: that of the rule which has them. */
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
