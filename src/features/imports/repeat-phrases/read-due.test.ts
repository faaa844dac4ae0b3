import { expect, test } from 'vitest'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { daySchema } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { readDue } from './read-due.ts'

/** A Wednesday. */
const today = daySchema.parse('2026-11-25')

/** What is read, as '2026-11-27 09:00 every week on Fri'; nothing for what becomes a note. */
function said(text: string, code: string): string {
  const read = readDue(text, code, { today, weekStart: 1 })
  if (!read) return ''
  const { repeat } = read
  return [
    read.due,
    read.time === undefined ? null : timeOfDay(read.time),
    repeat && repeatWords(repeat),
    repeat?.until && `until ${repeat.until}`,
    repeat?.times && `${repeat.times} times`,
  ]
    .filter((part) => part !== null && part !== undefined)
    .join(' ')
}

// Ten of each language, of which what cannot be said in Daymark, or could mean two things, becomes a note.
const phrases: readonly (readonly [code: string, text: string, says: string])[] = [
  ['en', 'every! 3 days', '2026-11-25 3 days after it is done'],
  ['en', 'every other week', '2026-11-25 every 2 weeks on Wed'],
  ['en', 'ev mon, wed', '2026-11-25 every week on Mon, Wed'],
  ['en', 'every last day', '2026-11-30 every month on the last day'],
  ['en', 'after 3 days', '2026-11-25 3 days after it is done'],
  ['en', 'every 3rd friday', '2026-12-18 every month on the third Fri'],
  ['en', 'every 27th at 9am', '2026-11-27 09:00 every month on the 27th'],
  ['en', 'every 14 days 7am starting 1 Dec', '2026-12-01 07:00 every 14 days'],
  ['en', 'every workday until 18 Dec 2026', '2026-11-25 every weekday until 2026-12-18'],
  ['en', 'every 12 hours', ''],

  ['de', 'jeden Freitag', '2026-11-27 every week on Fri'],
  ['de', 'alle 3 Tage', '2026-11-25 every 3 days'],
  ['de', 'jeden Tag um 9 Uhr', '2026-11-25 09:00 every day'],
  ['de', 'jede zweite Woche', '2026-11-25 every 2 weeks on Wed'],
  ['de', 'jeden Mo, Mi und Fr', '2026-11-25 every week on Mon, Wed, Fri'],
  ['de', 'jeden ersten Montag im Monat', '2026-12-07 every month on the first Mon'],
  ['de', 'am 15. jeden Monats', '2026-12-15 every month on the 15th'],
  ['de', 'jeden! Monat', '2026-11-25 a month after it is done'],
  ['de', 'jedes Jahr am 3. März', '2027-03-03 every year on 3 Mar'],
  ['de', 'jeden zweiten Montag', ''],

  ['fr', 'tous les jours', '2026-11-25 every day'],
  ['fr', 'chaque lundi à 18h30', '2026-11-30 18:30 every week on Mon'],
  ['fr', 'tous les lundis et jeudis', '2026-11-26 every week on Mon, Thu'],
  ['fr', 'toutes les deux semaines', '2026-11-25 every 2 weeks on Wed'],
  ['fr', 'un jour sur deux', '2026-11-25 every 2 days'],
  ['fr', 'le 15 de chaque mois', '2026-12-15 every month on the 15th'],
  ['fr', 'chaque dernier jour du mois', '2026-11-30 every month on the last day'],
  ['fr', 'le premier vendredi de chaque mois', '2026-12-04 every month on the first Fri'],
  ['fr', 'tous les ans le 14 juillet', '2027-07-14 every year on 14 Jul'],
  ['fr', 'tous les trois mois à partir du 1er janvier', '2027-01-01 every 3 months on the 1st'],

  ['es', 'todos los días', '2026-11-25 every day'],
  ['es', 'cada 3 días', '2026-11-25 every 3 days'],
  ['es', 'cada lunes a las 9', '2026-11-30 09:00 every week on Mon'],
  ['es', 'todos los martes y jueves', '2026-11-26 every week on Tue, Thu'],
  ['es', 'cada dos semanas', '2026-11-25 every 2 weeks on Wed'],
  ['es', 'el día 10 de cada mes', '2026-12-10 every month on the 10th'],
  ['es', 'el último viernes de cada mes', '2026-11-27 every month on the last Fri'],
  ['es', 'todos los años el 6 de enero', '2027-01-06 every year on 6 Jan'],
  ['es', 'cada dia laborable hasta el 31 de diciembre de 2026', '2026-11-25 every weekday until 2026-12-31'],
  ['es', 'cada quincena', ''],

  ['it', 'ogni giorno', '2026-11-25 every day'],
  ['it', 'ogni lunedì', '2026-11-30 every week on Mon'],
  ['it', 'ogni 2 settimane', '2026-11-25 every 2 weeks on Wed'],
  ['it', 'tutti i giorni alle 8:30', '2026-11-25 08:30 every day'],
  ['it', 'ogni martedì e venerdì', '2026-11-27 every week on Tue, Fri'],
  ['it', 'il 5 di ogni mese', '2026-12-05 every month on the 5th'],
  ['it', "l'ultimo giorno del mese", '2026-11-30 every month on the last day'],
  ['it', 'ogni prima domenica del mese', '2026-12-06 every month on the first Sun'],
  ['it', 'ogni anno il 25 dicembre', '2026-12-25 every year on 25 Dec'],
  ['it', 'dopo 10 giorni', '2026-11-25 10 days after it is done'],

  ['pt', 'todo dia', '2026-11-25 every day'],
  ['pt', 'toda segunda-feira', '2026-11-30 every week on Mon'],
  ['pt', 'todas as terças e quintas', '2026-11-26 every week on Tue, Thu'],
  ['pt', 'a cada 3 dias', '2026-11-25 every 3 days'],
  ['pt', 'todo dia 15', '2026-12-15 every month on the 15th'],
  ['pt', 'todo último dia do mês', '2026-11-30 every month on the last day'],
  ['pt', 'a cada duas semanas às 10h', '2026-11-25 10:00 every 2 weeks on Wed'],
  ['pt', 'toda primeira segunda do mês', '2026-12-07 every month on the first Mon'],
  ['pt', 'todo ano em 7 de setembro', '2027-09-07 every year on 7 Sep'],
  ['pt', 'todos os dias úteis', '2026-11-25 every weekday'],

  ['nl', 'elke dag', '2026-11-25 every day'],
  ['nl', 'elke maandag om 9 uur', '2026-11-30 09:00 every week on Mon'],
  ['nl', 'om de dag', '2026-11-25 every 2 days'],
  ['nl', 'elke 3 weken', '2026-11-25 every 3 weeks on Wed'],
  ['nl', 'iedere dinsdag en donderdag', '2026-11-26 every week on Tue, Thu'],
  ['nl', 'de 1e van elke maand', '2026-12-01 every month on the 1st'],
  ['nl', 'elke laatste vrijdag van de maand', '2026-11-27 every month on the last Fri'],
  ['nl', 'elke werkdag', '2026-11-25 every weekday'],
  ['nl', 'elk jaar op 5 december', '2026-12-05 every year on 5 Dec'],
  ['nl', 'elke tweede maandag', ''],

  ['sv', 'varje dag', '2026-11-25 every day'],
  ['sv', 'varje måndag kl 9', '2026-11-30 09:00 every week on Mon'],
  ['sv', 'varannan vecka', '2026-11-25 every 2 weeks on Wed'],
  ['sv', 'var tredje dag', '2026-11-25 every 3 days'],
  ['sv', 'varannan fredag', '2026-11-27 every 2 weeks on Fri'],
  ['sv', 'den 25 varje månad', '2026-11-25 every month on the 25th'],
  ['sv', 'sista dagen i varje månad', '2026-11-30 every month on the last day'],
  ['sv', 'varje vardag', '2026-11-25 every weekday'],
  ['sv', 'varje år den 6 juni', '2027-06-06 every year on 6 Jun'],
  ['sv', 'första måndagen i månaden', '2026-12-07 every month on the first Mon'],

  ['pl', 'codziennie', '2026-11-25 every day'],
  ['pl', 'co 3 dni', '2026-11-25 every 3 days'],
  ['pl', 'w każdy poniedziałek o 9:00', '2026-11-30 09:00 every week on Mon'],
  ['pl', 'co drugi tydzień', '2026-11-25 every 2 weeks on Wed'],
  ['pl', 'co wtorek i czwartek', '2026-11-26 every week on Tue, Thu'],
  ['pl', 'każdego 10 dnia miesiąca', '2026-12-10 every month on the 10th'],
  ['pl', 'ostatniego dnia miesiąca', '2026-11-30 every month on the last day'],
  ['pl', 'w każdy dzień roboczy', '2026-11-25 every weekday'],
  ['pl', 'co roku 11 listopada', '2027-11-11 every year on 11 Nov'],
  ['pl', 'pierwszy piątek miesiąca', '2026-12-04 every month on the first Fri'],

  ['da', 'hver dag', '2026-11-25 every day'],
  ['da', 'hver mandag kl. 9', '2026-11-30 09:00 every week on Mon'],
  ['da', 'hver anden uge', '2026-11-25 every 2 weeks on Wed'],
  ['da', 'hver 3. dag', '2026-11-25 every 3 days'],
  ['da', 'hver tirsdag og torsdag', '2026-11-26 every week on Tue, Thu'],
  ['da', 'den 1. hver måned', '2026-12-01 every month on the 1st'],
  ['da', 'hver hverdag', '2026-11-25 every weekday'],
  ['da', 'hver sidste fredag i måneden', '2026-11-27 every month on the last Fri'],
  ['da', 'hvert år den 24. december', '2026-12-24 every year on 24 Dec'],
  ['da', 'hver 3. fredag', ''],
]

test.each(phrases)('%s: %s', (code, text, says) => {
  expect(said(text, code)).toBe(says)
})

test('of a hundred phrases in ten languages at least ninety are read', () => {
  expect(phrases).toHaveLength(100)
  expect(new Set(phrases.map(([code]) => code)).size).toBe(10)
  expect(phrases.filter(([, , says]) => says !== '').length).toBeGreaterThanOrEqual(90)
})

test.each([
  ['en', '2026-12-03', '2026-12-03'],
  ['en', '2026-12-03 18:00', '2026-12-03 18:00'],
  ['en', '2019-03-15T07:30:00', '2019-03-15 07:30'],
  ['en', 'Dec 3 2026 @ 6pm', '2026-12-03 18:00'],
  ['en', '27 Jun 2018', '2018-06-27'],
  ['de', 'am 3. Dezember 2026 um 18 Uhr', '2026-12-03 18:00'],
  ['fr', 'le 3 décembre 2026 à 18h', '2026-12-03 18:00'],
  ['es', '3 de diciembre de 2026', '2026-12-03'],
  ['it', '3 dicembre 2026 alle 18', '2026-12-03 18:00'],
  ['pt', '3 de dezembro de 2026 às 18h', '2026-12-03 18:00'],
  ['nl', '3 dec 2026 om 18:00', '2026-12-03 18:00'],
  ['sv', '3 december 2026 kl. 18', '2026-12-03 18:00'],
  ['pl', '3 grudnia 2026 o 18:00', '2026-12-03 18:00'],
  ['da', 'den 3. december 2026 kl. 18.00', '2026-12-03 18:00'],
])('%s: a date without a repeat: %s', (code, text, says) => {
  expect(said(text, code)).toBe(says)
})

test.each([
  ['en', 'every day', '2026-11-25 every day'],
  ['en', 'daily', '2026-11-25 every day'],
  ['en', 'every morning', '2026-11-25 09:00 every day'],
  ['en', 'every afternoon', '2026-11-25 12:00 every day'],
  ['en', 'every night', '2026-11-25 22:00 every day'],
  ['en', 'ev weekday', '2026-11-25 every weekday'],
  ['en', 'every 27', '2026-11-27 every month on the 27th'],
  ['en', 'every jan 27th', '2027-01-27 every year on 27 Jan'],
  ['en', 'every year', '2026-11-25 every year on 25 Nov'],
  ['en', 'every quarter', '2026-11-25 every 3 months on the 25th'],
  ['en', 'every other tues 7am starting 1 Dec', '2026-12-01 07:00 every 2 weeks on Tue'],
  ['en', 'every mon, tues, wed, and fri', '2026-11-25 every week on Mon, Tue, Wed, Fri'],
  ['en', 'every day ending aug 3', '2026-11-25 every day until 2027-08-03'],
  ['en', 'every day from 10 May until 20 May', '2027-05-10 every day until 2027-05-20'],
  ['en', 'every mon, fri at 20:00', '2026-11-27 20:00 every week on Mon, Fri'],
  ['en', 'every! monday', '2026-11-30 every week on Mon'],
  ['en', 'Every Month on the 1st', '2026-12-01 every month on the 1st'],
  ['en', 'every 2 weeks starting 2019-01-07', '2026-11-30 every 2 weeks on Mon'],
  ['en', 'every day 5 times', '2026-11-25 every day 5 times'],
  ['de', 'jeden Tag ab 1. Dezember bis 24. Dezember', '2026-12-01 every day until 2026-12-24'],
  ['de', 'montags', '2026-11-30 every week on Mon'],
  ['de', 'jeden 3. Freitag', '2026-12-18 every month on the third Fri'],
  ['de', 'every friday', '2026-11-27 every week on Fri'],
  ['en', 'every mon-fri', '2026-11-25 every weekday'],
  ['pt', 'toda segunda a sexta', '2026-11-25 every weekday'],
  ['fr', 'les lundis', '2026-11-30 every week on Mon'],
  ['sv', 'måndagar', '2026-11-30 every week on Mon'],
  ['da', 'hver 14. dag', '2026-11-25 every 14 days'],
  ['es', 'cada miercoles', '2026-11-25 every week on Wed'],
  ['pl', 'kazda srode', '2026-11-25 every week on Wed'],
])('%s: %s', (code, text, says) => {
  expect(said(text, code)).toBe(says)
})

test.each([
  ['en', 'every blue moon'],
  ['en', 'every second monday'],
  ['en', 'every weekend'],
  ['en', 'every first day'],
  ['en', 'every day for 3 weeks'],
  ['en', 'every 15th workday, last workday'],
  ['en', 'every 3 workdays'],
  ['en', 'every day at 9am and 5pm'],
  ['en', 'every 14 jan, 14 apr'],
  ['en', 'every day from monday until friday'],
  ['en', 'every! 2 weeks on monday'],
  ['en', '5/6/2026'],
  ['en', 'every day until 2020-01-01'],
  ['de', 'jeden Tag von Montag bis Freitag'],
  ['de', 'alle 3 Stunden'],
  ['nl', 'elke avond om 8'],
  ['da', 'hver 3. fredag'],
  ['fr', 'chaque jour du lundi au vendredi'],
  ['fr', 'toutes les 12h'],
  ['ja', '毎日'],
])('%s: what could mean two things, or nothing here, is not read: %s', (code, text) => {
  expect(said(text, code)).toBe('')
})

test('without a language what is read in one of them only is read', () => {
  expect(said('jeden Freitag', '')).toBe('2026-11-27 every week on Fri')
  expect(said('every friday', '')).toBe('2026-11-27 every week on Fri')
  expect(said('xyz', '')).toBe('')
})

test.each([
  ['en', 'the day after tomorrow'],
  ['de', 'übermorgen'],
  ['fr', 'après-demain'],
  ['es', 'pasado mañana'],
  ['it', 'dopodomani'],
  ['pt', 'depois de amanhã'],
  ['nl', 'overmorgen'],
  ['sv', 'i övermorgon'],
  ['pl', 'pojutrze'],
  ['da', 'i overmorgen'],
])('the day after tomorrow is read in %s', (code, text) => {
  expect(said(text, code)).toBe('2026-11-27')
})
