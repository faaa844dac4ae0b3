import { typedMinutes } from '#platform/calendar/typed-minutes.ts'
import { longestEstimate } from './todo-row.ts'

/** The minutes of an estimate as somebody typed it. Null for nothing, undefined if it is none. */
export function typedEstimate(text: string): number | null | undefined {
  return typedMinutes(text, longestEstimate)
}
