import { formatDuration } from '#platform/format/format-time.ts'
import type { Metric } from '../metrics/day-value.ts'
import type { Steps } from './year-levels.ts'

/** The names of the year's five levels; undefined while the steps are unknown. */
export function levelNames(metric: Metric, steps: Steps | undefined): string[] | undefined {
  if (metric === 'habits') return ['None', 'Up to a third', 'Up to two thirds', 'Most', 'All']
  if (!steps) return undefined
  const [one, two, three] = steps
  if (metric === 'focus') {
    const upTo = [one, two, three].map((seconds) => `Up to ${formatDuration(seconds)}`)
    return ['None', ...upTo, `Over ${formatDuration(three)}`]
  }
  const span = (over: number, upTo: number) => (over + 1 === upTo ? String(upTo) : `${over + 1} to ${upTo}`)
  return ['None', span(0, one), span(one, two), span(two, three), `${three + 1} or more`]
}
