import type { WeekStart } from '#platform/calendar/week.ts'
import { oneWord, type Readers } from './forms.ts'
import type { DateLanguage } from './language.ts'

/** The values that the braces in date and time forms stand for. */
export interface DateSlots {
  weekday: WeekStart
  /** 1 is January. */
  month: number
  /** The day of the month. */
  day: number
  year: string
  count: number
  unit: keyof DateLanguage['units']
  /** A date in numbers as it was typed, such as '3/12'. */
  numbers: string
  /** A date in numbers that cannot mean anything else. */
  date: string
  /** The time of day, in minutes after midnight. */
  time: number
  hour: ClockTime
  half: Half
  /** The time of a name such as 'noon', in minutes after midnight. */
  named: number
}

export interface ClockTime {
  hour: number
  minute: number
}

type Half = keyof DateLanguage['halves']

/** With `unfinished`, the first letters of a name are enough, since the person may still be typing the word. */
export function dateReaders(
  language: DateLanguage,
  { unfinished }: { unfinished: boolean },
): Readers<DateSlots> {
  const { weekdays, months, units, counts, dayEndings, times, halves } = language
  return {
    weekday: oneWord((word) => weekdayNumbers[placeOfName(word, weekdays, unfinished)]),
    month: oneWord((word) => {
      const place = placeOfName(word, months, unfinished)
      return place < 0 ? undefined : place + 1
    }),
    day: oneWord((word) => {
      const [, number, ending = ''] = /^(\d{1,2})(\D*)$/.exec(word) ?? []
      return number !== undefined && (ending === '' || dayEndings.includes(ending))
        ? Number(number)
        : undefined
    }),
    year: oneWord((word) => (/^\d{4}$/.test(word) ? word : undefined)),
    count: oneWord((word) => (/^\d{1,4}$/.test(word) ? Number(word) : counts.get(word))),
    unit: oneWord((word) => unitNames.find((unit) => units[unit].includes(word))),
    numbers: oneWord((word) => (/^\d{1,4}[-/.]\d/.test(word) ? word : undefined)),
    date: oneWord((word) => (isDate.test(word) ? word : undefined)),
    time: oneWord((word) => {
      const [, hour, separator, minute, ending = ''] = /^(\d{1,2})(?:([:.])(\d\d))?(\D*)$/.exec(word) ?? []
      const half = halfNamed(ending)
      // A plain number, or one with a point, may mean something other than a time.
      const isTime = half !== undefined || (ending === '' && separator === ':')
      return isTime ? minutesAt({ hour: Number(hour), minute: Number(minute ?? 0) }, half) : undefined
    }),
    hour: oneWord((word) => {
      const [, hour, minute] = /^(\d{1,2})(?:[:.](\d\d))?$/.exec(word) ?? []
      return hour === undefined ? undefined : { hour: Number(hour), minute: Number(minute ?? 0) }
    }),
    half: oneWord(halfNamed),
    named: oneWord((word) => times.get(word)),
  }

  function halfNamed(word: string): Half | undefined {
    return halfNames.find((half) => halves[half].includes(word))
  }
}

/** Minutes after midnight; undefined if no clock shows that time. */
export function minutesAt({ hour, minute }: ClockTime, half?: Half): number | undefined {
  if (minute > 59) return undefined
  if (half === undefined) return hour > 23 ? undefined : hour * 60 + minute
  if (hour < 1 || hour > 12) return undefined
  return ((hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute
}

/**
 * Matches '2026-12-03', '3/12/2026', '3.12.26' and '3.12.', but not '3/12' and '3.12', which may be a fraction or a version.
 */
const isDate = /^(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([/.])\d{1,2}\3(\d{4}|\d\d)|\d{1,2}\.\d{1,2}\.)$/

const weekdayNumbers: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]
const unitNames = ['day', 'week', 'month', 'year'] as const
const halfNames = ['am', 'pm'] as const
const shortestBeginning = 3

function placeOfName(word: string, names: readonly (readonly string[])[], unfinished: boolean): number {
  const bare = word.endsWith('.') ? word.slice(0, -1) : word
  return names.findIndex(
    (spellings) =>
      spellings.includes(bare) ||
      (unfinished && bare.length >= shortestBeginning && spellings[0]?.startsWith(bare)),
  )
}
