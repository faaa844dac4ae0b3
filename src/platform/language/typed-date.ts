import {
  addDays,
  type Day,
  dayFromNumber,
  dayNumber,
  firstChoosable,
  lastChoosable,
} from '#platform/calendar/day.ts'
import { addMonths, firstOfMonth, lastOfMonth } from '#platform/calendar/month.ts'
import { firstDayOfWeek, type WeekStart, weekdayOf, weekNumber } from '#platform/calendar/week.ts'
import { type CompiledForm, compiledForm, inForm, type Readers } from './forms.ts'
import { type DateLanguage, type DayMeaning, dayMeanings } from './language.ts'
import { type DateSlots, dateReaders, minutesAt } from './readers.ts'

/** Which number of '3/12' is the day. */
export type NumberOrder = 'day first' | 'month first'

export interface TypingPerson {
  today: Day
  weekStart: WeekStart
  numberOrder: NumberOrder
  language: DateLanguage
  /** Which day is meant by one without its year: the next one unless it says otherwise. */
  withoutYear?: WithoutYear
}

/** `unread`: a day without its year is none. */
export type WithoutYear = 'next' | 'nearest' | 'unread'

export interface TypedDate {
  /** Undefined if only a time was typed. */
  day?: Day
  /** In minutes after midnight. */
  time?: number
}

/**
 * What somebody means by 'fri', 'in 3 days' or '3 dec 18:00' where nothing but a date is asked for; undefined if that is no day or
 * time, or cannot be chosen. A day without its year is the next such day, today included; a weekday is the next one after today.
 */
export function typedDate(text: string, person: TypingPerson): TypedDate | undefined {
  const words = wordsOf(text)
  const day = dayIn(words, person, 'alone')
  if (day) return { day }
  // A time takes three words at most, as 'at 6 pm', before or after the day.
  for (const count of [3, 2, 1].filter((count) => count <= words.length)) {
    for (const { dayWords, timeWords } of [
      { dayWords: words.slice(0, -count), timeWords: words.slice(-count) },
      { dayWords: words.slice(count), timeWords: words.slice(0, count) },
    ]) {
      const time = timeIn(timeWords, person.language)
      if (time === undefined) continue
      if (dayWords.length === 0) return { time }
      const dated = dayIn(dayWords, person, 'alone')
      if (dated) return { day: dated, time }
    }
  }
}

/** The minutes after midnight meant by '18:00', '6pm', '18' or '1830', where nothing but a time is asked for. */
export function typedTime(text: string, language: DateLanguage): number | undefined {
  const words = wordsOf(text)
  const [, hours, minutes = '00'] = /^(\d{1,2}?)[.]?(\d\d)?$/.exec(words.join(' ')) ?? []
  return timeIn(hours === undefined ? words : [`${hours}:${minutes}`], language)
}

function wordsOf(text: string): string[] {
  const plain = plainWord(text).replaceAll(',', ' ').trim()
  return plain === '' ? [] : plain.split(/\s+/)
}

/** A word as the forms have it. */
export function plainWord(word: string): string {
  return word.normalize('NFKC').toLowerCase()
}

/** The time that the words are, in minutes after midnight. A number alone is none, since it may be a day. */
export function timeIn(words: readonly string[], language: DateLanguage): number | undefined {
  const { times, readers } = formsOf(language, 'always')
  for (const form of times) {
    const read = inForm(form, words, readers)
    const time = read && (read.time ?? read.named ?? (read.hour && minutesAt(read.hour, read.half)))
    if (time !== undefined) return time
  }
}

/**
 * Where the words stand: among others, which may mean something else (`always`); after a word that says that a day follows (`led`);
 * or where nothing but a day is asked for (`alone`).
 */
type Where = 'always' | 'led' | 'alone'

/** The day that the words are, if it can be chosen. */
export function dayIn(words: readonly string[], person: TypingPerson, where: Where): Day | undefined {
  const { days, readers } = formsOf(person.language, where)
  for (const { meaning, form } of days) {
    const read = inForm(form, words, readers)
    const day = read && meanings[meaning](read, person)
    if (day !== undefined && day >= firstChoosable && day <= lastChoosable) return day
  }
}

type Read = Partial<DateSlots>

const meanings: Record<DayMeaning, (read: Read, person: TypingPerson) => Day | undefined> = {
  today: (_, { today }) => today,
  tomorrow: (_, { today }) => addDays(today, 1),
  'day after tomorrow': (_, { today }) => addDays(today, 2),
  yesterday: (_, { today }) => addDays(today, -1),
  weekend: (_, { today }) => nextWeekday(today, saturday),
  'weekend of next week': (_, person) => nextWeekday(addDays(nextWeek(person), -1), saturday),
  'next week': (_, person) => nextWeek(person),
  'next month': (_, { today }) => firstOfMonth(today, 1),
  'next year': (_, { today }) => firstOfMonth(today, 13 - Number(today.slice(5, 7))),
  'end of week': (_, person) => addDays(nextWeek(person), -1),
  'end of month': (_, { today }) => lastOfMonth(today),
  'end of next month': (_, { today }) => lastOfMonth(firstOfMonth(today, 1)),
  'end of year': (_, { today }) => lastOfMonth(firstOfMonth(today, 12 - Number(today.slice(5, 7)))),
  weekday: ({ weekday }, { today }) => weekday && nextWeekday(today, weekday),
  // That of the next week, which is the nearest one only where the week ends before it.
  'weekday of next week': ({ weekday }, person) =>
    weekday && nextWeekday(addDays(nextWeek(person), -1), weekday),
  'after some time': ({ count, unit }, { today }) =>
    count === undefined || unit === undefined ? undefined : afterSome(today, count, unit),
  'day of month': ({ day }, { today }) => (day === undefined ? undefined : nextDayOfMonth(today, day)),
  date: dateWithName,
  'date in numbers': ({ date, numbers = date }, person) =>
    numbers === undefined ? undefined : dateInNumbers(numbers, person),
}

const saturday = 6

/** The first one after `day`. */
function nextWeekday(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - weekdayOf(day) + 6) % 7) + 1)
}

function nextWeek({ today, weekStart }: TypingPerson): Day {
  return firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart)
}

function afterSome(today: Day, count: number, unit: DateSlots['unit']): Day | undefined {
  // Nobody plans that far, and such a year has five digits.
  if (count > 300 && unit === 'year') return undefined
  if (unit === 'day') return addDays(today, count)
  if (unit === 'week') return addDays(today, count * 7)
  return addMonths(today, unit === 'month' ? count : count * 12)
}

/** '3 dec', 'Thu 3rd of December 2027' */
function dateWithName(
  { weekday, day = 0, month = 0, year }: Read,
  { today, withoutYear }: TypingPerson,
): Day | undefined {
  if (weekday === undefined) return dayOfYear(today, { day, month, year }, withoutYear)
  // The weekday says which year is meant, even the current one once the day has passed.
  const years = year === undefined ? [undefined, today.slice(0, 4)] : [year]
  return years
    .map((each) => dayOfYear(today, { day, month, year: each }, withoutYear))
    .find((found) => found !== undefined && weekdayOf(found) === weekday)
}

/** '2026-12-03', '3.12.', '3/12/27' */
function dateInNumbers(numbers: string, { today, numberOrder, withoutYear }: TypingPerson): Day | undefined {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(numbers)
  if (iso) return dayOfYear(today, { year: iso[1], month: Number(iso[3]), day: Number(iso[4]) })

  const [, first, sign, second, year] =
    /^(\d{1,2})([/.])(\d{1,2})(?:(?<=\.\d{1,2})\.|\2(\d{4}|\d\d))?$/.exec(numbers) ?? []
  if (first === undefined) return undefined
  const [one, other] = [Number(first), Number(second)]
  // With points the day is first everywhere; and no month is the thirteenth.
  const dayFirst = sign === '.' || (numberOrder === 'day first' ? other <= 12 : one > 12)
  const written = {
    year: year?.length === 2 ? `20${year}` : year,
    ...(dayFirst ? { day: one, month: other } : { day: other, month: one }),
  }
  return dayOfYear(today, written, withoutYear)
}

/** Of the next such day, today is one; 29 February may be eight years away. */
function dayOfYear(
  today: Day,
  { year, month, day }: { year: string | undefined; month: number; day: number },
  withoutYear: WithoutYear = 'next',
): Day | undefined {
  if (year !== undefined) return realDay(Number(year), month, day)
  if (withoutYear === 'unread') return undefined
  const inYear = (years: number) => realDay(yearOf(today) + years, month, day)
  const next = countUp(9)
    .map(inYear)
    .find((found) => found !== undefined && found >= today)
  if (withoutYear === 'next') return next
  const last = countUp(9)
    .map((years) => inYear(-years))
    .find((found) => found !== undefined && found < today)
  if (next === undefined || last === undefined) return next ?? last
  return dayNumber(next) - dayNumber(today) <= dayNumber(today) - dayNumber(last) ? next : last
}

/** Today included; a month that is too short is passed over. */
function nextDayOfMonth(today: Day, day: number): Day | undefined {
  return countUp(3)
    .map((months) => firstOfMonth(today, months))
    .map((first) => realDay(yearOf(first), Number(first.slice(5, 7)), day))
    .find((found) => found !== undefined && found >= today)
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

function countUp(length: number): number[] {
  return Array.from({ length }, (_, number) => number)
}

/** Undefined for 31 February. */
function realDay(year: number, month: number, day: number): Day | undefined {
  const inMonth = month >= 1 && month <= 12 && year >= 1_000 && day >= 1
  const found = inMonth ? dayFromNumber(Date.UTC(year, month - 1, day) / 86_400_000) : undefined
  // A day that the month lacks would be one of the next month.
  return Number(found?.slice(8)) === day ? found : undefined
}

interface Forms {
  days: readonly DayForm[]
  times: readonly CompiledForm<DateSlots>[]
  readers: Readers<DateSlots>
}

interface DayForm {
  meaning: DayMeaning
  form: CompiledForm<DateSlots>
}

/** Compiled once for each language. */
const compiled: Record<Where, WeakMap<DateLanguage, Forms>> = {
  always: new WeakMap(),
  led: new WeakMap(),
  alone: new WeakMap(),
}

function formsOf(language: DateLanguage, where: Where): Forms {
  const known = compiled[where].get(language)
  if (known) return known
  const readers = dateReaders(language, { unfinished: where === 'alone' })
  const forms = {
    days: dayMeanings.flatMap((meaning) => {
      const { always, led = [], alone = [] } = language.dayForms[meaning] ?? { always: [] }
      const allowed = { always: [], led, alone: [...led, ...alone] }[where]
      return [...always, ...allowed].map((form) => ({ meaning, form: compiledForm(form, readers) }))
    }),
    times: language.timeForms.map((form) => compiledForm(form, readers)),
    readers,
  }
  compiled[where].set(language, forms)
  return forms
}
