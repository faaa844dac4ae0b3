import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'

// Files of other apps come in many versions: what is missing, or is not what it is usually, counts as nothing.

/** An object of the file. */
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

/** The objects of a list. */
export function eachOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** Also of a number, as ids are either. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : []
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** '2026-12-03', also at the beginning of more. */
export function dayTextOf(value: unknown): Day | undefined {
  return daySchema.safeParse(textOf(value).slice(0, 10)).data
}

/** Milliseconds, or a text such as '2026-12-03T18:00:00Z'. No instant before 1970 was ever meant. */
export function instantOf(value: unknown): Instant | undefined {
  const instant = typeof value === 'number' ? value : Date.parse(textOf(value))
  return Number.isFinite(instant) && instant > 0 && instant < endOfTime ? Math.round(instant) : undefined
}

const endOfTime = Date.UTC(2200, 0, 1)
