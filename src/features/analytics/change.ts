import type { Day } from '#platform/calendar/day.ts'
import { type DayFigure, type Figure, type Measure, sumOf } from './day-figure.ts'

/** How a range compares with the one before it. */
export type Change =
  /** There is nothing before that it could be compared with. */
  | { kind: 'first' }
  /** Habits were due before, but none of this range can be compared. */
  | { kind: 'none due' }
  | { kind: 'same' }
  /** `by` to-dos, percentage points or seconds, always more than 0. */
  | { kind: 'more' | 'less'; by: number; before: number; now: number }

/**
 * To-dos compare by their number, focus by its seconds. Habits compare by the share of the due that was done, in whole
 * percent, since both shares are told and the points have to be their difference.
 */
export function changeOf(measure: Measure, now: Figure, before: Figure): Change {
  if ((measure === 'habits' ? before.beside : before.amount) === 0) return { kind: 'first' }
  if (measure === 'habits' && now.beside === 0) return { kind: 'none due' }
  const [past, present] = [comparedBy(measure, before), comparedBy(measure, now)]
  if (past === present) return { kind: 'same' }
  return { kind: present > past ? 'more' : 'less', by: Math.abs(present - past), before: past, now: present }
}

/**
 * What a range comes to in its change. A habit that is due today and still open is left out: it can be done until midnight,
 * and as a miss it would tell a fall each morning. What is done of today counts, so that doing it shows at once. To-dos and
 * focus keep today as it is: sums of an unfinished range are read as such, and nothing of them is due.
 */
export function comparedOf(measure: Measure, days: readonly DayFigure[], today: Day): Figure {
  if (measure !== 'habits') return sumOf(days)
  return sumOf(days.map((figure) => (figure.day === today ? { ...figure, beside: figure.amount } : figure)))
}

/** What is not all is never 100 %, what is not nothing never 0 %. */
export function wholePercent({ amount, beside }: Figure): number {
  if (amount === 0) return 0
  if (amount === beside) return 100
  return Math.min(99, Math.max(1, Math.round((amount / beside) * 100)))
}

function comparedBy(measure: Measure, figure: Figure): number {
  return measure === 'habits' ? wholePercent(figure) : figure.amount
}
