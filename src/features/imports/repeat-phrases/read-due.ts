import { afterLead } from '#features/todos/quick-add/reading/end-phrases.ts'
import {
  type RepeatPhrase,
  repeatIn,
  ruleFrom,
  timesIn,
} from '#features/todos/quick-add/reading/repeat-phrase.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { DayForms, RepeatForm, RepeatLanguage } from '#platform/language/language.ts'
import { dayIn, type NumberOrder, timeIn, type WithoutYear } from '#platform/language/typed-date.ts'
import { fold } from '#platform/search/fold.ts'
import { currentSeries } from '../reading/current-series.ts'
import { dayInWords } from '../reading/day-in-words.ts'
import { unknownBeginning } from '../reading/unknown-beginning.ts'
import { danish } from './da.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import { italian } from './it.ts'
import { dutch } from './nl.ts'
import { polish } from './pl.ts'
import { portuguese } from './pt.ts'
import { swedish } from './sv.ts'

/** The meaning of a phrase such as 'jeden Freitag um 9 Uhr'. */
export interface ReadDue {
  /** The due day; for a repeat, the first day of its series. */
  due: Day
  /** The time in minutes after midnight. */
  time?: number
  repeat?: RepeatRule
  /** Sentences that say which part of the phrase is ambiguous, and how it was read. */
  changed: string[]
}

interface Person {
  today: Day
  weekStart: WeekStart
  /** The order of day and month in numeric dates, if known: in English it depends on the country. */
  numberOrder?: NumberOrder | undefined
}

const languages: Readonly<Record<string, RepeatLanguage>> = {
  en: folded(english),
  de: folded(german),
  fr: folded(french),
  es: folded(spanish),
  it: folded(italian),
  pt: folded(portuguese),
  nl: folded(dutch),
  sv: folded(swedish),
  pl: folded(polish),
  da: folded(danish),
}

/**
 * Reads a phrase in the language with this code, or in English. Without a code, tries every language, and all that can read the
 * phrase must agree. Undefined if a word cannot be read, or if the phrase is ambiguous.
 */
export function readDue(text: string, code: string, person: Person): ReadDue | undefined {
  const known = languages[code.slice(0, 2).toLowerCase()]
  const words = wordsOf(text)
  if (words.length === 0 || words.length > mostWords) return undefined
  const inEnglish = languages.en && read(words, languages.en, person)
  if (known) return read(words, known, person) ?? inEnglish
  if (inEnglish || code !== '') return inEnglish
  const readings = new Map(
    Object.values(languages)
      .map((language) => read(words, language, person))
      .flatMap((reading) => (reading ? [[JSON.stringify(reading), reading] as const] : [])),
  )
  return readings.size === 1 ? [...readings.values()][0] : undefined
}

const mostWords = 16
const noon = 12 * 60

function wordsOf(text: string): string[] {
  return (
    fold(text)
      .replace(/^(\d{4}-\d\d-\d\d)t(\d\d:\d\d)(:\d\d)?\S*$/, '$1 $2')
      // Turns '18h30' and '18h' into '18:30' and '18:00'.
      .replaceAll(
        /(?<=^|\s)(\d{1,2})h(\d\d)?(?=\s|$)/g,
        (_, hour: string, minute = '00') => `${hour}:${minute}`,
      )
      .split(/[\s,;]+/)
      .filter((word) => word !== '')
  )
}

type Part =
  | { kind: 'repeat'; repeat: RepeatPhrase; time: number | undefined }
  | ({ kind: 'due' } & DayRead)
  | ({ kind: 'start' } & DayRead)
  | { kind: 'until'; day: Day }
  | { kind: 'time'; time: number }
  | { kind: 'times'; times: number }

interface DayRead {
  day: Day
  isWithoutYear: boolean
}

function read(words: readonly string[], language: RepeatLanguage, person: Person): ReadDue | undefined {
  // Todoist's exclamation mark: 'every! 3 days' counts from the completion.
  const afterDone = words.some((word) => word.endsWith('!'))
  const plain = words.map((word) => (word.endsWith('!') ? word.slice(0, -1) : word))
  const parts = partsOf(plain, language, person, [])
  if (!parts) return undefined
  const repeat = parts.find((part) => part.kind === 'repeat')
  const due = parts.find((part) => part.kind === 'due')
  const start = parts.find((part) => part.kind === 'start')
  const until = parts.find((part) => part.kind === 'until')?.day
  const time = parts.find((part) => part.kind === 'time')?.time ?? repeat?.time
  // 'Every evening at 8' does not mean eight in the morning, so such a phrase is not read.
  if (time !== undefined && time < noon && (repeat?.time ?? 0) >= noon) return undefined
  const times = parts.find((part) => part.kind === 'times')?.times
  const at = time === undefined ? {} : { time }
  if (!repeat) {
    if (due === undefined || start !== undefined || until !== undefined || times !== undefined)
      return undefined
    return { due: due.day, ...at, changed: yearOf(due) }
  }
  // 'Hver 3. fredag' must not be read as every third of the month, starting on a Friday.
  if (due !== undefined) return undefined
  const phrase = afterDone ? countedFromDone(repeat.repeat) : repeat.repeat
  const ends = { ...(until && { until }), ...(times && { times }) }
  const base = start?.day ?? person.today
  const rule = phrase && ruleFrom(phrase, ends, { base, weekStart: person.weekStart })
  const current = rule && currentSeries(rule, person.today)
  if (!current) return undefined
  const changed = start ? yearOf(start) : unknownBeginning(current, person.today)
  return { due: current.from, ...at, repeat: current, changed }
}

function yearOf({ day, isWithoutYear }: DayRead): string[] {
  return isWithoutYear ? [`The file names no year: read as ${dayInWords(day)}`] : []
}

/**
 * Makes a repeat count from the completion. A repeat on named days continues with its next day after a completion anyway, unless
 * it leaves out weeks, months or years. In that case undefined, because Daymark has no such repeat.
 */
function countedFromDone(phrase: RepeatPhrase): RepeatPhrase | undefined {
  const namesDays = phrase.weekdays ?? phrase.days ?? phrase.nth ?? phrase.month
  if (namesDays === undefined) return { ...phrase, mode: 'done' }
  return phrase.every === 1 ? phrase : undefined
}

/**
 * Splits all words into the parts of a phrase, trying longer parts first, with at most one part of each kind. Undefined if some
 * words fit no part.
 */
function partsOf(
  words: readonly string[],
  language: RepeatLanguage,
  person: Person,
  known: readonly Part['kind'][],
): Part[] | undefined {
  if (words.length === 0) return []
  for (let length = words.length; length > 0; length--) {
    for (const part of meaningsOf(words.slice(0, length), language, person)) {
      if (known.includes(part.kind)) continue
      const rest = partsOf(words.slice(length), language, person, [...known, part.kind])
      if (rest) return [part, ...rest]
    }
  }
  return undefined
}

function* meaningsOf(words: readonly string[], language: RepeatLanguage, person: Person): Generator<Part> {
  const repeat = repeatIn(words, language)
  if (repeat) yield { kind: 'repeat', repeat, time: language.partsOfDay.get(words.at(-1) ?? '') }
  const due = nearestOf(words, language, person, 'always')
  if (due) yield { kind: 'due', ...due }
  const time = timeIn(words, language)
  if (time !== undefined) yield { kind: 'time', time }
  const times = timesIn(words, language)
  if (times !== undefined) yield { kind: 'times', times }
  for (const rest of afterLead(words, language.beforeStart)) {
    const start = nearestOf(rest, language, person, 'led')
    if (start) yield { kind: 'start', ...start }
  }
  for (const rest of afterLead(words, language.beforeEnd)) {
    // 'From Monday to Friday' says on which days to repeat, not until when.
    const day = dayOf(rest, withoutWeekday(language), person, 'led')
    if (day !== undefined) yield { kind: 'until', day }
  }
}

/** A date without a year means the nearest such date. It may be in the past, because the file was written some time ago. */
function nearestOf(
  words: readonly string[],
  language: RepeatLanguage,
  person: Person,
  where: 'always' | 'led',
): DayRead | undefined {
  const day = dayOf(words, language, { ...person, withoutYear: 'nearest' }, where)
  if (day === undefined) return undefined
  const told = dayOf(words, language, { ...person, withoutYear: 'unread' }, where)
  return { day, isWithoutYear: told === undefined }
}

function dayOf(
  words: readonly string[],
  language: RepeatLanguage,
  person: Person & { withoutYear?: WithoutYear },
  where: 'always' | 'led',
): Day | undefined {
  const isEnglish = language === languages.en
  const known = isEnglish ? person.numberOrder : 'day first'
  if (known === undefined && words.some(isEitherOrder)) return undefined
  return dayIn(words, { ...person, numberOrder: known ?? 'day first', language }, where)
}

function isEitherOrder(word: string): boolean {
  const [, one, other] = /^(\d{1,2})\/(\d{1,2})(?:\/|$)/.exec(word) ?? []
  return one !== undefined && one !== other && Number(one) <= 12 && Number(other) <= 12
}

const withoutWeekdays = new WeakMap<RepeatLanguage, RepeatLanguage>()

function withoutWeekday(language: RepeatLanguage): RepeatLanguage {
  const known = withoutWeekdays.get(language)
  if (known) return known
  const { weekday: _, ...dayForms } = language.dayForms
  const made = { ...language, dayForms }
  withoutWeekdays.set(language, made)
  return made
}

/** The language with all its words passed through `fold`, so that words without accents are understood, too. */
function folded(language: RepeatLanguage): RepeatLanguage {
  const list = (words: readonly string[]) => words.map(fold)
  const numbers = (words: ReadonlyMap<string, number>) =>
    new Map([...words].map(([word, number]) => [fold(word), number]))
  const { day, week, month, year } = language.units
  return {
    weekdays: language.weekdays.map(list),
    months: language.months.map(list),
    units: { day: list(day), week: list(week), month: list(month), year: list(year) },
    counts: numbers(language.counts),
    dayEndings: list(language.dayEndings),
    places: numbers(language.places),
    and: list(language.and),
    times: numbers(language.times),
    halves: { am: list(language.halves.am), pm: list(language.halves.pm) },
    dayForms: Object.fromEntries(
      Object.entries(language.dayForms).map(([meaning, forms]) => [meaning, foldedForms(forms)]),
    ),
    timeForms: list(language.timeForms),
    partsOfDay: numbers(language.partsOfDay),
    beforeStart: list(language.beforeStart),
    beforeEnd: list(language.beforeEnd),
    repeats: language.repeats.map((meaning): RepeatForm => ({ ...meaning, forms: list(meaning.forms) })),
    timesForms: list(language.timesForms),
  }
}

function foldedForms({ always, led = [] }: DayForms): DayForms {
  return { always: always.map(fold), led: led.map(fold) }
}
