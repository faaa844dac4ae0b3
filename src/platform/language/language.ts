/**
 * How people write days and times in one language: its words, and the forms (`forms.ts`) in which they stand. All words are in small
 * letters. `english.ts` is one; another language is another such file.
 */
export interface Language {
  /** From Monday on, the whole name first. */
  weekdays: readonly (readonly string[])[]
  /** From January on, the whole name first. */
  months: readonly (readonly string[])[]
  units: Readonly<Record<'day' | 'week' | 'month' | 'year', readonly string[]>>
  /** Numbers as words. */
  counts: ReadonlyMap<string, number>
  /** What may follow the number of a day, as the 'rd' of '3rd'. */
  dayEndings: readonly string[]
  /** Times that have a name, in minutes after midnight. */
  times: ReadonlyMap<string, number>
  /** The words for the hours before noon, and for those after it; none where hours are counted to 24. */
  halves: { am: readonly string[]; pm: readonly string[] }
  /** What may stand before a day, as the 'on' of 'on Friday'. */
  beforeDay: readonly string[]
  /**
   * With `{weekday}`, `{day}` (of the month), `{month}`, `{year}`, `{count}`, `{unit}`, and `{numbers}` as '3/12'. `alone`: only
   * where nothing but a day is asked for, as the beginning of a word that is still being typed.
   */
  dayForms: Readonly<Record<DayMeaning, { always: readonly string[]; alone?: readonly string[] }>>
  /**
   * With `{time}` (which is one by itself, as '9:30' and '9am'), `{hour}` ('9' and '9.30', too), `{half}`, and `{named}`, one of
   * `times`.
   */
  timeForms: readonly string[]
}

export const dayMeanings = [
  'today',
  'tomorrow',
  'yesterday',
  'weekend',
  'next week',
  'next month',
  'next year',
  'end of month',
  'end of next month',
  'weekday',
  'weekday of next week',
  'after some time',
  'day of month',
  'date',
  'date in numbers',
] as const
export type DayMeaning = (typeof dayMeanings)[number]
