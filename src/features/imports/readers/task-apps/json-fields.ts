import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'

// Files of other apps come in many versions, so a value that is missing or has an unexpected type is treated as empty.

/** A JSON object in the file. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isListOfFields(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.every(isFields)
}

/** The objects in a JSON array. */
export function eachOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** A string, or a number as text: some files have ids of either type. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : []
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The day in a text such as '2026-12-03' or '2026-12-03T18:00:00Z'. */
export function dayTextOf(value: unknown): Day | undefined {
  return daySchema.safeParse(textOf(value).slice(0, 10)).data
}

/**
 * An instant, given in milliseconds or as text such as '2026-12-03T18:00:00Z'. Undefined before 1970: apps write such values only
 * for 'no date'.
 */
export function instantOf(value: unknown): Instant | undefined {
  const instant = typeof value === 'number' ? value : Date.parse(textOf(value))
  return Number.isFinite(instant) && instant > 0 && instant < endOfTime ? Math.round(instant) : undefined
}

const endOfTime = Date.UTC(2200, 0, 1)
