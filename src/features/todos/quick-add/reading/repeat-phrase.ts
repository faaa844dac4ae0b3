import { filledIn, type RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
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

/** By what something comes back, before it is known from when on. */
export interface RepeatPhrase {
  freq: RepeatRule['freq']
  every: number
  mode: RepeatRule['mode']
  weekdays?: WeekStart[]
  days?: number[]
  nth?: [nth: number, weekday: WeekStart][]
  /** Of a year's days. */
  month?: number
}

/** The rule that the words are; undefined if they are none. */
export function repeatIn(words: readonly string[], language: RepeatLanguage): RepeatPhrase | undefined {
  const { repeats, readers } = formsOf(language)
  for (const { meaning, form } of repeats) {
    const read = inForm(form, words, readers)
    const phrase = read && phraseOf(meaning, read)
    if (phrase) return phrase
  }
}

/** How often, as in '5 times'. */
export function timesIn(words: readonly string[], language: RepeatLanguage): number | undefined {
  const { times, readers } = formsOf(language)
  for (const form of times) {
    const count = inForm(form, words, readers)?.count
    if (count !== undefined && count >= 1 && count <= mostTimes) return count
  }
}

/**
 * The rule from its first day on: that is the next one that it gives, `base` included. `isCounted`: its periods are counted from that of
 * `base`, as calendars do, even if that has no such day any more.
 */
export function ruleFrom(
  { month, every, mode, ...phrase }: RepeatPhrase,
  ends: { until?: Day | undefined; times?: number | undefined },
  { base, weekStart, isCounted = false }: { base: Day; weekStart: WeekStart; isCounted?: boolean },
): RepeatRule | undefined {
  const nextMonth = month === undefined ? base : inMonth(base, month)
  const begins = isCounted && yearOf(nextMonth) !== yearOf(base) ? addMonths(nextMonth, -12) : nextMonth
  // Whatever somebody types to come back every second week comes next as it would every week.
  const nearest = filledIn({ ...phrase, every: isCounted ? every : 1, mode, from: begins }, weekStart)
  const [first] = nearest.mode === 'done' ? [begins] : seriesFrom(nearest, base).take(1)
  if (first === undefined || (ends.until !== undefined && ends.until < first)) return undefined
  return filledIn({ ...phrase, every, mode, ...ends, from: first }, weekStart)
}

const mostTimes = 999

function yearOf(day: Day): string {
  return day.slice(0, 4)
}

/** The day if it is in that month, or else the first day of the next such month. */
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
  // 'Every first day' is that of the month, or nothing.
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

/** Compiled once for each language. */
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

/** As many as follow each other, with a word between them or without. */
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
