import type { Instant } from '#platform/calendar/day.ts'
import { offsetOf } from '#platform/calendar/time-zone.ts'

export interface TimeZoneChoice {
  /** As the runtime spells it. */
  zone: string
  /** As people do. */
  name: string
  /** Of now, such as 'UTC+05:30'. */
  offset: string
}

// Runtimes keep the old name of a zone whose city has another name by now.
const todaysNames: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

export function nameOfTimeZone(zone: string): string {
  return (todaysNames[zone] ?? zone).replaceAll('_', ' ')
}

/** The zones to choose from, in the order of their names. */
export function timeZoneChoices(zones: readonly string[], now: Instant): TimeZoneChoice[] {
  return zones
    .map((zone) => ({ zone, name: nameOfTimeZone(zone), offset: `UTC${offsetOf(zone, now)}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Those that hold every word of what was typed, in name or offset; the ones whose place begins with it come first. */
export function findTimeZones(choices: readonly TimeZoneChoice[], typed: string): TimeZoneChoice[] {
  const words = plain(typed).split(' ').filter(Boolean)
  const [first] = words
  if (first === undefined) return [...choices]
  const found = choices.filter((choice) => {
    const text = searchable(choice)
    return words.every((word) => text.includes(word))
  })
  const begins = ({ name }: TimeZoneChoice) => plain(name.slice(name.lastIndexOf('/') + 1)).startsWith(first)
  return [...found.filter(begins), ...found.filter((choice) => !begins(choice))]
}

/** Both names, and the offset as it is written and as it is said: UTC+05:30, UTC+5:30; UTC+01:00, UTC+1. */
function searchable({ zone, name, offset }: TimeZoneChoice): string {
  const said = offset.replace(/([+-])0/, '$1').replace(':00', '')
  return plain(`${name} ${zone} ${offset} ${said}`)
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll('−', '-')
    .replace(/[\s_/]+/g, ' ')
    .trim()
}
