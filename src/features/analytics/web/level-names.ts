import { durationInWords } from '#platform/ui/time-in-words.ts'
import type { Measure } from '../day-figure.ts'
import type { Steps } from '../year-levels.ts'

/** What the five levels of the year mean, in words; undefined while it is not known. */
export function levelNames(measure: Measure, steps: Steps | undefined): string[] | undefined {
  if (measure === 'habits') return ['None', 'Up to a third', 'Up to two thirds', 'Most', 'All']
  if (!steps) return undefined
  const [one, two, three] = steps
  if (measure === 'focus') {
    const upTo = [one, two, three].map((seconds) => `Up to ${durationInWords(seconds)}`)
    return ['None', ...upTo, `Over ${durationInWords(three)}`]
  }
  const span = (over: number, upTo: number) => (over + 1 === upTo ? String(upTo) : `${over + 1} to ${upTo}`)
  return ['None', span(0, one), span(one, two), span(two, three), `${three + 1} or more`]
}
