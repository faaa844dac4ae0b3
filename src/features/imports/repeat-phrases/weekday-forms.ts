import type { WeekStart } from '#platform/calendar/week.ts'
import type { RepeatForm } from '#platform/language/language.ts'

const weekdays: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]

/** For each weekday, from Monday on, a word that alone means every such day: 'montags' is every Monday. */
export function eachWeekday(words: readonly string[]): RepeatForm[] {
  return weekdays.map((weekday, place) => ({
    forms: [words[place] ?? ''],
    unit: 'week',
    weekdays: [weekday],
  }))
}

/**
 * Replaces `{nth}` in the forms by words that mean a place in the month even if no month is named. A phrase such as 'every second
 * Monday' is left out, because it may mean every other Monday.
 */
export function nthWeekday(
  words: Readonly<Partial<Record<'first' | 'second' | 'third' | 'fourth' | 'fifth' | 'last', string>>>,
  forms: readonly string[],
): RepeatForm[] {
  return Object.entries(words).map(([name, word]) => ({
    forms: forms.map((form) => form.replace('{nth}', word)),
    unit: 'month',
    place: places[name] ?? -1,
  }))
}

const places: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5 }
