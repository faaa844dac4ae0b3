import { expect, test } from 'vitest'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import type { Language } from '#platform/language/language.ts'
import { readQuickAdd } from './read-quick-add.ts'

// So little of German that it fits here, and no line of code: another language is one file like this, and one of vectors.
const german: Language = {
  weekdays: [
    ['montag', 'mo'],
    ['dienstag', 'di'],
    ['mittwoch', 'mi'],
    ['donnerstag', 'do'],
    ['freitag', 'fr'],
    ['samstag', 'sa'],
    ['sonntag', 'so'],
  ],
  months: [
    ...[['januar', 'jan'], ['februar', 'feb'], ['märz'], ['april'], ['mai'], ['juni'], ['juli'], ['august']],
    ...[['september'], ['oktober', 'okt'], ['november', 'nov'], ['dezember', 'dez']],
  ],
  units: {
    day: ['tag', 'tage', 'tagen'],
    week: ['woche', 'wochen'],
    month: ['monat', 'monate', 'monaten'],
    year: ['jahr', 'jahre', 'jahren'],
  },
  counts: new Map([
    ['einem', 1],
    ['zwei', 2],
  ]),
  dayEndings: ['.'],
  places: new Map([
    ['ersten', 1],
    ['letzten', -1],
  ]),
  and: ['und'],
  times: new Map([['mittag', 12 * 60]]),
  halves: { am: [], pm: [] },
  dayForms: {
    today: { always: ['heute'] },
    tomorrow: { always: ['morgen'] },
    'day after tomorrow': { always: ['übermorgen'] },
    yesterday: { always: [], alone: ['gestern'] },
    weekend: { always: ['[am] wochenende'] },
    'weekend of next week': { always: ['nächstes wochenende'] },
    'next week': { always: ['nächste woche'] },
    'next month': { always: ['nächsten monat'] },
    'next year': { always: ['nächstes jahr'] },
    'end of week': { always: ['ende der woche'] },
    'end of month': { always: ['ende des monats'] },
    'end of next month': { always: ['ende nächsten monats'] },
    'end of year': { always: ['ende des jahres'] },
    weekday: { always: ['[am] {weekday}'] },
    'weekday of next week': { always: ['nächsten {weekday}'] },
    'after some time': { always: ['in {count} {unit}'] },
    'day of month': { always: ['am {day}'], alone: ['{day}'] },
    date: { always: ['[am] [{weekday}] {day} {month} [{year}]'] },
    'date in numbers': { always: ['[am] {date}'], led: ['{numbers}'] },
  },
  timeForms: ['[um] {time}', '[um] {hour} uhr'],
  partsOfDay: new Map([['früh', 9 * 60]]),
  beforeDue: ['bis'],
  beforeEnd: ['bis'],
  beforeStart: ['ab'],
  repeats: [
    { forms: ['täglich', 'jeden tag'], unit: 'day' },
    { forms: ['alle {count} {unit}'] },
    { forms: ['jeden {weekdays}'], unit: 'week' },
    { forms: ['jeden {place} {weekday} im monat'], unit: 'month' },
    { forms: ['{count} {unit} nach erledigung'], afterDone: true },
  ],
  timesForms: ['{count} mal'],
  priorities: new Map([['hoch', 3]]),
  priorityPhrases: new Map([['wichtig', 3]]),
  partOfSentence: new Set(['der', 'für', 'und']),
  verbs: new Set(),
  beforeNames: new Set(['schwarzer']),
  beforeWorks: new Set(['lies']),
  people: { names: new Set(), after: new Set() },
}

const today: Day = daySchema.parse('2026-11-22')

test.each([
  ['Milch kaufen', 'Milch kaufen', ''],
  ['Milch kaufen morgen', 'Milch kaufen', '2026-11-23'],
  ['Milch kaufen morgen um 9 Uhr', 'Milch kaufen', '2026-11-23 09:00'],
  ['Mutter anrufen morgen früh', 'Mutter anrufen', '2026-11-23 09:00'],
  ['Übung übermorgen #sport !hoch', 'Übung', '2026-11-24 #sport !3'],
  ['Steuer bis 3. Dezember', 'Steuer', '2026-12-03'],
  ['Steuer am Do 3. Dez. 2026', 'Steuer', '2026-12-03'],
  ['Müll alle zwei Wochen', 'Müll', '2026-11-22 every 2 weeks on Sun'],
  ['Laufen jeden Mo und Do 18:30', 'Laufen', '2026-11-23 18:30 every week on Mon, Thu'],
  ['Stammtisch jeden ersten Freitag im Monat', 'Stammtisch', '2026-12-04 every month on the first Fri'],
  ['Filter 3 Monate nach Erledigung', 'Filter', '2026-11-22 3 months after it is done'],
  ['Geschenk für Sonntag', 'Geschenk für Sonntag', ''],
  ['Plakat Schwarzer Freitag', 'Plakat Schwarzer Freitag', ''],
])('%s', (text, title, said) => {
  const read = readQuickAdd(text, {
    today,
    weekStart: 1,
    numberOrder: 'day first',
    language: german,
    lists: [],
    refused: [],
  })
  expect(read.title).toBe(title)
  const { due_day, time, repeat, tags, priority } = read
  const found = [
    due_day,
    time === null ? null : timeOfDay(time),
    repeat && repeatWords(repeat),
    ...tags.map((tag) => `#${tag}`),
    priority > 0 ? `!${priority}` : null,
  ]
  expect(found.filter((each) => each !== null).join(' ')).toBe(said)
})
