import { addDays, type Day } from '#platform/calendar/day.ts'
import { lastOfMonth } from '#platform/calendar/month.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { type Frequency, filledIn, type RepeatRule, type SentRule, sentRuleSchema } from './repeat-rule.ts'
import { dayOfMonthWords, nthWords } from './repeat-words.ts'

/** What is chosen while a rule is being made. Numbers are as they were typed. */
export interface RepeatDraft {
  every: string
  freq: Frequency
  weekdays: readonly WeekStart[]
  /** The key of one of `monthChoices`. */
  on: string
  counted: RepeatRule['mode']
  ends: 'never' | 'on a day' | 'after'
  until: Day
  times: string
}

/** What a draft begins with and ends in. */
interface Around {
  /** The rule that is changed; undefined for a new one. */
  former: RepeatRule | undefined
  /** The day on which the open occurrence is due, or today: the choices are made of it. */
  base: Day
  weekStart: WeekStart
}

interface MonthChoice {
  key: string
  words: string
  on: Pick<SentRule, 'days' | 'nth'>
}

const dayNumberOf = (day: Day) => Number(day.slice(8))

/** On which days of a month, or of the month of a year, it can come back; what the former rule says is kept as a choice. */
export function monthChoices(
  freq: Frequency,
  { former, base }: Pick<Around, 'former' | 'base'>,
): MonthChoice[] {
  if (freq !== 'month' && freq !== 'year') return []
  const number = dayNumberOf(base)
  const [weekday, nth] = [weekdayOf(base), Math.ceil(number / 7)]
  const isLast = addDays(base, 7) > lastOfMonth(base)
  const choices: MonthChoice[] = [
    {
      key: 'day',
      words:
        number > 28
          ? `${dayOfMonthWords(number)}, or the last day of a shorter month`
          : dayOfMonthWords(number),
      on: { days: [number] },
    },
  ]
  if (freq === 'month') {
    choices.push({ key: 'last day', words: 'the last day of the month', on: { days: [-1] } })
    if (nth < 5) choices.push({ key: 'nth', words: nthWords([nth, weekday]), on: { nth: [[nth, weekday]] } })
    if (isLast) choices.push({ key: 'last', words: nthWords([-1, weekday]), on: { nth: [[-1, weekday]] } })
  }
  const kept = former && former.freq === freq ? onOf(former) : undefined
  if (!kept || choices.some(({ on }) => isSame(on, kept))) return choices
  const words = kept.days?.map(dayOfMonthWords) ?? kept.nth?.map((each) => nthWords(each)) ?? []
  return [...choices, { key: 'kept', words: words.join(' and '), on: kept }]
}

export function draftOf({ former, base }: Around): RepeatDraft {
  const freq = former?.freq ?? 'week'
  const kept = former && onOf(former)
  return {
    every: String(former?.every ?? 1),
    freq,
    weekdays: former?.mode === 'due' && former.freq === 'week' ? former.weekdays : [weekdayOf(base)],
    on: monthChoices(freq, { former, base }).find(({ on }) => kept && isSame(on, kept))?.key ?? 'day',
    counted: former?.mode ?? 'due',
    ends: former?.times ? 'after' : former?.until ? 'on a day' : 'never',
    until: former?.until ?? addDays(base, 365),
    times: String(former?.times ?? 10),
  }
}

/** The rule, or what is wrong with a field. */
export function ruleOfDraft(
  draft: RepeatDraft,
  { former, base, weekStart }: Around,
): { rule: RepeatRule } | { field: 'every' | 'times' | 'until'; problem: string } {
  const { freq, counted: mode, ends } = draft
  const every = countOf(draft.every)
  const times = ends === 'after' ? countOf(draft.times) : undefined
  const count = 'Enter a number from 1 to 999'
  if (every === undefined) return { field: 'every', problem: count }
  if (ends === 'after' && times === undefined) return { field: 'times', problem: count }
  const choices = monthChoices(freq, { former, base })
  const on = (choices.find(({ key }) => key === draft.on) ?? choices[0])?.on
  const weeks = {
    weekdays: [...draft.weekdays],
    week_start: former?.mode === 'due' && former.freq === 'week' ? former.week_start : weekStart,
  }
  const sent = {
    ...{ freq, every, mode, from: base },
    ...(mode === 'due' && freq === 'week' && weeks),
    ...(mode === 'due' && on),
    ...(times !== undefined && { times }),
    ...(ends === 'on a day' && { until: draft.until }),
  }
  // Whoever changes only when it ends does not begin anew.
  const from = former && isSame(withoutEnd(filledIn(sent, weekStart)), withoutEnd({ ...former, from: base }))
  const { data, error } = sentRuleSchema.safeParse({ ...sent, from: from ? former.from : base })
  if (!data) return { field: 'until', problem: error.issues[0]?.message ?? 'Choose another day' }
  return { rule: filledIn(data, weekStart) }
}

function countOf(typed: string): number | undefined {
  const count = Number(typed)
  return Number.isInteger(count) && count >= 1 && count <= 999 ? count : undefined
}

function onOf(rule: RepeatRule): Pick<SentRule, 'days' | 'nth'> | undefined {
  if (rule.mode === 'done' || rule.freq === 'day' || rule.freq === 'week') return undefined
  return 'nth' in rule ? { nth: rule.nth.map(([nth, weekday]) => [nth, weekday]) } : { days: [...rule.days] }
}

function withoutEnd({ until, times, ...rule }: RepeatRule): object {
  return rule
}

/** Rules have few fields, always in the same order. */
function isSame(one: object, other: object): boolean {
  const inOrder = (value: object) =>
    JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return inOrder(one) === inOrder(other)
}
