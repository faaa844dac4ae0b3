import { type RepeatPhrase, ruleFrom } from '#features/todos/quick-add/reading/repeat-phrase.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Day } from '#platform/calendar/day.ts'
import { dayOf, daySchema } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { ReaderContext } from './reading.ts'

// Rules of RFC 5545, as calendars and TickTick write them: 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR'.

export interface ReadRule {
  repeat: RepeatRule
  /** Where the repeat differs from the rule in the file. */
  changed: string[]
}

/**
 * Converts the rule into Daymark's form, from its first day that is not before `from`. Undefined if Daymark has no such repeat.
 */
export function readRrule(
  text: string,
  from: Day,
  { timeZone, weekStart }: Pick<ReaderContext, 'timeZone' | 'weekStart'>,
): ReadRule | undefined {
  const parts = partsOf(text)
  if (!parts || [...parts.keys()].some((name) => !known.has(name))) return undefined
  const begins = weekdays.get(parts.get('WKST') ?? '') ?? weekStart
  const phrase = phraseOf(parts, from)
  const until = untilOf(parts.get('UNTIL'), timeZone)
  const times = numberOf(parts.get('COUNT'))
  if (!phrase || until === 'wrong' || Number.isNaN(times)) return undefined
  const ends = { ...(until && { until }), ...(times !== undefined && { times }) }
  const repeat = ruleFrom(phrase, ends, { base: from, weekStart: begins, isCounted: true })
  if (!repeat || (times !== undefined && (times < 1 || times > 999))) return undefined
  const skip = parts.get('SKIP') ?? 'OMIT'
  if ((parts.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN' || !['OMIT', 'BACKWARD'].includes(skip))
    return undefined
  // By RFC 5545, a month without the day is left out, unless the rule says to skip backward (RFC 7529). Daymark uses the month's
  // last day.
  const isLate = skip === 'OMIT' && phrase.days?.some((day) => day > 28) && phrase.freq !== 'year'
  return { repeat, changed: isLate ? ['In a shorter month it comes on the last day'] : [] }
}

/**
 * The parts of a rule that can be read. TickTick's TT_… parts cannot: they leave out days such as holidays, which Daymark does
 * not know.
 */
const known = new Set([
  ...['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST', 'UNTIL', 'COUNT'],
  // RFC 7529: where the 31st goes in a shorter month.
  ...['RSCALE', 'SKIP'],
  // These parts repeat the time of the due date.
  ...['BYHOUR', 'BYMINUTE', 'BYSECOND'],
])

function partsOf(text: string): Map<string, string> | undefined {
  const rule = text.trim().replace(/^RRULE:/i, '')
  const pairs = rule.split(';').filter((pair) => pair !== '')
  const parts = pairs.map((pair): [string, string] => {
    const [name = '', value = ''] = pair.split('=', 2)
    return [name.trim().toUpperCase(), value.trim().toUpperCase()]
  })
  const byName = new Map(parts)
  // Several times of day would be several to-dos.
  const isOnce = ['BYHOUR', 'BYMINUTE', 'BYSECOND'].every((name) => !byName.get(name)?.includes(','))
  return byName.size === pairs.length && byName.size > 0 && isOnce ? byName : undefined
}

const frequencies = new Map([
  ['DAILY', 'day'],
  ['WEEKLY', 'week'],
  ['MONTHLY', 'month'],
  ['YEARLY', 'year'],
] as const)

const weekdays: ReadonlyMap<string, WeekStart> = new Map([
  ['MO', 1],
  ['TU', 2],
  ['WE', 3],
  ['TH', 4],
  ['FR', 5],
  ['SA', 6],
  ['SU', 7],
])

function phraseOf(parts: ReadonlyMap<string, string>, from: Day): RepeatPhrase | undefined {
  const freq = [...frequencies].find(([name]) => name === parts.get('FREQ'))?.[1]
  const every = numberOf(parts.get('INTERVAL')) ?? 1
  if (freq === undefined || !(every >= 1 && every <= 999)) return undefined
  const phrase = { freq, every, mode: 'due' as const }
  const by = daysOf(parts)
  const months = numbersOf(parts.get('BYMONTH'))
  if (!by || !months) return undefined
  const { named, nth, days } = by

  if (freq === 'day') {
    if (days.length > 0 || nth.length > 0 || months.length > 0) return undefined
    if (named.length === 0) return phrase
    return every === 1 ? { ...phrase, freq: 'week', weekdays: named } : undefined
  }
  if (freq === 'week') {
    if (days.length > 0 || nth.length > 0 || months.length > 0) return undefined
    return named.length === 0 ? phrase : { ...phrase, weekdays: named }
  }
  // Daymark cannot repeat on every Monday of a month, nor on a weekday and a date at once, such as Friday the 13th.
  if (named.length > 0 || (days.length > 0 && nth.length > 0)) return undefined
  const on = days.length > 0 ? { days } : nth.length > 0 ? { nth } : {}
  if (freq === 'month') return months.length === 0 ? { ...phrase, ...on } : undefined
  if (months.length > 1) return undefined
  // Without a month, the rule would mean the fifth Monday of a year, or its 100th day.
  if (months.length === 0 && (days.length > 0 || nth.length > 0)) return undefined
  const month = months[0] ?? Number(from.slice(5, 7))
  return month < 1 || month > 12 ? undefined : { ...phrase, ...on, month }
}

interface Days {
  named: WeekStart[]
  nth: [nth: number, weekday: WeekStart][]
  days: number[]
}

function daysOf(parts: ReadonlyMap<string, string>): Days | undefined {
  const days = numbersOf(parts.get('BYMONTHDAY'))
  if (!days || days.some((day) => day !== -1 && (day < 1 || day > 31))) return undefined
  const found: Days = { named: [], nth: [], days }
  for (const text of parts.get('BYDAY')?.split(',') ?? []) {
    const [, nth = '', name = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(text.trim()) ?? []
    const weekday = weekdays.get(name)
    if (weekday === undefined) return undefined
    if (nth === '') found.named.push(weekday)
    else if (isNth(Number(nth))) found.nth.push([Number(nth), weekday])
    else return undefined
  }
  const places = numbersOf(parts.get('BYSETPOS'))
  if (!places) return undefined
  if (places.length === 0) return found
  // Read 'the second of all Tuesdays' as the second Tuesday. The last of several weekdays, such as the last working day, cannot
  // be represented.
  const [weekday, ...others] = found.named
  if (weekday === undefined || others.length > 0 || found.nth.length > 0 || !places.every(isNth))
    return undefined
  return { ...found, named: [], nth: places.map((place) => [place, weekday]) }
}

function isNth(number: number): boolean {
  return number === -1 || (number >= 1 && number <= 5)
}

/** The numbers of a part; an empty array if the part is missing, undefined if it contains anything else. */
function numbersOf(text: string | undefined): number[] | undefined {
  if (text === undefined || text === '') return []
  const numbers = text.split(',').map(Number)
  return numbers.every(Number.isSafeInteger) ? numbers : undefined
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN
}

/** Reads '20261231', or an instant such as '20261231T225959Z', which becomes the day in the person's zone. */
function untilOf(text: string | undefined, timeZone: string): Day | 'wrong' | undefined {
  if (text === undefined) return undefined
  const [, year, month, date, hour, minute, second, zone] =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z)?)?$/.exec(text) ?? []
  const day = daySchema.safeParse(`${year}-${month}-${date}`).data
  if (day === undefined) return 'wrong'
  if (zone === undefined) return day
  return dayOf(Date.parse(`${day}T${hour}:${minute}:${second}Z`), timeZone, 0)
}
