// Former names of zones. Runtimes keep reporting a zone by the former name of its city, whichever name they were given.
const currentNames: Readonly<Record<string, string>> = {
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
const formerNames = new Map(Object.entries(currentNames).map(([former, present]) => [present, former]))

/** The current name of a zone, whichever of its names a runtime uses. */
export function currentNameOf(zone: string): string {
  return currentNames[zone] ?? zone
}

/** The name of a zone before its city was renamed. */
export function formerNameOf(zone: string): string | undefined {
  return formerNames.get(zone)
}

/** Whether two names mean the same zone, even if one of them is a former name or unknown to this runtime. */
export function isSameTimeZone(one: string, other: string): boolean {
  if (currentNameOf(one) === currentNameOf(other)) return true
  try {
    const moment = Temporal.Instant.fromEpochMilliseconds(0)
    return moment.toZonedDateTimeISO(one).equals(moment.toZonedDateTimeISO(other))
  } catch {
    return false
  }
}

/** Corrects the case of a zone name; undefined if this runtime does not know the zone. */
export function normalizeTimeZone(name: string): string | undefined {
  // An offset such as +02:00 has no daylight saving and is not a place, so only names are accepted.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    // Intl would replace the chosen name with a former one.
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}
