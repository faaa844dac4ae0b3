import type { Instant } from './day.ts'

// Runtimes go on calling a zone by the name that its city once had, whatever they were told.
const presentNames: Readonly<Record<string, string>> = {
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
const formerNames = new Map(Object.entries(presentNames).map(([former, present]) => [present, former]))

/** The name that a zone has today, whichever of its names a runtime gives it. */
export function presentNameOf(zone: string): string {
  return presentNames[zone] ?? zone
}

/** The name that a zone had before its city was renamed. */
export function formerNameOf(zone: string): string | undefined {
  return formerNames.get(zone)
}

/** Whether two names are one zone, though one of them may be a former name or unknown here. */
export function isSameTimeZone(one: string, other: string): boolean {
  if (presentNameOf(one) === presentNameOf(other)) return true
  try {
    const moment = Temporal.Instant.fromEpochMilliseconds(0)
    return moment.toZonedDateTimeISO(one).equals(moment.toZonedDateTimeISO(other))
  } catch {
    return false
  }
}

/** A zone that was named in any case, in the case it is written in; undefined where this runtime does not know it. */
export function spellTimeZone(name: string): string | undefined {
  // An offset such as +02:00 has no daylight saving and is not a place: a name is asked for.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    // Intl would put a former name in the place of the one that was chosen.
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

/** How far the zone's clocks are ahead of UTC at an instant, such as '+05:30'. */
export function offsetOf(zone: string, instant: Instant): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offset
}
