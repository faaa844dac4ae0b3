/**
 * Parses minutes typed as '45', '1h 30', '1:30', '1.5 h' or '90 min', unless told otherwise up to '99:59'. Null for an empty text,
 * undefined for anything invalid.
 */
export function typedMinutes(text: string, most = 5_999): number | null | undefined {
  const typed = text.trim().toLowerCase().replace(',', '.')
  if (typed === '') return null
  const minutes = minutesIn(typed)
  if (minutes === undefined || minutes < 1 || minutes > most) return
  return minutes
}

function minutesIn(typed: string): number | undefined {
  const clock = /^(\d{1,2}):([0-5]\d)$/.exec(typed)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  const parts = /^(?:(\d+(?:\.\d+)?) ?h(?:ours?|rs?)?)? ?(?:(\d+) ?(?:m(?:in(?:ute)?s?)?)?)?$/.exec(typed)
  if (!parts) return
  return Math.round(Number(parts[1] ?? 0) * 60) + Number(parts[2] ?? 0)
}
