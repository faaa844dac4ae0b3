import { filledIn, mostTimes, type RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { seriesFrom } from '#features/todos/repeat/rule/series.ts'
import type { Day } from '#platform/calendar/day.ts'
import { addMonths, firstOfMonth } from '#platform/calendar/month.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import {
  type CompiledForm,
  compiledForm,
  inForm,
  type Reader,
  type Readers,
} from '#platform/language/forms.ts'
import type { RepeatForm, RepeatLanguage } from '#platform/language/language.ts'
import { type DateSlots, dateReaders } from '#platform/language/readers.ts'

/** How a task repeats, before its first day is known. */
export interface RepeatPhrase {
  freq: RepeatRule['freq']
  every: number
  mode: RepeatRule['mode']
  weekdays?: WeekStart[]
  days?: number[]
  nth?: [nth: number, weekday: WeekStart][]
  /** The month of a yearly repeat, from 1 to 12. */
  month?: number
}

/** The repeat that the words describe; undefined if they describe none. */
export function repeatIn(words: readonly string[], language: RepeatLanguage): RepeatPhrase | undefined {
  const { repeats, readers } = formsOf(language)
  for (const { meaning, form } of repeats) {
    const read = inForm(form, words, readers)
    const phrase = read && phraseOf(meaning, read)
    if (phrase) return phrase
  }
}

/** How many times a task repeats, as in '5 times'. */
export function timesIn(words: readonly string[], language: RepeatLanguage): number | undefined {
  const { times, readers } = formsOf(language)
  for (const form of times) {
    const count = inForm(form, words, readers)?.count
    if (count !== undefined && count >= 1 && count <= mostTimes) return count
  }
}

/**
 * The rule for a phrase; undefined if it would end before its first day. The first day is the next day that fits the phrase,
 * starting with `base`. With `isCounted`, periods such as every second week are counted from the period that contains `base`, as
 * calendars do, even if no fitting day is left in that period.
 */
export function ruleFrom(
  { month, every, mode, ...phrase }: RepeatPhrase,
  ends: { until?: Day | undefined; times?: number | undefined },
  { base, weekStart, isCounted = false }: { base: Day; weekStart: WeekStart; isCounted?: boolean },
): RepeatRule | undefined {
  const nextMonth = month === undefined ? base : inMonth(base, month)
  const begins = isCounted && yearOf(nextMonth) !== yearOf(base) ? addMonths(nextMonth, -12) : nextMonth
  // A phrase such as 'every second week' starts on the same day as 'every week' would.
  const nearest = filledIn({ ...phrase, every: isCounted ? every : 1, mode, from: begins }, weekStart)
  const [first] = nearest.mode === 'done' ? [begins] : seriesFrom(nearest, base).take(1)
  if (first === undefined || (ends.until !== undefined && ends.until < first)) return undefined
  return filledIn({ ...phrase, every, mode, ...ends, from: first }, weekStart)
}

function yearOf(day: Day): string {
  return day.slice(0, 4)
}

/** `day` if it is in that month; otherwise the first day of that month when it comes next. */
function inMonth(day: Day, month: number): Day {
  const months = (month - Number(day.slice(5, 7)) + 12) % 12
  return months === 0 ? day : firstOfMonth(day, months)
}

interface Slots extends DateSlots {
  weekdays: WeekStart[]
  days: number[]
  ordinals: number[]
  place: number
}

function phraseOf(
  { unit, every = 1, afterDone, ...given }: RepeatForm,
  read: Partial<Slots>,
): RepeatPhrase | undefined {
  const { weekday, day, month } = read
  const place = read.place ?? given.place
  const count = read.count ?? (read.unit && place) ?? every
  const freq = read.unit ?? unit
  const days = read.days ?? read.ordinals ?? (day === undefined ? given.days : [day])
  const weekdays = read.weekdays ?? given.weekdays
  if (freq === undefined || count < 1 || count > mostTimes) return undefined
  // 'Every first day' could only mean the first day of the month, so do not read it as 'every day'.
  if (read.unit && place === 1) return undefined
  if (days?.some((each) => each !== -1 && (each < 1 || each > 31))) return undefined
  return {
    freq,
    every: count,
    mode: afterDone ? 'done' : 'due',
    ...(weekdays && { weekdays: [...weekdays] }),
    ...(days && { days: [...days] }),
    ...(place !== undefined && weekday !== undefined && { nth: [[place, weekday]] }),
    ...(month !== undefined && { month }),
  }
}

interface Forms {
  repeats: readonly { meaning: RepeatForm; form: CompiledForm<Slots> }[]
  times: readonly CompiledForm<Slots>[]
  readers: Readers<Slots>
}

/** The phrase patterns of each language, compiled once. */
const compiled = new WeakMap<RepeatLanguage, Forms>()

function formsOf(language: RepeatLanguage): Forms {
  const known = compiled.get(language)
  if (known) return known
  const readers = repeatReaders(language)
  const forms = {
    repeats: language.repeats.flatMap((meaning) =>
      meaning.forms.map((form) => ({ meaning, form: compiledForm(form, readers) })),
    ),
    times: language.timesForms.map((form) => compiledForm(form, readers)),
    readers,
  }
  compiled.set(language, forms)
  return forms
}

function repeatReaders(language: RepeatLanguage): Readers<Slots> {
  const readers = dateReaders(language, { unfinished: false })
  const { and, places } = language
  return {
    ...readers,
    weekdays: severalOf(readers.weekday, and),
    days: severalOf(readers.day, and),
    ordinals: severalOf((words, place) => {
      const isNumber = /^\d*$/.test(words[place] ?? '')
      return isNumber ? undefined : readers.day(words, place)
    }, and),
    place(words, place) {
      const value = places.get(words[place] ?? '')
      return value === undefined ? undefined : { value, length: 1 }
    },
  }
}

/** Reads as many values as follow each other, with or without a word such as 'and' between them. */
function severalOf<Value>(reader: Reader<Value>, and: readonly string[]): Reader<Value[]> {
  return (words, place) => {
    const found: Value[] = []
    let length = 0
    for (let next = place; next < words.length; next++) {
      const read = reader(words, next)
      if (read) {
        found.push(read.value)
        length = next + read.length - place
      } else if (found.length === 0 || !and.includes(words[next] ?? '')) break
    }
    return found.length === 0 ? undefined : { value: found, length }
  }
}
