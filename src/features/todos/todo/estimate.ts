import { typedMinutes } from '#platform/calendar/typed-minutes.ts'
import { longestEstimate } from './todo-row.ts'

/** Reads a typed estimate, in minutes. Null if the text is empty, undefined if it is not a valid estimate. */
export function typedEstimate(text: string): number | null | undefined {
  return typedMinutes(text, longestEstimate)
}
