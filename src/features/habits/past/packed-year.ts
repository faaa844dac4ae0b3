import { type Day, dayNumber } from '#platform/calendar/day.ts'

// Packs the days of a year into one short text. It has a bit per day for done days, another bit per day for skipped days if there
// are any, and the amounts by their place in the year. A year that only has done days takes 64 characters.

/** The days of a year, given by their numbers (`dayNumber`). */
export interface PackedDays {
  done: readonly number[]
  skipped: readonly number[]
  /** The entered amounts. */
  amounts: readonly (readonly [day: number, amount: number])[]
  /** The focused amounts (`focusedMinutes`), which are part of a day's amount if the target is in minutes. */
  focused: readonly (readonly [day: number, amount: number])[]
}

const bytesOfYear = 46

/** Packs the days of a year. All days must be in `year`. */
export function packYear(year: number, { done, skipped, amounts, focused }: PackedDays): string {
  const first = firstDayNumber(year)
  if (skipped.length + amounts.length + focused.length === 0) return packBits(first, done)
  const packed = [packBits(first, done), packBits(first, skipped), packAmounts(first, amounts)]
  return [...packed, ...(focused.length > 0 ? [packAmounts(first, focused)] : [])].join(' ')
}

/** Returns the days in order. */
export function unpackYear(year: number, packed: string): PackedDays {
  const first = firstDayNumber(year)
  const [done = '', skipped = '', amounts = '', focused = ''] = packed.split(' ')
  return {
    done: unpackBits(first, done),
    skipped: unpackBits(first, skipped),
    amounts: unpackAmounts(first, amounts),
    focused: unpackAmounts(first, focused),
  }
}

function packAmounts(first: number, amounts: PackedDays['amounts']): string {
  return amounts.map(([day, amount]) => `${day - first}:${amount}`).join()
}

function unpackAmounts(first: number, packed: string): [number, number][] {
  return packed === '' ? [] : packed.split(',').map((entry) => amountOfEntry(first, entry))
}

function amountOfEntry(first: number, entry: string): [number, number] {
  const [place, amount] = entry.split(':')
  return [first + Number(place), Number(amount)]
}

function packBits(first: number, days: readonly number[]): string {
  const bits = new Uint8Array(bytesOfYear)
  for (const day of days) {
    const place = day - first
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
  }
  return bits.toBase64()
}

function unpackBits(first: number, packed: string): number[] {
  const days: number[] = []
  for (const [place, bits] of Uint8Array.fromBase64(packed).entries()) {
    for (let bit = 0; bits >> bit !== 0; bit += 1) {
      if ((bits >> bit) & 1) days.push(first + 8 * place + bit)
    }
  }
  return days
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
