import { addDays, type Day, dayFromNumber, firstChoosable, lastChoosable } from '#platform/calendar/day.ts'
import { addMonths, firstOfMonth, lastOfMonth } from '#platform/calendar/month.ts'
import { firstDayOfWeek, type WeekStart, weekdayOf, weekNumber } from '#platform/calendar/week.ts'

/** Which number of '3/12' is the day. */
export type NumberOrder = 'day first' | 'month first'

export interface TypingPerson {
  today: Day
  weekStart: WeekStart
  numberOrder: NumberOrder
}

export interface TypedDate {
  /** Undefined if only a time was typed. */
  day?: Day
  /** In minutes after midnight. */
  time?: number
}

/**
 * What somebody means by 'fri', 'in 3 days' or '3 dec 18:00'; undefined if that is no day or time, or cannot be chosen.
 * A day without its year is the next such day, today included; a weekday is the next one after today.
 */
export function typedDate(text: string, person: TypingPerson): TypedDate | undefined {
  const words = wordsOf(text)
  const day = typedDay(words.join(' '), person)
  if (day) return { day }
  // A time takes three words at most, as 'at 6 pm', before or after the day.
  for (const count of [3, 2, 1].filter((count) => count <= words.length)) {
    for (const { dayWords, timeWords } of [
      { dayWords: words.slice(0, -count), timeWords: words.slice(-count) },
      { dayWords: words.slice(count), timeWords: words.slice(0, count) },
    ]) {
      const time = timeIn(timeWords.join(' '))
      if (time === undefined) continue
      if (dayWords.length === 0) return { time }
      const dated = typedDay(dayWords.join(' '), person)
      if (dated) return { day: dated, time }
    }
  }
}

/** The minutes after midnight meant by '18:00', '6pm', '18' or '1830', where nothing but a time is asked for. */
export function typedTime(text: string): number | undefined {
  const words = wordsOf(text).join(' ')
  const [, hours, minutes = '00'] = /^(\d{1,2}?)[.]?(\d\d)?$/.exec(words) ?? []
  return timeIn(hours === undefined ? words : `${hours}:${minutes}`)
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(',', ' ').trim()
  return plain === '' ? [] : plain.split(/\s+/)
}

/** Needs a colon, 'am', 'pm' or 'at', since a number alone may be a day. */
function timeIn(words: string): number | undefined {
  if (/^(at )?noon$/.test(words)) return 12 * 60
  const [, at, hours, separator, minutes = '00', half] =
    /^(at )?(\d{1,2})(?:([:.])(\d\d))?(?: ?([ap])\.?m\.?)?$/.exec(words) ?? []
  if (hours === undefined || (!at && !half && separator !== ':')) return undefined
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (minute > 59) return undefined
  if (half === undefined) return hour > 23 ? undefined : hour * 60 + minute
  if (hour < 1 || hour > 12) return undefined
  return ((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute
}

function typedDay(text: string, person: TypingPerson): Day | undefined {
  const words = text.replace(/^on /, '')
  const day =
    dayByName(words, person) ??
    dayInSome(words, person) ??
    dayOfMonth(words, person) ??
    dayOfNumbers(words, person)
  return day !== undefined && day >= firstChoosable && day <= lastChoosable ? day : undefined
}

/** 'today', 'fri', 'next week', 'end of month' */
function dayByName(words: string, { today, weekStart }: TypingPerson): Day | undefined {
  if (isShortFor(words, 'today')) return today
  if (isShortFor(words, 'tomorrow') || /^tmrw?$/.test(words)) return addDays(today, 1)
  if (words === 'yesterday') return addDays(today, -1)
  if (words === 'weekend' || words === 'this weekend') return nextWeekday(today, saturday)
  const nextWeek = firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart)
  if (words === 'next week') return nextWeek
  if (words === 'next month') return firstOfMonth(today, 1)
  if (words === 'next year') return firstOfMonth(today, 13 - Number(today.slice(5, 7)))
  if (/^(eom|end of (the |this )?month)$/.test(words)) return lastOfMonth(today)
  if (words === 'end of next month') return lastOfMonth(firstOfMonth(today, 1))
  const [, which, name] = /^(?:(this|next) )?([a-z]+)$/.exec(words) ?? []
  const weekday = weekdayNamed(name)
  if (weekday === undefined) return undefined
  // That of the next week, which is the nearest one only where the week ends before it.
  return which === 'next' ? nextWeekday(addDays(nextWeek, -1), weekday) : nextWeekday(today, weekday)
}

const saturday = 6

/** The first one after `day`. */
function nextWeekday(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - weekdayOf(day) + 6) % 7) + 1)
}

/** 'in 3 days', 'in a week', '2 months' */
function dayInSome(words: string, { today }: TypingPerson): Day | undefined {
  const [, word = '', unit] = /^(?:in )?(\d{1,4}|[a-z]+) (day|week|month|year)s?$/.exec(words) ?? []
  const count = /^\d/.test(word) ? Number(word) : countWords.get(word)
  if (count === undefined) return undefined
  // Nobody plans that far, and such a year has five digits.
  if (count > 300 && unit === 'year') return undefined
  if (unit === 'day') return addDays(today, count)
  if (unit === 'week') return addDays(today, count * 7)
  return addMonths(today, unit === 'month' ? count : count * 12)
}

const countWords = new Map(
  ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, place) => [
    word,
    Math.max(1, place),
  ]),
)

/** '3 dec', 'Thu 3rd of December 2027', 'dec 3', '15th' */
function dayOfMonth(words: string, { today }: TypingPerson): Day | undefined {
  const [, alone] = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)?$/.exec(words) ?? []
  if (alone !== undefined) return nextDayOfMonth(today, Number(alone))

  const { weekday, day, month, year } = (dayThenMonth.exec(words) ?? monthThenDay.exec(words))?.groups ?? {}
  const date = { month: monthNames.findIndex((name) => isShortFor(month, name)) + 1, day: Number(day) }
  if (weekday === undefined) return dayOfYear(today, { ...date, year })
  // The weekday says which year is meant, even the current one once the day has passed.
  const years = year === undefined ? [undefined, today.slice(0, 4)] : [year]
  const weekdayWanted = weekdayNamed(weekday)
  return years
    .map((each) => dayOfYear(today, { ...date, year: each }))
    .find((found) => found !== undefined && weekdayOf(found) === weekdayWanted)
}

const weekdayBefore = String.raw`^(?:(?!the )(?<weekday>[a-z]{3,})\.? )?`
const numberOfDay = String.raw`(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th|\.)?`
const monthName = String.raw`(?<month>[a-z]{3,})\.?`
const yearAfter = String.raw`(?: (?<year>\d{4}))?$`
const dayThenMonth = new RegExp(`${weekdayBefore}${numberOfDay} (?:of )?${monthName}${yearAfter}`)
const monthThenDay = new RegExp(`${weekdayBefore}${monthName} ${numberOfDay}${yearAfter}`)

/** '2026-12-03', '3.12.', '3/12/27' */
function dayOfNumbers(words: string, { today, numberOrder }: TypingPerson): Day | undefined {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(words)
  if (iso) return dayOfYear(today, { year: iso[1], month: Number(iso[3]), day: Number(iso[4]) })

  const [, first, sign, second, year] =
    /^(\d{1,2})([/.])(\d{1,2})(?:(?<=\.\d{1,2})\.|\2(\d{4}|\d\d))?$/.exec(words) ?? []
  if (first === undefined) return undefined
  const [one, other] = [Number(first), Number(second)]
  // With points the day is first everywhere; and no month is the thirteenth.
  const dayFirst = sign === '.' || (numberOrder === 'day first' ? other <= 12 : one > 12)
  return dayOfYear(today, {
    year: year?.length === 2 ? `20${year}` : year,
    ...(dayFirst ? { day: one, month: other } : { day: other, month: one }),
  })
}

/** Without a year, the next such day, today included; 29 February may be eight years away. */
function dayOfYear(
  today: Day,
  { year, month, day }: { year: string | undefined; month: number; day: number },
): Day | undefined {
  if (year !== undefined) return realDay(Number(year), month, day)
  return countUp(9)
    .map((years) => realDay(yearOf(today) + years, month, day))
    .find((found) => found !== undefined && found >= today)
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

function weekdayNamed(word: string | undefined): WeekStart | undefined {
  const place = weekdayNames.findIndex((name) => isShortFor(word === 'weds' ? 'wed' : word, name))
  return weekdays[place]
}

/** 'thu' and 'thurs' for 'thursday' */
function isShortFor(word: string | undefined, name: string): boolean {
  return word !== undefined && word.length >= 3 && name.startsWith(word)
}

const weekdays: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
