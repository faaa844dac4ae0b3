import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'

// The place of a row among the rows of its order, as a text: rows are sorted by `(position, id)`. A position is a key of the
// package `fractional-indexing`. There is always another key between two keys, so a move writes one row.

/** The most characters of a position. The server shortens longer ones, which a device can make while it is offline for long. */
export const longestPosition = 60

/**
 * The first character of a position tells how many digits the integer after it has: `a` one, `b` two and so on; `Z` one and
 * `Y` two for integers below zero.
 */
const integerLengths = 'ZYXWVUTSRQPONMLKJIHGFEDCBA'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** No key comes before this integer, so it is not a valid position. */
export const lowestInteger = `A${'0'.repeat(26)}`

const positionProblem = 'Expected a position, such as a0'

export const positionSchema = z
  .string('Expected a position')
  .check(
    z.maxLength(250, 'A position must not exceed 250 characters'),
    z.regex(/^[0-9A-Za-z]{2,}$/, { message: positionProblem, abort: true }),
    z.refine(isPosition, positionProblem),
  )

export function isPosition(text: string): boolean {
  if (!/^[0-9A-Za-z]{2,}$/.test(text)) return false
  const length = integerLength(text)
  if (length === undefined || length > text.length) return false
  return text !== lowestInteger && (text.length === length || !text.endsWith('0'))
}

/** The length of the integer, including its first character; undefined if that character is invalid. */
function integerLength([first = '']: string): number | undefined {
  const place = first === first.toUpperCase() ? integerLengths.indexOf(first) : first.charCodeAt(0) - 97
  return place < 0 || place > 25 ? undefined : place + 2
}

/** The integer part of a position. It is itself a position, and does not come after the full one. */
export function integerOf(position: string): string {
  return position.slice(0, integerLength(position))
}

interface Created {
  id: string
  /** When the row was created. */
  created: Instant
}

/**
 * The position of a row that nobody has moved, in a newest-first order. In the same millisecond, the later id comes first.
 */
export function newestFirst({ id, created }: Created): string {
  return `h${inDigits(62 ** 8 - 1 - created, 8)}${fractionOf(id, (part) => 2 ** 20 - 1 - part)}`
}

/** The position of a row that nobody has moved, in a newest-last order. In the same millisecond, the later id comes last. */
export function newestLast({ id, created }: Created): string {
  return `h${inDigits(created, 8)}${fractionOf(id, (part) => part)}`
}

/**
 * Distinguishes rows created in the same millisecond by 60 bits of their UUIDv7, without its version: three parts of 20
 * bits.
 */
function fractionOf(id: string, orderOf: (part: number) => number): string {
  const hex = id.replaceAll('-', '')
  const bits = hex.slice(0, 12) + hex.slice(13, 16)
  const parts = [0, 5, 10].map((place) => Number.parseInt(bits.slice(place, place + 5), 16))
  // The V is needed because a position must not end in 0.
  return `${parts.map((part) => inDigits(orderOf(part), 4)).join('')}V`
}

/** Writes a number with this many digits. A number out of range becomes the smallest or largest possible. */
function inDigits(number: number, length: number): string {
  const most = 62 ** length - 1
  let text = ''
  for (let rest = Math.min(Math.max(number, 0), most); text.length < length; rest = Math.floor(rest / 62)) {
    text = digits.charAt(rest % 62) + text
  }
  return text
}

/**
 * Compares rows for sorting. Two devices that move rows into the same gap while offline give them the same position; then
 * the id decides.
 */
export function byPosition(one: Placed, other: Placed): number {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1
  return one.id < other.id ? -1 : 1
}

export interface Placed {
  id: string
  position: string
}
