import type { Instant } from '#platform/calendar/day.ts'
import { currentNameOf, formerNameOf } from '#platform/calendar/time-zone.ts'
import { offsetOf } from '#platform/calendar/time-zone-offset.ts'
import { nameOfTimeZone } from './time-zone-name.ts'

export interface TimeZoneChoice {
  /** The name to store if the person chooses this zone. */
  zone: string
  /** The name of the zone as people write it. */
  name: string
  /** The zone's current offset, such as 'UTC+05:30'. */
  offset: string
}

/** The time zones to choose from, sorted by their current names. `zones` are the names that the runtime lists. */
export function timeZoneChoices(zones: readonly string[], now: Instant): TimeZoneChoice[] {
  return zones
    .map((zone) => ({
      zone: currentNameOf(zone),
      name: nameOfTimeZone(zone),
      offset: `UTC${offsetOf(zone, now)}`,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The zones that contain every typed word in their name or offset. Places that begin with the first word come first. */
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

/**
 * The text that a search looks through: the current and the former name, and the offset as written and as spoken. An offset is
 * written UTC+05:30 and spoken UTC+5:30, or written UTC+01:00 and spoken UTC+1.
 */
function searchable({ zone, name, offset }: TimeZoneChoice): string {
  const spoken = offset.replace(/([+-])0/, '$1').replace(':00', '')
  return plain(`${name} ${formerNameOf(zone) ?? ''} ${offset} ${spoken}`)
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
