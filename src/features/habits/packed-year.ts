import { type Day, dayNumber } from '#platform/calendar/day.ts'

// The days of a year on which a habit was done, one bit per day: 365 completions are read as one short text.

const bytesOfYear = 46

/** `days` are day numbers within that year. */
export function packYear(year: number, days: readonly number[]): string {
  const first = firstDayNumber(year)
  const bits = new Uint8Array(bytesOfYear)
  for (const day of days) {
    const place = day - first
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
  }
  return bits.toBase64()
}

/** The day numbers, in order. */
export function unpackYear(year: number, packed: string): number[] {
  const first = firstDayNumber(year)
  const days: number[] = []
  for (const [place, bits] of Uint8Array.fromBase64(packed).entries()) {
    for (let bit = 0; bits >> bit !== 0; bit += 1) {
      if ((bits >> bit) & 1) days.push(first + 8 * place + bit)
    }
  }
  return days
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

export function firstDayOf(year: number): Day {
  return `${String(year).padStart(4, '0')}-01-01` as Day
}

export function lastDayOf(year: number): Day {
  return `${String(year).padStart(4, '0')}-12-31` as Day
}

function firstDayNumber(year: number): number {
  return dayNumber(firstDayOf(year))
}
