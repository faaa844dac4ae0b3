import type { WeekStart } from '#platform/calendar/week.ts'
import type { RepeatForm } from '#platform/language/language.ts'

const weekdays: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]

/** One word, from that for Monday on, which says by itself that it is every such day: 'montags'. */
export function eachWeekday(words: readonly string[]): RepeatForm[] {
  return weekdays.map((weekday, place) => ({
    forms: [words[place] ?? ''],
    unit: 'week',
    weekdays: [weekday],
  }))
}

/**
 * Forms with `{nth}`, of which the words are only those that mean a place in the month even where no month is named. Every 'second
 * Monday' may as well be every other one, and is left out.
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
