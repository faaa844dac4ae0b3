import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'

// Where a row stands among its like, as a text: rows are sorted by `(position, id)`. A position is a key of the package
// `fractional-indexing`: there is always another one between two of them, so a move writes one row.

/** Longer keys are shortened by the server. A device that was offline for long may have made some. */
export const longestPosition = 60

/** The first character says how many digits of the integer follow it: `a` one, `b` two ... and `Z` one, `Y` two below zero. */
const integerLengths = 'ZYXWVUTSRQPONMLKJIHGFEDCBA'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** It has none before it, so it is no position. */
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

/** With the character that says so; undefined if that says nothing. */
function integerLength([first = '']: string): number | undefined {
  const place = first === first.toUpperCase() ? integerLengths.indexOf(first) : first.charCodeAt(0) - 97
  return place < 0 || place > 25 ? undefined : place + 2
}

/** The integer of a position, which is a position as well and not after it. */
export function integerOf(position: string): string {
  return position.slice(0, integerLength(position))
}

interface Created {
  id: string
  /** Instant of its creation. */
  created: Instant
}

/** The position of a row that nobody has moved: the newest first, and of one millisecond the latest id first. */
export function newestFirst({ id, created }: Created): string {
  return `h${inDigits(62 ** 8 - 1 - created, 8)}${fractionOf(id, (part) => 2 ** 20 - 1 - part)}`
}

/** The position of a row that nobody has moved: the newest last, and of one millisecond the latest id last. */
export function newestLast({ id, created }: Created): string {
  return `h${inDigits(created, 8)}${fractionOf(id, (part) => part)}`
}

/** Tells apart what was created in one millisecond by 60 bits of a UUIDv7, its version left out: three parts of 20. */
function fractionOf(id: string, orderOf: (part: number) => number): string {
  const hex = id.replaceAll('-', '')
  const bits = hex.slice(0, 12) + hex.slice(13, 16)
  const parts = [0, 5, 10].map((place) => Number.parseInt(bits.slice(place, place + 5), 16))
  // A position does not end in 0.
  return `${parts.map((part) => inDigits(orderOf(part), 4)).join('')}V`
}

/** A number that is too small or too large for so many digits is the smallest or the largest of them. */
function inDigits(number: number, length: number): string {
  const most = 62 ** length - 1
  let text = ''
  for (let rest = Math.min(Math.max(number, 0), most); text.length < length; rest = Math.floor(rest / 62)) {
    text = digits.charAt(rest % 62) + text
  }
  return text
}

/** For sorting. Two devices that move a row into one gap while offline give it the same position: the id decides. */
export function byPosition(one: Placed, other: Placed): number {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1
  return one.id < other.id ? -1 : 1
}

export interface Placed {
  id: string
  position: string
}
