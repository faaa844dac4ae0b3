import { type Day, dayNumber, daysFrom, type Instant } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'

/** A day in the demo's year, and its kind. */
export interface DemoDay {
  day: Day
  /** Days before today. */
  daysAgo: number
  weekday: number
  /** 'away' is a fortnight of holiday; 'ill' is a few days of flu. */
  kind: 'work' | 'weekend' | 'away' | 'ill'
}

/** The 365 days up to today. */
export function demoDays(first: Day, today: Day): DemoDay[] {
  return daysFrom(first, today).map((day) => {
    const daysAgo = dayNumber(today) - dayNumber(day)
    const weekday = weekdayOf(day)
    return { day, daysAgo, weekday, kind: kindOf(daysAgo, weekday) }
  })
}

/** Counted back from today, so that holiday and illness do not interrupt the streaks at the end of the year. */
function kindOf(daysAgo: number, weekday: number): DemoDay['kind'] {
  if (daysAgo >= 122 && daysAgo < 136) return 'away'
  if (daysAgo >= 256 && daysAgo < 262) return 'ill'
  return weekday > 5 ? 'weekend' : 'work'
}

/** Random numbers that are the same every time for the same seed. */
export interface SeededRandom {
  chance(probability: number): boolean
  /** A random integer, both ends included. */
  between(least: number, most: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  id(at: Instant): string
}

export function seededRandom(...name: (string | number)[]): SeededRandom {
  let state = hashOf(name.join(' '))
  // The mulberry32 generator.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    chance: (probability) => next() < probability,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    id: (at) =>
      newRowId(
        at,
        Uint8Array.from({ length: 10 }, () => between(0, 255)),
      ),
  }
}

/** The FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

/** The instant at these minutes after midnight on a zone's wall clock. More minutes than a day has lead into the next day. */
export function instantAt(day: Day, minutes: number, zone: string): Instant {
  return Temporal.PlainDate.from(day).toPlainDateTime().add({ minutes }).toZonedDateTime(zone)
    .epochMilliseconds
}
