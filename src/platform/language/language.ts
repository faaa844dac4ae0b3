import type { WeekStart } from '#platform/calendar/week.ts'

/** The words and forms (`forms.ts`) in which people write days and times. All words are in lower case. */
export interface DateLanguage {
  /** Names from Monday on; the full name of each comes first. */
  weekdays: readonly (readonly string[])[]
  /** Names from January on; the full name of each comes first. */
  months: readonly (readonly string[])[]
  units: Readonly<Record<RepeatUnit, readonly string[]>>
  /** Numbers written as words. */
  counts: ReadonlyMap<string, number>
  /** Endings of a day's number, such as the 'rd' of '3rd'. */
  dayEndings: readonly string[]
  /** Named times, in minutes after midnight. */
  times: ReadonlyMap<string, number>
  /** Words for the hours before and after noon; empty where the language counts to 24. */
  halves: { am: readonly string[]; pm: readonly string[] }
  /**
   * Forms with `{weekday}`, `{day}` (of the month), `{month}`, `{year}`, `{count}`, `{unit}`, `{numbers}` such as '3/12', and
   * `{date}`, for numbers that can only be a date. `alone` forms apply only in fields for nothing but a day, such as the date
   * picker, where words may also be unfinished. `led` forms apply in those fields, and after a word that announces a day.
   */
  dayForms: Readonly<Partial<Record<DayMeaning, DayForms>>>
  /**
   * Forms with `{time}` (complete by itself, such as '9:30' or '9am'), `{hour}` (also '9' or '9.30'), `{half}`, and `{named}`,
   * one of `times`.
   */
  timeForms: readonly string[]
}

export interface DayForms {
  always: readonly string[]
  led?: readonly string[]
  alone?: readonly string[]
}

/** A `DateLanguage` with the forms in which people write how something repeats. */
export interface RepeatLanguage extends DateLanguage {
  /** Ordinal words for a place in a month; -1 is the last. */
  places: ReadonlyMap<string, number>
  /** Words between the days of a list, besides a comma. */
  and: readonly string[]
  /** Words that may follow a day, such as 'morning', and their time in minutes after midnight. */
  partsOfDay: ReadonlyMap<string, number>
  /** Words before the last day of a repeating task; without a repeat they introduce the due day. */
  beforeEnd: readonly string[]
  /** Words before the first day of a repeating task. */
  beforeStart: readonly string[]
  repeats: readonly RepeatForm[]
  /** Forms for how many times a repeating task occurs, with `{count}`. */
  timesForms: readonly string[]
}

/**
 * How people write a task's details in one language, for the date picker and for quick add. Quick add has to tell a date from
 * words that only look like one. `english.ts` is one language; each further language is another such file.
 */
export interface Language extends RepeatLanguage {
  dayForms: Readonly<Record<DayMeaning, DayForms>>
  /** Words that introduce a due day, as in 'by Friday'. */
  beforeDue: readonly string[]
  /** Words that set the task's priority when they follow a `!`. */
  priorities: ReadonlyMap<string, 1 | 2 | 3>
  /** Phrases that set the task's priority at the end of its title, without a `!`. */
  priorityPhrases: ReadonlyMap<string, 1 | 2 | 3>
  /** Words that make a following date part of the sentence: 'the sun', 'ask about tomorrow'. */
  partOfSentence: ReadonlySet<string>
  /** Verbs whose last word could also introduce a date, such as the 'by' of 'stop by'. */
  verbs: ReadonlySet<string>
  /** Words that turn a following weekday into a name, such as 'Black Friday'. */
  beforeNames: ReadonlySet<string>
  /** Words before the name of a work such as a film. A weekday in that name is no date: 'watch Freaky Friday'. */
  beforeWorks: ReadonlySet<string>
  /** Words that are also a person's name: when capitalized, or after one of the `after` words. */
  people: { names: ReadonlySet<string>; after: ReadonlySet<string> }
}

/** One way to write how something repeats. Values in braces fill in what the fields below leave open. */
export interface RepeatForm {
  /**
   * Forms with `{count}`, `{unit}`, `{weekday}`, `{day}`, `{month}`, `{place}` ('last' of a month, or 'third' of several units),
   * `{weekdays}` and `{days}` (several), and `{ordinals}`, days with their endings.
   */
  forms: readonly string[]
  /** The unit, for forms without `{unit}`. */
  unit?: RepeatUnit
  /** The interval, for forms without `{count}`; 1 if both are missing. */
  every?: number
  weekdays?: readonly WeekStart[]
  days?: readonly number[]
  /** The place in the month, for forms without `{place}`. */
  place?: number
  /** The next occurrence counts from the day of completion. */
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
