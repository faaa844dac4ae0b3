import { english as quickAdd } from '#platform/language/english.ts'
import type { RepeatLanguage } from '#platform/language/language.ts'
import { nthWeekday } from './weekday-forms.ts'

/** Phrases of quick add that other apps use with a different or an ambiguous meaning. */
const leftOut = new Set([
  // Todoist's weekend is Saturday only.
  'every|each weekend',
  // 'Every second Monday' may mean every other Monday, or the second Monday of a month.
  'every|each {place} {weekday} [of] [the|each|every] [month]',
])

/** The phrases that quick add reads, and additional ones of Todoist. */
export const english: RepeatLanguage = {
  ...quickAdd,
  timeForms: [...quickAdd.timeForms, '@ {time}'],
  partsOfDay: new Map([
    ['morning', 9 * 60],
    ['afternoon', 12 * 60],
    ['evening', 19 * 60],
    ['night', 22 * 60],
  ]),
  beforeStart: [...quickAdd.beforeStart, 'start', 'starts', 'starts on', 'beginning', 'beginning on'],
  beforeEnd: [...quickAdd.beforeEnd, 'ending', 'ending on', 'ends', 'ends on'],
  repeats: [
    ...quickAdd.repeats.map((meaning) => ({
      ...meaning,
      forms: meaning.forms.filter((form) => !leftOut.has(form)),
    })),
    { forms: ['every|each night'], unit: 'day' as const },
    {
      forms: ['workdays|weekdays', 'on workdays|weekdays'],
      unit: 'week' as const,
      weekdays: [1, 2, 3, 4, 5] as const,
    },
    { forms: ['every {place} {weekday} of [the|each|every] month'], unit: 'month' as const },
    ...nthWeekday(
      { first: 'first|1st', second: '2nd', third: '3rd', fourth: '4th', fifth: '5th', last: 'last' },
      ['every|each {nth} {weekday}'],
    ),
    {
      forms: ['every mon-fri|monday-friday', 'every mon|monday to|- fri|friday'],
      unit: 'week' as const,
      weekdays: [1, 2, 3, 4, 5] as const,
    },
    { forms: ['every|each last day', 'every last day of [each] month'], unit: 'month' as const, days: [-1] },
    { forms: ['every|each {days}'], unit: 'month' as const },
    { forms: ['semiannually', 'every|each half year'], unit: 'month' as const, every: 6 },
    { forms: ['after {count} {unit}', 'every {count} {unit} after completing'], afterDone: true as const },
  ].map((meaning) => ({
    ...meaning,
    // Todoist also accepts 'ev' for 'every'.
    forms: meaning.forms.map((form) => form.replaceAll(/\bevery\b/g, 'every|ev')),
  })),
}
