import {
  addDays,
  type Day,
  dayFromNumber,
  dayNumber,
  firstChoosable,
  lastChoosable,
  yearOf,
} from '#platform/calendar/day.ts'
import { addMonths, firstOfMonth, lastOfMonth } from '#platform/calendar/month.ts'
import { firstDayOfWeek, type WeekStart, weekdayOf, weekNumber } from '#platform/calendar/week.ts'
import { type CompiledForm, compiledForm, inForm, type Readers } from './forms.ts'
import { type DateLanguage, type DayMeaning, dayMeanings } from './language.ts'
import { type DateSlots, dateReaders, minutesAt } from './readers.ts'

/** Whether '3/12' starts with the day or the month. */
export type NumberOrder = 'day first' | 'month first'

export interface TypingPerson {
  today: Day
  weekStart: WeekStart
  numberOrder: NumberOrder
  language: DateLanguage
  /** Which year a day gets if no year was typed; 'next' when left out. */
  withoutYear?: WithoutYear
}

/** With 'unread', a day without a year is not read as a day. */
export type WithoutYear = 'next' | 'nearest' | 'unread'

export interface TypedDate {
  /** Undefined if only a time was typed. */
  day?: Day
  /** The time of day, in minutes after midnight. */
  time?: number
}

/**
 * Reads 'fri', 'in 3 days' or '3 dec 18:00' where only a date can be entered; undefined if the text is no day or time, or
 * cannot be chosen. A day without a year is the next such day, today included; a weekday is the next one after today.
 */
export function typedDate(text: string, person: TypingPerson): TypedDate | undefined {
  const words = wordsOf(text)
  const day = dayIn(words, person, 'alone')
  if (day) return { day }
  // A time takes at most three words, such as 'at 6 pm', before or after the day.
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

/**
 * Reads '18:00', '6pm', '18' or '1830' where only a time can be entered. In minutes after midnight; undefined if the text is
 * no time.
 */
export function typedTime(text: string, language: DateLanguage): number | undefined {
  const words = wordsOf(text)
  const [, hours, minutes = '00'] = /^(\d{1,2}?)[.]?(\d\d)?$/.exec(words.join(' ')) ?? []
  return timeIn(hours === undefined ? words : [`${hours}:${minutes}`], language)
}

function wordsOf(text: string): string[] {
  const plain = plainWord(text).replaceAll(',', ' ').trim()
  return plain === '' ? [] : plain.split(/\s+/)
}

/** Normalizes a word to the way forms write it. */
export function plainWord(word: string): string {
  return word.normalize('NFKC').toLowerCase()
}

/** The time that the words stand for, in minutes after midnight. A number alone is no time here, since it may be a day. */
export function timeIn(words: readonly string[], language: DateLanguage): number | undefined {
  const { times, readers } = formsOf(language, 'always')
  for (const form of times) {
    const read = inForm(form, words, readers)
    const time = read && (read.time ?? read.named ?? (read.hour && minutesAt(read.hour, read.half)))
    if (time !== undefined) return time
  }
}

/**
 * The context of the words: among words that may mean something else (`always`), after a word that announces a day (`led`),
 * or where only a day can be entered (`alone`).
 */
type Where = 'always' | 'led' | 'alone'

/** The day that the words stand for, if it can be chosen. */
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
  // The weekday within next week, even if the same weekday also comes later this week.
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

/** The first such weekday after `day`. */
function nextWeekday(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - weekdayOf(day) + 6) % 7) + 1)
}

function nextWeek({ today, weekStart }: TypingPerson): Day {
  return firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart)
}

function afterSome(today: Day, count: number, unit: DateSlots['unit']): Day | undefined {
  // Nobody plans that far ahead, and such a year could have five digits.
  if (count > 300 && unit === 'year') return undefined
  if (unit === 'day') return addDays(today, count)
  if (unit === 'week') return addDays(today, count * 7)
  return addMonths(today, unit === 'month' ? count : count * 12)
}

/** Reads '3 dec' or 'Thu 3rd of December 2027'. */
function dateWithName(
  { weekday, day = 0, month = 0, year }: Read,
  { today, withoutYear }: TypingPerson,
): Day | undefined {
  if (weekday === undefined) return dayOfYear(today, { day, month, year }, withoutYear)
  // The weekday tells which year is meant, even the current year once the day has passed.
  const years = year === undefined ? [undefined, today.slice(0, 4)] : [year]
  return years
    .map((each) => dayOfYear(today, { day, month, year: each }, withoutYear))
    .find((found) => found !== undefined && weekdayOf(found) === weekday)
}

/** Reads '2026-12-03', '3.12.' or '3/12/27'. */
function dateInNumbers(numbers: string, { today, numberOrder, withoutYear }: TypingPerson): Day | undefined {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(numbers)
  if (iso) return dayOfYear(today, { year: iso[1], month: Number(iso[3]), day: Number(iso[4]) })

  const [, first, sign, second, year] =
    /^(\d{1,2})([/.])(\d{1,2})(?:(?<=\.\d{1,2})\.|\2(\d{4}|\d\d))?$/.exec(numbers) ?? []
  if (first === undefined) return undefined
  const [one, other] = [Number(first), Number(second)]
  // With points the day comes first everywhere. A number above 12 cannot be the month.
  const dayFirst = sign === '.' || (numberOrder === 'day first' ? other <= 12 : one > 12)
  const written = {
    year: year?.length === 2 ? `20${year}` : year,
    ...(dayFirst ? { day: one, month: other } : { day: other, month: one }),
  }
  return dayOfYear(today, written, withoutYear)
}

/** The day with this date. Without a year it is the next one, today included; for 29 February that may be eight years away. */
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

/** The next day with this number in its month, today included. Skips months that are too short. */
function nextDayOfMonth(today: Day, day: number): Day | undefined {
  return countUp(3)
    .map((months) => firstOfMonth(today, months))
    .map((first) => realDay(yearOf(first), Number(first.slice(5, 7)), day))
    .find((found) => found !== undefined && found >= today)
}

function countUp(length: number): number[] {
  return Array.from({ length }, (_, number) => number)
}

/** The day, or undefined if it does not exist, such as 31 February. */
function realDay(year: number, month: number, day: number): Day | undefined {
  const inMonth = month >= 1 && month <= 12 && year >= 1_000 && day >= 1
  const found = inMonth ? dayFromNumber(Date.UTC(year, month - 1, day) / 86_400_000) : undefined
  // A day that the month lacks would become a day of the next month.
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

/** The forms are compiled once per language. */
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
