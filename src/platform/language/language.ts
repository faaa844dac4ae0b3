import type { WeekStart } from '#platform/calendar/week.ts'

/** The words and forms (`forms.ts`) in which people write days and times. All words are in small letters. */
export interface DateLanguage {
  /** From Monday on, the whole name first. */
  weekdays: readonly (readonly string[])[]
  /** From January on, the whole name first. */
  months: readonly (readonly string[])[]
  units: Readonly<Record<RepeatUnit, readonly string[]>>
  /** Numbers as words. */
  counts: ReadonlyMap<string, number>
  /** What may follow the number of a day, as the 'rd' of '3rd'. */
  dayEndings: readonly string[]
  /** Times that have a name, in minutes after midnight. */
  times: ReadonlyMap<string, number>
  /** The words for the hours before noon, and for those after it; none where hours are counted to 24. */
  halves: { am: readonly string[]; pm: readonly string[] }
  /**
   * With `{weekday}`, `{day}` (of the month), `{month}`, `{year}`, `{count}`, `{unit}`, `{numbers}` as '3/12', and `{date}`, numbers
   * that can be nothing but a date. `alone`: only where nothing but a day is asked for, as in the date picker, where a word may still
   * be typed. `led`: there, and after a word that says that a day follows.
   */
  dayForms: Readonly<Partial<Record<DayMeaning, DayForms>>>
  /**
   * With `{time}` (which is one by itself, as '9:30' and '9am'), `{hour}` ('9' and '9.30', too), `{half}`, and `{named}`, one of
   * `times`.
   */
  timeForms: readonly string[]
}

export interface DayForms {
  always: readonly string[]
  led?: readonly string[]
  alone?: readonly string[]
}

/** And in which they write by what something comes back. */
export interface RepeatLanguage extends DateLanguage {
  /** Which one in a month, with -1 for the last. */
  places: ReadonlyMap<string, number>
  /** What may stand between the days of a list, besides a comma. */
  and: readonly string[]
  /** What may follow a day, and when it is, in minutes after midnight. */
  partsOfDay: ReadonlyMap<string, number>
  /** Before the last day of something that repeats; elsewhere it says by when it is due. */
  beforeEnd: readonly string[]
  /** Before the first day of something that repeats. */
  beforeStart: readonly string[]
  repeats: readonly RepeatForm[]
  /** How often something that repeats comes, with `{count}`. */
  timesForms: readonly string[]
}

/**
 * How people write what a task needs to know in one language, for the date picker as for quick add, which has to tell a date from
 * words that look like one. `english.ts` is one; another language is another such file.
 */
export interface Language extends RepeatLanguage {
  dayForms: Readonly<Record<DayMeaning, DayForms>>
  /** What may stand before the day by which something is due: 'by Friday'. */
  beforeDue: readonly string[]
  /** After the `!`. */
  priorities: ReadonlyMap<string, 1 | 2 | 3>
  /** At the end, without a sign. */
  priorityPhrases: ReadonlyMap<string, 1 | 2 | 3>
  /** Words after which a date belongs to the sentence: 'the sun', 'ask about tomorrow'. */
  partOfSentence: ReadonlySet<string>
  /** Verbs that end in a word that could begin a date: 'stop by' tomorrow. */
  verbs: ReadonlySet<string>
  /** Words that make a name of the weekday after them: 'Black Friday'. */
  beforeNames: ReadonlySet<string>
  /** What begins a title about a work, whose name is in capitals: 'Watch' Freaky Friday. */
  beforeWorks: ReadonlySet<string>
  /** Words that are a person's name, too: with a capital, or after one of the words. */
  people: { names: ReadonlySet<string>; after: ReadonlySet<string> }
}

/** By what something comes back; the words of the form say the rest. */
export interface RepeatForm {
  /**
   * With `{count}`, `{unit}`, `{weekday}`, `{day}`, `{month}`, `{place}` (as 'last', in a month, or 'third', of units), `{weekdays}`, `{days}` (several), and
   * `{ordinals}`, days that have their ending.
   */
  forms: readonly string[]
  /** Where no `{unit}` says it. */
  unit?: RepeatUnit
  /** Where no `{count}` says it; 1 if neither does. */
  every?: number
  weekdays?: readonly WeekStart[]
  days?: readonly number[]
  /** Where no `{place}` says it. */
  place?: number
  /** It is counted from when it was done. */
  afterDone?: true
}

export type RepeatUnit = 'day' | 'week' | 'month' | 'year'

export const dayMeanings = [
  'today',
  'tomorrow',
  'day after tomorrow',
  'yesterday',
  'weekend',
  'weekend of next week',
  'next week',
  'next month',
  'next year',
  'end of week',
  'end of month',
  'end of next month',
  'end of year',
  'weekday',
  'weekday of next week',
  'after some time',
  'day of month',
  'date',
  'date in numbers',
] as const
export type DayMeaning = (typeof dayMeanings)[number]
